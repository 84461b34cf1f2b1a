/** The emergency-stop program in homes where everything else is broken. */
import { spawn } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lives } from '../../../src/adapters/process/proc-stat.ts'
import { prepareSentinel } from '../../../src/adapters/process/sentinel.ts'
import { installed, run as runProgram, type Run } from '../../journal/victim-runs.ts'
import { Trees } from './trees.ts'
import { built } from '../../programs.ts'

const PROGRAM = built('hook/emergency-stop')
const TREE = `trap '' HUP TERM; (setsid sleep 300 & say $!); sleep 300 & say $!; wait; sleep 300`

let trees: Trees

beforeEach(() => {
  trees = new Trees()
})

afterEach(() => trees.remove())

function stop(...args: readonly string[]): Promise<Run> {
  return runProgram([process.execPath, PROGRAM, ...args])
}

test('needs nothing but a home: no daemon, a database of garbage, no sentinel made beforehand', async () => {
  const { home, homeId } = trees.home()
  writeFileSync(join(home, 'cloister.db'), 'garbage')
  const procs = [
    ...(await trees.start(`${homeId}.run-1`, TREE, 2)),
    ...(await trees.start(`${homeId}.run-18`, 'sleep 300 & say $!; wait', 1)),
  ]
  const bystanders = await trees.start(`${homeId}x.run-1`, TREE, 2)
  const { lines, stderr, code } = await stop('--home', home)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(lines.slice(0, 3)).toEqual([
    `Emergency stop of ${home} (${homeId}).`,
    'Spawning is blocked.',
    'Ending 5 processes of 2 agents.',
  ])
  expect(lines.slice(-3)).toEqual([
    'run-1: ended, 3 processes',
    'run-18: ended, 2 processes',
    expect.stringMatching(/^All gone after \d+ ms\. Resume with `pan cloister resume`\.$/),
  ])
  expect(procs.filter(lives)).toEqual([])
  expect(bystanders.filter(lives)).toEqual(bystanders)
  expect(existsSync(join(home, 'emergency-stop'))).toBe(true)
})

test('twice in a row: the second finds nobody and says so', async () => {
  const { home, homeId } = trees.home()
  await prepareSentinel(home)
  await trees.start(`${homeId}.run-1`, TREE, 2)
  const [first, second] = [await stop('--json', '--home', home), await stop('--json', '--home', home)]
  const told = { home, homeId, survivors: [], problems: [], leftAlone: [], leftAdopted: [], tookMs: expect.any(Number) }
  expect([first, second].map(({ code, lines }) => ({ code, ...(JSON.parse(lines[0] ?? '') as object) }))).toEqual([
    { code: 0, ...told, runs: ['run-1'], byRun: [{ run: 'run-1', ended: 3, survivors: [] }] },
    { code: 0, ...told, runs: [], byRun: [] },
  ])
  expect((await stop('--home', home)).lines.slice(2, 3)).toEqual(['No agent was alive.'])
})

test('goes on and says so when the sentinel cannot be latched', async () => {
  const { home, homeId } = trees.home()
  symlinkSync('emergency-stop', join(home, 'emergency-stop'))
  const procs = await trees.start(`${homeId}.run-1`, TREE, 2)
  const { code, lines } = await stop('--home', home)
  expect(code).toBe(1)
  expect(lines[1]).toMatch(/^Could not latch the sentinel .*ELOOP/)
  expect(lines.slice(-3)).toEqual([
    'run-1: ended, 3 processes',
    lines[1],
    'All gone, but agents can still be started: stop the daemon with `pan down`.',
  ])
  expect(procs.filter(lives)).toEqual([])
})

test('run by an agent that took its tag off, it spares what started it, says so, and ends the rest', async () => {
  const { home, homeId } = trees.home()
  const procs = await trees.start(`${homeId}.run-1`, TREE, 2)
  const env = { PATH: process.env['PATH'] ?? '', CLOISTER_RUN: `${homeId}.run-2` }
  const inside = spawn(
    'sh',
    ['-c', `env -u CLOISTER_RUN '${process.execPath}' '${PROGRAM}' --home '${home}' --json; exit $?`],
    {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  let text = ''
  inside.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const code = await new Promise((done) => inside.on('close', done))
  const report = JSON.parse(text) as { runs: string[]; survivors: string[] }
  expect({ code, runs: report.runs, survivors: report.survivors }).toEqual({
    code: 1,
    runs: ['run-1'],
    survivors: [`${inside.pid} (sh), spared: this program or an ancestor of it`],
  })
  expect(procs.filter(lives)).toEqual([])
})

test('an agent of the home is refused, and one of another home is not', async () => {
  const { home, homeId } = trees.home()
  const procs = await trees.start(`${homeId}.run-1`, TREE, 2)
  const as = (tag: string) => ['env', `CLOISTER_RUN=${tag}`, process.execPath, PROGRAM, '--home', home]
  expect(await runProgram(as(`${homeId}.run-1`))).toEqual({
    code: 1,
    signal: null,
    lines: [],
    stderr:
      `Could not stop the agents of ${home}: this is the process of one of them (CLOISTER_RUN is set), which may only ` +
      'report on itself. Run it in a terminal of your own.\n',
  })
  expect([procs.filter(lives), existsSync(join(home, 'emergency-stop'))]).toEqual([procs, false])
  expect((await runProgram(as(`${homeId}x.run-1`))).code).toBe(0)
  expect(procs.filter(lives)).toEqual([])
})

test.each([
  { what: 'an unknown option', args: ['--hmoe', '/x'], says: /Unknown option '--hmoe'/ },
  { what: 'an argument too many', args: ['now'], says: /Unexpected argument 'now'/ },
  {
    what: 'a home that is not there',
    args: ['--home', '/nowhere'],
    says: /Could not stop the agents of \/nowhere: ENOENT/,
  },
])('refuses $what', async ({ args, says }) => {
  const { code, lines, stderr } = await stop(...args)
  expect({ code, lines }).toEqual({ code: 2, lines: [] })
  expect(stderr).toMatch(says)
  expect(stderr).toContain('Usage: emergency-stop')
})

test('refuses a home id that is garbage', async () => {
  const { home } = trees.home()
  writeFileSync(join(home, 'home.id'), '\0\0\0')
  const { code, stderr } = await stop('--home', home)
  expect(code).toBe(2)
  expect(stderr).toContain(`${join(home, 'home.id')} does not hold a home id`)
})

test('a full disk: the sentinel made beforehand is latched, all are ended, and it is re-armed', async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can mount a small disk for this test')
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshared = await runProgram(['unshare', '--mount', 'true'])
  ctx.skip(unshared.code !== 0, `a mount namespace is not allowed here: ${unshared.stderr}`)

  const { home, homeId } = trees.home()
  const procs = await trees.start(`${homeId}.run-1`, TREE, 2)
  const script = join(import.meta.dirname, 'full-disk.ts')
  const { lines, stderr, code } = await runProgram(['unshare', '--mount', process.execPath, script, home, homeId])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    written: 'ENOSPC',
    stop: { runs: ['run-1'], survivors: [], byRun: [{ run: 'run-1', ended: 3, survivors: [] }], problems: [] },
    latched: true,
    rearmed: true,
    withoutReady: [expect.stringMatching(/^Could not latch the sentinel .*ENOSPC/)],
  })
  expect(procs.filter(lives)).toEqual([])
})
