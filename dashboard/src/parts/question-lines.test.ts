import { expect, test } from 'vitest'
import { lineOf } from './question-lines.ts'

const OPTIONS = { options: [{ label: 'Unit' }, { label: 'Browser', about: 'slow' }] }

test.each([
  [[], '', ''],
  [[], '  none \n of them ', 'none of them'],
  [['Browser', 'Unit'], '', 'Unit, Browser'],
  [['Browser'], 'and by hand', 'Browser, and by hand'],
  [['gone'], '', ''],
])('%j and %j', (chosen, words, line) => {
  expect(lineOf(OPTIONS, { chosen, words })).toBe(line)
})
