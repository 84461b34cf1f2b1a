/** A text as it was typed, in one or several words. */
import { Failure } from './failure.ts'

/** `what` names it when it is empty. */
export function textOf(words: readonly string[], what: string): string {
  const text = words.join(' ')
  if (text.trim() !== '') return text
  throw new Failure({ code: 'invalid', sentence: `The ${what} is empty`, hint: 'Give a text.' })
}
