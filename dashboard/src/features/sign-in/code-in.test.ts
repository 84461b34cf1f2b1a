import { expect, test } from 'vitest'
import { codeIn } from './code-in.ts'

test.each([
  { pasted: 'http://127.0.0.1:3011/#login=Ab3-_cdEfgh', code: 'Ab3-_cdEfgh' },
  { pasted: ' #login=Ab3-_cdEfgh\n', code: 'Ab3-_cdEfgh' },
  { pasted: 'login=Ab3-_cdEfgh', code: 'Ab3-_cdEfgh' },
  { pasted: 'Ab3-_cdEfgh', code: 'Ab3-_cdEfgh' },
  { pasted: 'short', code: undefined },
  { pasted: 'http://127.0.0.1:3011/', code: undefined },
  { pasted: '', code: undefined },
])('«$pasted» holds $code', ({ pasted, code }) => {
  expect(codeIn(pasted)).toBe(code)
})
