import { readdirSync, rmSync, statSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSpool } from '../../../src/adapters/spool/spool.ts'
import { gather } from '../../contract/spool-suite.ts'
import { installed, makeHookHome, QUIET, RUN, runHook, SHELLS, startHook, type HookHome } from './hook-runs.ts'

let place: HookHome

beforeEach(() => {
  place = makeHookHome()
})
afterEach(() => place.remove())

const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
/** More than a pipe holds: who does not read it all makes the writer fail. */
const bulk = 'x'.repeat(400_000)
const PAYLOADS = [
  { what: 'nothing', input: '' },
  { what: 'JSON', input: '{"tool_name":"Bash","tool_input":{"command":"echo \\"$(date)\\" `id` \'x\' $HOME \\\\n"}}' },
  { what: 'options', input: '-n -e %s %d \\c' },
  { what: 'no line end, then many', input: 'a\n\n\n' },
  { what: 'every byte, NUL and invalid UTF-8 among them', input: bytes },
  { what: '400 KB of them', input: Buffer.concat(Array.from({ length: 1_600 }, () => bytes)) },
  { what: 'a single line of 3 MB', input: 'x'.repeat(3_000_000) },
]

test.for(SHELLS)('$name is here to be tried', ({ under: [program] }, ctx) => {
  ctx.skip(!installed(program), `${program} is not installed`)
})

describe.each(SHELLS.filter(({ under }) => installed(under[0])))('report hook under $name', ({ under }) => {
  test.each(PAYLOADS)('copies $what as it is', async ({ input }) => {
    expect(await runHook({ home: place.home, args: ['PostToolUse'], input, under })).toEqual(QUIET)
    const { fresh, tmp } = place.files()
    expect({ fresh, tmp }).toEqual({
      fresh: [expect.stringMatching(/^h1\.run-1\.3\.PostToolUse\.\d+-\d+-\d+$/)],
      tmp: [],
    })
    expect(place.bodyOf(fresh[0] ?? '').equals(Buffer.from(input))).toBe(true)
    const modes = ['new', 'tmp'].map(
      (folder) => statSync(join(place.home, 'spool', folder, fresh[0] ?? '')).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o600])
  })

  test('an order is taken by exactly one of 20 stops at once', async () => {
    const order = `${'{"decision":"block"}'.repeat(2_000)}\n`
    writeFileSync(join(place.home, 'orders/run-1'), order)
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        runHook({ home: place.home, args: [n % 2 === 0 ? 'Stop' : 'PostToolBatch'], under }),
      ),
    )
    expect(ends.toSorted((a, b) => b.stdout.length - a.stdout.length)).toEqual([
      { ...QUIET, stdout: order },
      ...Array.from({ length: 19 }, () => QUIET),
    ])
    const { fresh, tmp, orders } = place.files()
    expect({ fresh: fresh.length, tmp, orders }).toEqual({ fresh: 20, tmp: [], orders: [] })
  })

  test('other kinds and other runs leave an order alone', async () => {
    writeFileSync(join(place.home, 'orders/run-1'), 'wait')
    const env = { ...RUN, CLOISTER_RUN: 'h1.run-2' }
    const ends = await Promise.all([
      runHook({ home: place.home, args: ['PostToolUse'], under }),
      runHook({ home: place.home, args: ['SubagentStop'], under }),
      runHook({ home: place.home, args: ['Stop'], env, under }),
      runHook({ home: place.home, args: ['--user', 'Stop'], env: {}, under }),
    ])
    expect({ ends, orders: place.files().orders }).toEqual({ ends: [QUIET, QUIET, QUIET, QUIET], orders: ['run-1'] })
  })

  test.each([
    { what: 'no kind', args: [] },
    { what: 'a kind that leads out', args: ['../../x'] },
    { what: 'a kind with a blank', args: ['Stop x'] },
    { what: 'no run', args: ['Stop'], env: {} },
    { what: 'no generation', args: ['Stop'], env: { CLOISTER_RUN: 'h1.run-1' } },
    { what: 'a run that leads out', args: ['Stop'], env: { ...RUN, CLOISTER_RUN: 'h1.../../x' } },
    { what: 'a run without a home', args: ['Stop'], env: { ...RUN, CLOISTER_RUN: 'run-1' } },
    { what: 'a run with a line break', args: ['Stop'], env: { ...RUN, CLOISTER_RUN: 'h1.run\n1' } },
    { what: 'a name of more than 200', args: ['Stop'], env: { ...RUN, CLOISTER_RUN: `h1.${'r'.repeat(200)}` } },
    { what: 'a user copy without a kind', args: ['--user'], env: {} },
  ])('leaves nothing behind with $what, and takes all of stdin', async ({ args, env = RUN }) => {
    expect(await runHook({ home: place.home, args, env, input: bulk, under })).toEqual(QUIET)
    expect(place.files()).toEqual({ fresh: [], tmp: [], orders: [], asks: [] })
  })

  test.each(['spool', 'spool/tmp', 'spool/new'])('goes on without %s, and takes all of stdin', async (folder) => {
    rmSync(join(place.home, folder), { recursive: true })
    writeFileSync(join(place.home, 'orders/run-1'), 'order')
    expect(await runHook({ home: place.home, args: ['Stop'], input: bulk, under })).toEqual({
      ...QUIET,
      stdout: 'order',
    })
  })

  test("in an agent the copy in a person's own settings is silent at once", async () => {
    const { code, stdout, stderr } = await runHook({ home: place.home, args: ['--user', 'Stop'], under })
    expect({ code, stdout, stderr, fresh: place.files().fresh }).toEqual({ code: 0, stdout: '', stderr: '', fresh: [] })
  })

  test("a person's own session reports as user", async () => {
    await runHook({ home: place.home, args: ['--user', 'Stop'], env: {}, under })
    expect(place.files().fresh).toEqual([expect.stringMatching(/^user\.user\.0\.Stop\.\d+-\d+-\d+$/)])
  })

  test("a person's own session reports to the home of its program, whatever it was started with", async () => {
    const env = { CLOISTER_SPOOL: '/nowhere', PANOPTICON_HOME: '/nowhere', HOME: '/nowhere' }
    await runHook({ home: place.home, args: ['--user', 'Stop'], env, under })
    expect(place.files().fresh).toHaveLength(1)
  })
})

test.each([
  { name: 'PANOPTICON_HOME', env: (home: string) => ({ PANOPTICON_HOME: home }) },
  { name: 'HOME', env: (home: string) => ({ HOME: join(home, 'bin') }) },
])('without CLOISTER_SPOOL the home is told by $name', async ({ name, env }) => {
  const { home } = place
  if (name === 'HOME') symlinkSync(home, join(home, 'bin/.panopticon'))
  await runHook({ home, args: ['Stop'], env: { ...RUN, CLOISTER_SPOOL: '', ...env(home) } })
  expect(place.files().fresh.length).toBe(1)
})

test('20 hooks at once, up to 400 KB each: none lost, none mixed, each offered once', async () => {
  const inputs = Array.from({ length: 20 }, (_, n) => `${n}:`.padEnd(20_000 * (n + 1), String.fromCodePoint(97 + n)))
  const spool = await openSpool({ home: place.home, homeId: 'h1' })
  try {
    const { all } = gather(spool, 20, (_, { id }) => spool.taken([id]))
    const ends = await Promise.all(inputs.map((input) => runHook({ home: place.home, args: ['PostToolUse'], input })))
    const bodies = (await all).map(({ body }) => body).toSorted((a, b) => a.length - b.length)
    expect(ends).toEqual(inputs.map(() => QUIET))
    expect(bodies.map((body, n) => body === inputs[n])).toEqual(inputs.map(() => true))
  } finally {
    await spool.close()
  }
  expect(readdirSync(join(place.home, 'spool/tmp'))).toEqual([])
  expect(place.files()).toEqual({ fresh: [], tmp: [], orders: [], asks: [] })
})

test('nobody reads: the reports wait, and come in order when somebody does', async () => {
  for (let n = 0; n < 12; n += 1) await runHook({ home: place.home, args: ['PreToolUse'], input: `report ${n}` })
  const spool = await openSpool({ home: place.home, homeId: 'h1' })
  try {
    const bodies = (await gather(spool, 12).all).map(({ body }) => body)
    expect(bodies).toEqual(Array.from({ length: 12 }, (_, n) => `report ${n}`))
  } finally {
    await spool.close()
  }
})

test('a hung daemon, which accepts and never takes, holds no hook up', async () => {
  const spool = await openSpool({ home: place.home, homeId: 'h1', window: { reports: 1, bytes: 1 } })
  try {
    spool.listen(() => false)
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => runHook({ home: place.home, args: ['Stop'], input: bulk })),
    )
    expect(ends).toEqual(Array.from({ length: 10 }, () => QUIET))
    expect(place.files().fresh.length).toBe(10)
  } finally {
    await spool.close()
  }
})

test('a hook that is killed in the middle leaves no half report', async () => {
  const { child, ended } = startHook({ home: place.home, args: ['Stop'], input: null })
  const drafted = appeared(join(place.home, 'spool/tmp'))
  child.stdin?.write('half')
  await drafted
  child.kill('SIGKILL')
  child.stdin?.end()
  await ended
  expect(place.files().fresh).toEqual([])
})

function appeared(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (readdirSync(folder).length === 0) return
      watcher.close()
      resolve()
    }
    const watcher = watch(folder, look)
    look()
  })
}
