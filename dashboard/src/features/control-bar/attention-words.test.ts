import { expect, test } from 'vitest'
import { attentionWords } from './attention-words.ts'

test.each([
  { items: [], words: undefined },
  { items: [{ agent: 'a' }], words: '1 agent needs attention' },
  { items: [{ agent: 'a' }, { agent: 'a' }, { agent: 'b' }, {}], words: '2 agents need attention' },
  { items: [{}], words: '1 thing needs attention' },
  { items: [{}, {}], words: '2 things need attention' },
])('$words', ({ items, words }) => {
  expect(attentionWords(items)).toBe(words)
})
