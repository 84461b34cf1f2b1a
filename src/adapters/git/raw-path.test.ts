import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onDisk, quote, toRaw, toText, unquote } from './raw-path.ts'

test.each([
  ['plain.txt', 'plain.txt'],
  ['"new\\nline\\t\\"q\\" \\\\"', 'new\nline\t"q" \\'],
  ['"\\303\\274\\377"', '\u00c3\u00bc\u00ff'],
])('git prints %s for %j', (printed, path) => {
  expect(unquote(printed)).toBe(path)
})

test('every path survives quoting', () => {
  fc.assert(
    fc.property(fc.uint8Array({ min: 1, minLength: 1 }), (bytes) => {
      const path = Buffer.from(bytes).toString('latin1')
      expect(unquote(quote(path))).toBe(path)
    }),
  )
})

test('text becomes bytes and text again', () => {
  expect(toText(toRaw('ü 日本'))).toBe('ü 日本')
  expect(onDisk('/ä', toRaw('ü'))).toEqual(Buffer.from('/ä/ü'))
})
