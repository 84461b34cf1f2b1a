import { expect, test } from 'vitest'
import type { Command } from 'commander'
import { panCommand } from './program.ts'

test.each<[string, string, string[]]>([
  ['up', 'up', []],
  ['up --json', 'up', ['--json']],
  ['up --foreground', 'daemon', []],
  ['up --foreground --json', 'daemon', ['--json']],
  ['up --demo', 'daemon', ['--demo']],
  ['doctor', 'doctor', []],
  ['doctor --json', 'doctor', ['--json']],
])('pan %s starts %s with %j', async (line, name, args) => {
  const { pan, started } = watched()
  await pan.parseAsync(line.split(' '), { from: 'user' })
  expect(started).toEqual([{ name, args }])
})

test('every command explains itself with examples', () => {
  const { pan } = watched()
  const unexplained = leaves(pan).filter(
    (command) => command.name() !== 'complete' && !helpOf(command).includes('Examples:'),
  )
  expect(unexplained.map((command) => command.name())).toEqual([])
})

/** The second column of the help must have room: no line is wider than a small terminal. */
test('every help fits into 120 columns', () => {
  const { pan } = watched()
  const wide = leaves(pan).flatMap((command) =>
    helpOf(command)
      .split('\n')
      .filter((line) => line.length > 120),
  )
  expect(wide).toEqual([])
})

test.each<[string[], string]>([
  [['confg'], "error: unknown command 'confg'\n(Did you mean config?)\nRun it with --help to see what it takes.\n"],
  [
    ['up', '--dmo'],
    "error: unknown option '--dmo'\n(Did you mean --demo?)\nRun it with --help to see what it takes.\n",
  ],
])('pan %j is wrong usage', async (args, message) => {
  const { pan, started, written } = watched()
  await expect(pan.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ name: 'CommanderError', exitCode: 1 })
  expect({ started, written }).toEqual({ started: [], written: { out: '', err: message } })
})

test('the version and the help are asked for, not wrong', async () => {
  const { pan, written } = watched()
  await expect(pan.parseAsync(['--version'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
  expect(written).toEqual({ out: '1.2.3\n', err: '' })
  await expect(pan.parseAsync(['--help'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
  expect(written.out).toContain('Exit codes:\n  0  done\n')
})

function leaves(command: Command): Command[] {
  return [command, ...command.commands.flatMap(leaves)]
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => void (text += part), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return text
}

function watched(): { pan: Command; started: unknown[]; written: { out: string; err: string } } {
  const started: unknown[] = []
  const written = { out: '', err: '' }
  const pan = panCommand('1.2.3', {
    start: async (name, args) => {
      started.push({ name, args })
      return Promise.resolve(0)
    },
    ask: async () => Promise.reject(new Error('the daemon is not asked here')),
    worktrees: async () => Promise.reject(new Error('no worktree is made here')),
    end: () => undefined,
  })
  const output = {
    writeOut: (text: string) => void (written.out += text),
    writeErr: (text: string) => void (written.err += text),
  }
  for (const command of [pan, ...pan.commands]) command.configureOutput(output)
  return { pan, started, written }
}
