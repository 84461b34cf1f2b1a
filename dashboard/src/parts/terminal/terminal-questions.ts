/**
 * What a program asks its terminal, or switches on in it, and what must not reach the terminal in the page: tmux has
 * answered already, and a second answer would be typed to the program. The mouse stays with the page.
 */
import type { IParser, Terminal } from '@xterm/xterm'

/** Mouse reports, focus reports. */
const NOT_HERE: ReadonlySet<number> = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016])

type CsiId = Parameters<IParser['registerCsiHandler']>[0]

/** Device attributes, status and cursor position, modes, version, window reports. */
const QUESTIONS: readonly CsiId[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { final: 't' },
]

export function ignoreQuestions({ parser }: Pick<Terminal, 'parser'>): void {
  for (const question of QUESTIONS) parser.registerCsiHandler(question, () => true)
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true)
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, () => true)
  // Colours can be set; asking for them is a question.
  for (const osc of [4, 10, 11, 12]) parser.registerOscHandler(osc, (data) => data.includes('?'))
  for (const final of ['h', 'l']) {
    parser.registerCsiHandler({ prefix: '?', final }, (params) =>
      params.every((mode) => typeof mode === 'number' && NOT_HERE.has(mode)),
    )
  }
}
