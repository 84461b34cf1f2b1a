/** What a person may answer to a permission or a question; anything else is refused rather than guessed. */
import type { Refusal } from '../contract/commands.ts'
import type { Doing, Question } from '../contract/evidence.ts'

type Asked = Extract<Doing, { kind: 'permission' | 'question' }>

/** The answer as the runtime is given it. */
export function readAnswer(asked: Asked, said: string): { text: string } | { refusal: Refusal } {
  return asked.kind === 'permission' ? permission(said) : reply(asked.questions ?? [], said)
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

/** What answers one question is no answer to the others. */
function reply(questions: readonly Question[], said: string): { text: string } | { refusal: Refusal } {
  const [first, ...more] = questions
  if (first === undefined) return { text: said }
  const lines = more.length === 0 ? [said] : said.split('\n').map((line) => line.trim())
  if (lines.length !== questions.length || lines.includes('')) {
    return refuse(
      `It asks ${questions.length} things at once`,
      `Answer each on a line of its own: ${questions.map(({ question }) => short(question)).join(' · ')}`,
    )
  }
  for (const [at, question] of questions.entries()) {
    const wrong = wrongChoice(question, lines[at] ?? '')
    if (wrong !== undefined) return wrong
  }
  return { text: lines.join('\n') }
}

/** Whether it can be the number of an option: where all options are numbers themselves, a number is an answer. */
export function isPlace(part: string, labels: readonly string[]): boolean {
  return NUMBER.test(part) && !labels.every((label) => NUMBER.test(label))
}

const NUMBER = /^\d+$/

/** Its number, its text, or words of one's own; a number that stands for nothing is a mistake. */
function wrongChoice({ options, several }: Question, line: string): { refusal: Refusal } | undefined {
  const labels = options.map(({ label }) => label)
  const parts = several ? line.split(',').map((part) => part.trim()) : [line]
  const wrong = parts.find((part) => {
    const isMeant = Number(part) >= 1 && Number(part) <= labels.length
    return isPlace(part, labels) && !isMeant && !labels.includes(part)
  })
  if (labels.length === 0 || wrong === undefined) return undefined
  const numbers = labels.length === 1 ? '1' : `1 to ${labels.length}`
  return refuse(
    `There is no option ${short(wrong)}`,
    `Choose ${numbers}, give the text of an option, or answer in words: ${labels.map(short).join(' · ')}.`,
  )
}

const SHOWN = 40

function short(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

function refuse(sentence: string, hint: string): { refusal: Refusal } {
  return { refusal: { code: 'invalid', sentence, hint } }
}
