/** What is given arrives as it was given: arguments, environment, folder and typed text. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle } from '../../../src/core/ports.ts'
import { TmuxPlace } from './tmux-place.ts'

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }

let place: TmuxPlace
let terminal: TmuxTerminal

beforeEach(async () => {
  place = new TmuxPlace()
  terminal = await place.open()
})

afterEach(() => place.remove())

const HOSTILE = [
  '',
  ';',
  'ends in ;',
  String.raw`\;`,
  String.raw`ends in \;`,
  String.raw`ends in \ `.trimEnd(),
  '$(touch pwned) `touch pwned`',
  '#(touch pwned) #{pid} #[fg=red] ##{pid} ##[x]',
  `it's "quoted" 'twice'`,
  '$HOME ~ ~/x %if %1 $1 @1 =x -t',
  '{ } } {',
  '# not a comment',
  'two\nlines\n',
  'tab\tand emoji 🦉 é',
  '%H:%M',
  '--',
]

/** Writes down what it was started with, then stays. */
const WITNESS = `
require('node:fs').writeFileSync(process.env.INTO + '.tmp', JSON.stringify({
  argv: process.argv.slice(1), cwd: process.cwd(), env: process.env }))
require('node:fs').renameSync(process.env.INTO + '.tmp', process.env.INTO)
setInterval(() => {}, 1e6)`

test('arguments, variables and folder hold anything but NUL', async () => {
  const cwd = join(place.folder, `it's #(touch pwned) #{pid} #[x] "; $(touch pwned) \n 🦉;`)
  mkdirSync(cwd)
  const into = join(place.folder, 'witness.json')
  const odd = Object.fromEntries(HOSTILE.map((value, n) => [`ODD_${n}`, value]))
  const env = { INTO: into, PATH: `${place.folder}:/usr/bin:/bin`, ...odd }
  const argv = [process.execPath, '-e', WITNESS, '--', ...HOSTILE]
  expect(await terminal.start(ONE, { argv, cwd, env })).toEqual({ result: 'done' })
  const seen = await vi.waitFor(() => JSON.parse(readFileSync(into, 'utf8')), 10_000)
  expect({ argv: seen.argv, cwd: seen.cwd, env: pick(seen.env, Object.keys(env)) }).toEqual({ argv: HOSTILE, cwd, env })
})

test('a prompt of 100 KB can be an argument', async () => {
  const into = join(place.folder, 'witness.json')
  const prompt = `${"it's; ".repeat(17_000)}🦉`
  const argv = [process.execPath, '-e', WITNESS, '--', prompt]
  expect(await terminal.start(ONE, { argv, cwd: place.folder, env: { INTO: into } })).toEqual({ result: 'done' })
  const seen = await vi.waitFor(() => JSON.parse(readFileSync(into, 'utf8')), 10_000)
  expect(seen.argv).toEqual([prompt])
})

test('a lone word is a program, not shell text', async () => {
  const folder = join(place.folder, 'a folder; with $(odd) name')
  mkdirSync(folder)
  const program = join(folder, 'pro gram;')
  copyFileSync('/bin/cat', program)
  expect(await terminal.start(ONE, { argv: [program], cwd: folder, env: {} })).toEqual({ result: 'done' })
  expect(readFileSync(`/proc/${place.pidOf(ONE)}/cmdline`, 'utf8')).toBe(`${program}\0`)
})

test.each([
  { what: 'no program', argv: [], says: 'no program is given' },
  {
    what: 'a program that is not there',
    argv: ['/nowhere/agent', 'x'],
    says: /could not be executed or ended at once/,
  },
  {
    what: 'a lone program that is not there',
    argv: ['/nowhere/agent'],
    says: /could not be executed or ended at once/,
  },
  { what: 'a folder that is not there', cwd: '/nowhere', says: 'there is no folder /nowhere to work in' },
  { what: 'a NUL', argv: ['cat', 'a\0b'], says: 'a NUL was given' },
  { what: 'a variable without a name', env: { '=x': 'y' }, says: /not the name of an environment variable/ },
  { what: 'an agent that is no id', agent: 'Agent One', says: /is not an id/ },
])(
  '$what is not started, with the reason',
  async ({ argv = ['cat', '-'], cwd = place.folder, env = {}, agent = ONE.agent, says }) => {
    const outcome = await terminal.start({ ...ONE, agent }, { argv, cwd, env: env as Record<string, string> })
    expect(outcome).toEqual({ result: 'not_done', detail: expect.stringMatching(says) })
    expect((await terminal.list()).filter(({ dead }) => !dead)).toEqual([])
  },
)

const TEXTS = [
  ...HOSTILE.filter((text) => text !== ''),
  'Enter',
  'C-c',
  '-l -t %0',
  'x'.repeat(100_000),
  '🦉é漢'.repeat(1000),
  'line\n'.repeat(200),
]

test('typed text arrives byte by byte, each as one paste with Enter behind it', async () => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  let expected = ''
  for (const text of TEXTS) {
    expect(await terminal.type(ONE, text)).toEqual({ result: 'done' })
    expected += `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~\r`
  }
  await vi.waitFor(() => expect(place.raw(ONE).length).toBe(Buffer.byteLength(expected)), 20_000)
  expect(place.raw(ONE).toString('utf8')).toBe(expected)
  expect(place.tmux('list-buffers')).toBe('')
})

test.each([
  { text: 'a\u001b[201~\rrm -rf x\r', arrives: 'a[201~\nrm -rf x\n' },
  { text: 'a\u0003\u0004\u007f\u0000b', arrives: 'ab' },
  { text: 'a\u009b201~b\u0085', arrives: 'a201~b' },
  { text: 'a\r\nb\rc', arrives: 'a\nb\nc' },
])('control characters in $text press no key', async ({ text, arrives }) => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  expect(await terminal.type(ONE, text)).toEqual({ result: 'done' })
  await vi.waitFor(
    () => expect(place.raw(ONE).toString()).toBe(`\u001b[200~${arrives.replaceAll('\n', '\r')}\u001b[201~\r`),
    10_000,
  )
})

test.each([
  { what: 'nothing', text: '\u001b\u0007', detail: 'there is no text to type' },
  { what: 'too much', text: 'é'.repeat(61_441), detail: 'the text is longer than 122880 bytes' },
])('$what is not typed', async ({ text, detail }) => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  expect(await terminal.type(ONE, text)).toEqual({ result: 'not_done', detail, unfit: true })
  expect(place.raw(ONE).toString()).toBe('')
})

test('keys are pressed as keys', async () => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  await terminal.press(ONE, 'Escape')
  await terminal.press(ONE, 'Enter')
  await vi.waitFor(() => expect(place.raw(ONE).toString()).toBe('\u001b\r'), 10_000)
})

test('the screen is shown as it stands, in any script', async () => {
  await terminal.start(ONE, place.launch(ONE))
  await place.ready(ONE)
  await terminal.type(ONE, 'one\ntwo\n🦉 漢 é')
  await vi.waitFor(async () => expect(await terminal.screen(ONE)).toContain('🦉 漢 é'), 10_000)
})

function pick(from: Record<string, string>, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
