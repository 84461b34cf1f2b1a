import { expect, test } from 'vitest'
import { ControlLines } from './control-lines.ts'

function heard(...chunks: Buffer[]): unknown[] {
  const all: unknown[] = []
  const lines = new ControlLines({
    block: (content, failed) => all.push({ block: content.toString('latin1'), failed }),
    output: (pane, bytes) => all.push({ pane, bytes: bytes.toString('latin1') }),
    notice: (line) => all.push(line),
  })
  for (const chunk of chunks) lines.feed(chunk)
  return all
}

test.each([
  ['a notice', '%pause %1\n', ['%pause %1']],
  ['an answer', '%begin 7 1 0\none\ntwo\n%end 7 1 0\n', [{ block: 'one\ntwo', failed: false }]],
  ['an empty answer', '%begin 7 1 0\n%end 7 1 0\n', [{ block: '', failed: false }]],
  ['a failure', '%begin 7 1 1\nno\n%error 7 1 1\n', [{ block: 'no', failed: true }]],
  [
    'text that looks like an end',
    '%begin 7 1 1\n%end 7 2 1\n%output %1 x\n%begin 8 8 8\n%end 7 1 1\n',
    [{ block: '%end 7 2 1\n%output %1 x\n%begin 8 8 8', failed: false }],
  ],
  ['output', '%output %12 a b\\134\\015\\012\\033[m\n', [{ pane: '%12', bytes: 'a b\\\r\n\u001b[m' }]],
  ['output with its age', '%extended-output %1 20 : a : b\\000\n', [{ pane: '%1', bytes: 'a : b\0' }]],
  ['no output at all', '%output %1 \n', [{ pane: '%1', bytes: '' }]],
] as const)('%s', (_, text, expected) => {
  expect(heard(Buffer.from(text))).toEqual(expected)
})

test('bytes arrive as they are, wherever they are cut', () => {
  const bytes = Buffer.concat([Buffer.from('%output %1 é🦉\\134'), Buffer.from([0xff, 0x80]), Buffer.from('\n%exit\n')])
  const whole = heard(bytes)
  expect(whole).toEqual([
    { pane: '%1', bytes: Buffer.concat([Buffer.from('é🦉\\'), Buffer.from([0xff, 0x80])]).toString('latin1') },
    '%exit',
  ])
  for (let at = 1; at < bytes.length; at += 1) {
    expect(heard(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole)
  }
  expect(heard(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
})
