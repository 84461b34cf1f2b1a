import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFilesNamedIn } from './files-named.ts'

test.each([
  ['', undefined],
  ['Make it faster, e.g. by 1.5 times, as on https://example.org/a/b.html', undefined],
  ['Look at src/a.ts and ./src/a.ts, then (src/core/b.test.ts).', 2],
  ['`package.json` and `a/b/c.tsx`', 2],
  ['package.json alone is a word', undefined],
  ['a/.env/b', undefined],
])('«%s» names %s', (text, files) => {
  expect(countFilesNamedIn(text)).toBe(files)
})

test('takes any text, in time that grows with its length only', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => (countFilesNamedIn(text) ?? 1) > 0))
  expect(countFilesNamedIn('a/'.repeat(100_000))).toBe(undefined)
})
