import { expect, test } from 'vitest'
import { attentionWords } from './attention-words.ts'

test.each([
  { count: 0, words: undefined },
  { count: 1, words: '1 thing needs you' },
  { count: 3, words: '3 things need you' },
])('$words', ({ count, words }) => {
  expect(attentionWords(count)).toBe(words)
})
