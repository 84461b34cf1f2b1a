import { expect, test } from 'vitest'
import { Keyboard, type Stroke } from './keyboard.ts'

function strokes(chunks: readonly string[]): Stroke[] {
  const all: Stroke[] = []
  const keyboard = new Keyboard((stroke) => {
    if (stroke.kind !== 'draft') all.push(stroke)
  })
  for (const chunk of chunks) keyboard.take(chunk)
  keyboard.end()
  return all
}

const ESC = '\u001B'
const line = (text: string): Stroke => ({ kind: 'line', text })
const escape: Stroke = { kind: 'escape' }
const quit: Stroke = { kind: 'quit' }

test.each<[string, string[], Stroke[]]>([
  ['lines', ['one\ntwo\r'], [line('one'), line('two')]],
  ['a line in pieces, with a mistake', ['o', 'x\u007F', 'ne', '\r'], [line('one')]],
  ['empty lines', ['\r\n \r'], []],
  ['a paste with lines', [`${ESC}[200~one\r\ntwo\rthree${ESC}[201~\r`], [line('one\ntwo\nthree')]],
  ['a paste cut anywhere', [`${ESC}[2`, `00~on`, `e\n${ESC}`, `[20`, `1~`, `\r`], [line('one\n')]],
  ['escapes inside a paste', [`${ESC}[200~a${ESC}[Ab${ESC}[201~\r`], [line(`a${ESC}[Ab`)]],
  ['arrows and function keys', [`${ESC}[A${ESC}OPa${ESC}[1;5Cb\r`], [line('ab')]],
  ['Escape before text', [`${ESC}hello\r`], [escape, line('hello')]],
  ['one Ctrl-C, then text', ['ab\u0003cd\r'], [line('cd')]],
  ['two Ctrl-C', ['\u0003\u0003'], [quit]],
  ['Ctrl-D on nothing, Ctrl-D on text', ['\u0004a\u0004\r'], [quit, line('a')]],
  ['Ctrl-U', ['abc\u0015d\r'], [line('d')]],
  ['characters beyond the basic plane', ['🦉ü\r'], [line('🦉ü')]],
])('%s', (_, chunks, expected) => {
  expect(strokes(chunks)).toEqual(expected)
})

test('a lone Escape is known by the silence after it', async () => {
  const { promise, resolve } = Promise.withResolvers<Stroke>()
  const keyboard = new Keyboard((stroke) => {
    if (stroke.kind !== 'draft') resolve(stroke)
  })
  keyboard.take(ESC)
  expect(await promise).toEqual(escape)
})
