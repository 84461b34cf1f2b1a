/** A text as it was typed, in one or several words, or from standard input. */
import { readFileSync } from 'node:fs'
import { Failure } from './failure.ts'

/** `what` names it when it is empty. */
export function textOf(words: readonly string[], what: string): string {
  const text = words.join(' ')
  if (text.trim() !== '') return text
  throw new Failure({ code: 'invalid', sentence: `The ${what} is empty`, hint: 'Give a text.' })
}

/** The same; «-» alone is what standard input has. */
export function textOrInput(words: readonly string[], what: string): string {
  return textOf(words.length === 1 && words[0] === '-' ? [readFileSync(0, 'utf8')] : words, what)
}
