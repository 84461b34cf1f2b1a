/** What a person chose and said, as the one line that answers a question. */
import type { Question } from '../../../src/contract/evidence.ts'

export interface Given {
  chosen: readonly string[]
  words: string
}

/** Empty when nothing was given. What was chosen stands in the order in which it was offered. */
export function lineOf({ options }: Pick<Question, 'options'>, { chosen, words }: Given): string {
  const labels = options.map(({ label }) => label).filter((label) => chosen.includes(label))
  const own = words.replaceAll(/\s+/g, ' ').trim()
  return [...labels, ...(own === '' ? [] : [own])].join(', ')
}
