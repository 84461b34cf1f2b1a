/** What a person may answer to a permission or a question; anything else is refused rather than guessed. */
import type { Refusal } from '../contract/commands.ts'
import type { Doing } from '../contract/evidence.ts'

type Asked = Extract<Doing, { kind: 'permission' | 'question' }>

/** The answer as the runtime is given it. */
export function readAnswer(asked: Asked, said: string): { text: string } | { refusal: Refusal } {
  return asked.kind === 'permission' ? permission(said) : choice(asked.options ?? [], said)
}

const ALLOWED = /^(?:allow|yes|1)$/i
/** A reason may follow a refusal; it is passed on to the agent. */
const DENIED = /^(?:deny|no|2)(?:[\s:,;.–—-]+(?<reason>.*))?$/isu

/** Neither a slip of the finger nor a question back may count as a decision. */
function permission(said: string): { text: string } | { refusal: Refusal } {
  if (ALLOWED.test(said)) return { text: 'allow' }
  const denied = DENIED.exec(said)
  if (denied === null) {
    return refuse(
      `«${short(said)}» neither allows nor denies`,
      'Answer with allow, yes or 1 to allow it; with deny, no or 2 to deny it, and a reason after that if you like.',
    )
  }
  const reason = denied.groups?.['reason']?.trim() ?? ''
  return { text: reason === '' ? 'deny' : `deny: ${reason}` }
}

/** Its number, its text, or words of one's own; a number that stands for nothing is a mistake. */
function choice(options: readonly string[], said: string): { text: string } | { refusal: Refusal } {
  const isNumber = /^\d+$/.test(said)
  const isMeant = Number(said) >= 1 && Number(said) <= options.length
  if (options.length === 0 || !isNumber || isMeant || options.includes(said)) return { text: said }
  const numbers = options.length === 1 ? '1' : `1 to ${options.length}`
  return refuse(
    `There is no option ${short(said)}`,
    `Choose ${numbers}, give the text of an option, or answer in words: ${options.map(short).join(' · ')}.`,
  )
}

const SHOWN = 40

function short(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

function refuse(sentence: string, hint: string): { refusal: Refusal } {
  return { refusal: { code: 'invalid', sentence, hint } }
}
