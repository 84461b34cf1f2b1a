import { expect, test } from 'vitest'
import { cutLetter, withoutOrphans } from './letters.ts'

const OWL = Buffer.from('🦉')
const NOTHING = Buffer.alloc(0)

test.each([
  { what: 'whole letters', before: undefined, bytes: Buffer.from('aé漢🦉'), cut: NOTHING },
  { what: 'the first of two', before: undefined, bytes: Buffer.from([0x61, 0xc3]), cut: Buffer.from([0xc3]) },
  { what: 'three of four', before: undefined, bytes: OWL.subarray(0, 3), cut: OWL.subarray(0, 3) },
  { what: 'one more of four', before: OWL.subarray(0, 2), bytes: OWL.subarray(2, 3), cut: OWL.subarray(0, 3) },
  { what: 'the last of four', before: OWL.subarray(0, 3), bytes: OWL.subarray(3), cut: NOTHING },
  { what: 'nothing', before: OWL.subarray(0, 1), bytes: NOTHING, cut: OWL.subarray(0, 1) },
  {
    what: 'bytes that are no letter',
    before: undefined,
    bytes: Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]),
    cut: NOTHING,
  },
])('what is cut off after $what', ({ before, bytes, cut }) => {
  expect(cutLetter(before, bytes)).toEqual(cut)
})

test.each([
  { bytes: Buffer.concat([OWL.subarray(1), Buffer.from('x')]), rest: Buffer.from('x') },
  { bytes: Buffer.from('xé'), rest: Buffer.from('xé') },
  { bytes: Buffer.from([0x80, 0x80, 0x80, 0x80]), rest: Buffer.from([0x80]) },
])('the rest of a letter without its beginning is left out', ({ bytes, rest }) => {
  expect(withoutOrphans(bytes)).toEqual(rest)
})
