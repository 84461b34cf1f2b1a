/** The words of `pan config` become the arguments of the program that does the work. */
import { expect, test } from 'vitest'
import { configCommand } from '../../src/cli/commands/config.ts'

test.each([
  [['get'], ['get']],
  [
    ['get', 'a.b', '--json'],
    ['get', '--json', '--', 'a.b'],
  ],
  [
    ['set', 'a.b', '5'],
    ['set', '--', 'a.b', '5'],
  ],
  [
    ['set', '--', 'a.b', '-5'],
    ['set', '--', 'a.b', '-5'],
  ],
  [['edit'], ['edit']],
  [
    ['edit', '--from', 'x y'],
    ['edit', '--from=x y'],
  ],
  [
    ['validate', 'f.yaml', '--json'],
    ['validate', '--json', '--', 'f.yaml'],
  ],
  [['path'], ['path']],
])('%j starts %j', async (typed, args) => {
  const started: unknown[] = []
  const command = configCommand((program, given) => {
    started.push([program, given])
    return Promise.resolve(0)
  })
  await command.parseAsync(typed, { from: 'user' })
  expect(started).toEqual([['config', args]])
})

test('every action explains itself with examples', () => {
  const command = configCommand(() => Promise.resolve(0))
  const helps = command.commands.map((child) => {
    let text = ''
    child.configureOutput({ writeOut: (part) => (text += part) })
    child.outputHelp()
    return [child.name(), text.includes('Examples:')]
  })
  expect(helps).toEqual([
    ['get', true],
    ['set', true],
    ['edit', true],
    ['validate', true],
    ['path', true],
  ])
})
