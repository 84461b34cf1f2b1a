import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'
import { typeable } from './typeable.ts'

const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'

test.each([
  ['a\r\nb\rc', 'a\nb\nc'],
  ['a\tb', 'a\tb'],
  ['a \u0001 b\u001b[31m', 'a  b[31m'],
  ['ame\u0301lie', 'am\u00e9lie'],
  ['x \u200b y', 'x  y'],
  ['so\u00adft \u202edrawkcab\u202c \u2066x\u2069 \u200e', 'soft drawkcab x '],
  ['family \u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 'family \u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
  [`${ENGLAND}!`, `${ENGLAND}!`],
  ['tags \u{E0067}\u{E0062} alone', 'tags  alone'],
])('%j is typed as %j, and known again', (text, typed) => {
  expect(typeable(text)).toBe(typed)
  expect(fingerprint(text)).toBe(fingerprint(typed))
  expect(typeable(typed)).toBe(typed)
})

test('words are told apart, white space is not', () => {
  expect(fingerprint('go on')).toBe(fingerprint(' go\n  on \\'))
  expect(fingerprint('go on')).not.toBe(fingerprint('go off'))
})
