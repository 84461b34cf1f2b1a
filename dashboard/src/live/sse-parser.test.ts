import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SseParser, type SseMessage } from './sse-parser.ts'

function parsed(pieces: readonly string[]): SseMessage[] {
  const messages: SseMessage[] = []
  const parser = new SseParser((message) => messages.push(message))
  for (const piece of pieces) parser.push(piece)
  return messages
}

const table: { what: string; text: string; messages: SseMessage[] }[] = [
  {
    what: 'a message',
    text: 'id: 7\nevent: change\ndata: {}\n\n',
    messages: [{ id: '7', event: 'change', data: '{}' }],
  },
  { what: 'no event name', text: 'data: x\n\n', messages: [{ id: undefined, event: 'message', data: 'x' }] },
  {
    what: 'several lines of data',
    text: 'data: a\ndata\ndata:b\n\n',
    messages: [{ id: undefined, event: 'message', data: 'a\n\nb' }],
  },
  {
    what: 'one space is taken away, no more',
    text: 'data:  a\n\n',
    messages: [{ id: undefined, event: 'message', data: ' a' }],
  },
  {
    what: 'CRLF and CR',
    text: 'data: a\r\ndata: b\r\r\ndata: c\r\n\r\n',
    messages: [
      { id: undefined, event: 'message', data: 'a\nb' },
      { id: undefined, event: 'message', data: 'c' },
    ],
  },
  {
    what: 'comments and unknown fields',
    text: ': still here\n\nretry: 5\nfoo\ndata: a\n\n',
    messages: [{ id: undefined, event: 'message', data: 'a' }],
  },
  { what: 'a byte order mark', text: '\uFEFFdata: a\n\n', messages: [{ id: undefined, event: 'message', data: 'a' }] },
  { what: 'a message that is not finished', text: 'data: a\n', messages: [] },
  {
    what: 'an id stays until the next',
    text: 'id: 1\ndata: a\n\nevent: e\ndata: b\n\n',
    messages: [
      { id: '1', event: 'message', data: 'a' },
      { id: '1', event: 'e', data: 'b' },
    ],
  },
]

test.each(table)('$what', ({ text, messages }) => {
  expect(parsed([text])).toEqual(messages)
  expect(parsed(text.split(''))).toEqual(messages)
})

test('where the pieces end makes no difference', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      ': comment',
      'event: change',
      'id: 3',
      'data',
      'data: two words',
      'data:  {"a":"ü😀"}',
      'foo: bar',
    ),
    fc.string({ unit: fc.constantFrom('d', 'a', 't', ':', ' ', '\u2028', '\uFEFF') }),
  )
  const ending = fc.constantFrom('\n', '\r', '\r\n')
  const text = fc.array(fc.tuple(line, ending), { maxLength: 20 }).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 20 }), (whole, cuts) => {
      const pieces: string[] = []
      let rest = whole
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      expect(parsed([...pieces, rest])).toEqual(parsed([whole]))
    }),
  )
})

test('a line without end does not fill the memory', () => {
  const parser = new SseParser(() => {})
  const megabyte = 'x'.repeat(1024 * 1024)
  expect(() => {
    for (let n = 0; n < 70; n += 1) parser.push(megabyte)
  }).toThrow('A line of the stream is longer than')
})
