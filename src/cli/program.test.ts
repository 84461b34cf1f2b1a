import { expect, test } from 'vitest'
import type { Command } from 'commander'
import { panCommand } from './program.ts'

test.each<[string[], string[]]>([
  [['up'], []],
  [['up', '--demo'], ['--demo']],
  [
    ['up', '--demo', '--speed', '60'],
    ['--demo', '--speed', '60'],
  ],
])('pan %j starts the daemon with %j', async (args, expected) => {
  const { pan, started } = watched()
  await pan.parseAsync(args, { from: 'user' })
  expect(started).toEqual([{ name: 'daemon', args: expected }])
})

test.each<[string[], string]>([
  [['confg'], "error: unknown command 'confg'\n(Did you mean config?)\nRun it with --help to see what it takes.\n"],
  [
    ['up', '--dmo'],
    "error: unknown option '--dmo'\n(Did you mean --demo?)\nRun it with --help to see what it takes.\n",
  ],
  [
    ['up', '--demo', '--speed', 'fast'],
    "error: option '--speed <n>' argument 'fast' is invalid. Give a number above 0, for example 60.\nRun it with --help to see what it takes.\n",
  ],
  [
    ['up', '--speed', '2'],
    "error: option '--speed <n>' is for the demo only. Add --demo, or leave --speed out.\nRun it with --help to see what it takes.\n",
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

function watched(): { pan: Command; started: unknown[]; written: { out: string; err: string } } {
  const started: unknown[] = []
  const written = { out: '', err: '' }
  const pan = panCommand('1.2.3', async (name, args) => {
    started.push({ name, args })
    return Promise.resolve(0)
  })
  const output = {
    writeOut: (text: string) => void (written.out += text),
    writeErr: (text: string) => void (written.err += text),
  }
  for (const command of [pan, ...pan.commands]) command.configureOutput(output)
  return { pan, started, written }
}
