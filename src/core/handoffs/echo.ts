/**
 * The one line by which a successor shows that it knows what comes next:
 *
 *   CLOISTER-NEXT <nonce> | <current task> | <next step>
 *
 * The nonce is new for every hand-off, so that no earlier line counts.
 */
import type { Echo } from '../../contract/evidence.ts'

const MARK = 'CLOISTER-NEXT'
const PLACES = ['<current task>', '<next step>'] as const
const STEP_LIMIT = 300
const READ_LIMIT = 200_000
const LINES_READ = 5_000

export function echoForm(nonce: string): string {
  return `${MARK} ${nonce} | ${PLACES.join(' | ')}`
}

/**
 * The last one where there are several, whoever it is for: who hears it need not know what was asked for. Undefined when
 * it was not said, or only the form of it.
 */
export function readEcho(text: string): Echo | undefined {
  if (!text.includes(MARK)) return undefined
  const lines = text.slice(0, READ_LIMIT).split('\n', LINES_READ)
  return lines.flatMap((line) => echoIn(line) ?? []).at(-1)
}

const LINE = new RegExp(String.raw`^${MARK} ([A-Za-z0-9]{4,32})[ \t]*\|([^|]*)\|(.*)$`)

function echoIn(line: string): Echo | undefined {
  // As models like to adorn a line: quoted, in bold, as code, or said by a command.
  const plain = line.replace(/^[\s>*_`-]{0,20}(?:echo {1,3})?[\s"'*_`]{0,20}/, '').replace(/[\s"'*_`]{1,20}$/, '')
  const [, nonce = '', task = '', step = ''] = LINE.exec(plain) ?? []
  if (!isSaid(task, PLACES[0]) || !isSaid(step, PLACES[1])) return undefined
  return { nonce, task: task.trim().slice(0, STEP_LIMIT), step: step.trim().slice(0, STEP_LIMIT) }
}

function isSaid(text: string, place: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && text.trim() !== place
}
