import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileMailbox } from '../../../src/adapters/spool/mailbox.ts'
import { openSpool } from '../../../src/adapters/spool/spool.ts'
import { gather } from '../../contract/spool-suite.ts'
import {
  installed,
  makeHookHome,
  QUIET,
  RUN,
  runHook,
  SHELLS,
  startAsk,
  startHook,
  type HookHome,
} from './hook-runs.ts'

let place: HookHome
let mailbox: FileMailbox

beforeEach(() => {
  place = makeHookHome()
  mailbox = new FileMailbox(place.home)
})
afterEach(() => place.remove())

describe.each(SHELLS.filter(({ under }) => installed(under[0])))('ask hook under $name', ({ under }) => {
  test('reports, waits, prints the answer and leaves nothing behind', async () => {
    const input = `{"tool_name":"Bash","x":"${'y'.repeat(100_000)}"}`
    const { ask, ended } = await startAsk({ home: place.home, input, under })
    const before = place.files()
    expect(before).toEqual({
      fresh: [`h1.run-1.3.PermissionRequest.${ask}`],
      tmp: [],
      orders: [],
      asks: [`run-1.${ask}`],
    })
    expect(place.bodyOf(before.fresh[0] ?? '').toString()).toBe(input)
    const answer = '{"hookSpecificOutput":{"decision":{"behavior":"allow","x":"a\\\\b  \\t$HOME %s"}}} '
    expect(await mailbox.answer('run-1', ask, answer)).toEqual({ result: 'done' })
    expect(await ended).toEqual({ ...QUIET, stdout: `${answer}\n` })
    expect(place.files()).toEqual({ ...before, asks: [] })
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('%s ends it, and its FIFO with it', async (signal) => {
    const { child, ended, ask } = await startAsk({ home: place.home, under })
    // A shell misses a signal that comes between its last check and its read; the next one finds it reading.
    const again = setInterval(() => child.kill(signal), 100)
    child.kill(signal)
    expect(await ended).toEqual(QUIET)
    clearInterval(again)
    expect(place.files()).toEqual({ ...place.files(), tmp: [], asks: [] })
    expect((await mailbox.answer('run-1', ask, '{}')).result).toBe('not_done')
  })

  test.each([
    { what: 'outside an agent', env: {} },
    { what: 'with a run that leads out', env: { ...RUN, CLOISTER_RUN: 'h1.../x' } },
  ])('$what it is silent', async ({ env }) => {
    const end = await runHook({ home: place.home, program: 'ask-hook', input: 'x'.repeat(400_000), env, under })
    expect({ end, files: place.files() }).toEqual({ end: QUIET, files: { fresh: [], tmp: [], orders: [], asks: [] } })
  })

  test.each(['spool', 'spool/new', 'spool/tmp'])(
    'without %s nobody will answer, so it does not wait',
    async (folder) => {
      rmSync(join(place.home, folder), { recursive: true })
      const end = await runHook({ home: place.home, program: 'ask-hook', input: 'x'.repeat(400_000), under })
      mkdirSync(join(place.home, 'spool/new'), { recursive: true })
      mkdirSync(join(place.home, 'spool/tmp'), { recursive: true })
      expect({ end, files: place.files() }).toEqual({ end: QUIET, files: { fresh: [], tmp: [], orders: [], asks: [] } })
    },
  )

  test('without a place for its FIFO it still reports', async () => {
    rmSync(join(place.home, 'asks'), { recursive: true })
    expect(await runHook({ home: place.home, program: 'ask-hook', under })).toEqual(QUIET)
    mkdirSync(join(place.home, 'asks'))
    expect(place.files().fresh.length).toBe(1)
  })
})

test('the daemon sees the ask id in the report, and may answer at once', async () => {
  const spool = await openSpool({ home: place.home, homeId: 'h1' })
  try {
    const { all } = gather(spool, 1)
    const { ended } = startHook({ home: place.home, program: 'ask-hook', input: '{}' })
    const [report] = await all
    const ask = report?.id.split('.').at(-1) ?? ''
    expect(await mailbox.answer('run-1', ask, '{"now":true}')).toEqual({ result: 'done' })
    expect(await ended).toEqual({ ...QUIET, stdout: '{"now":true}\n' })
  } finally {
    await spool.close()
  }
})

describe('a FIFO that is none of a waiting hook', () => {
  const notDone = (why: RegExp) => ({ result: 'not_done', detail: expect.stringMatching(why) as string })
  const path = () => join(place.home, 'asks/run-1.ask-1')

  test('of a hook that was killed: nobody waits, and it is removed', async () => {
    const { child, ended, ask } = await startAsk({ home: place.home })
    child.kill('SIGKILL')
    await ended
    expect(place.files().asks).toEqual([`run-1.${ask}`])
    expect(await mailbox.answer('run-1', ask, '{}')).toEqual(notDone(/nobody waits/))
    expect(place.files().asks).toEqual([])
  })

  test('an ordinary file is refused and unchanged', async () => {
    writeFileSync(path(), 'precious')
    expect(await mailbox.answer('run-1', 'ask-1', '{}')).toEqual(notDone(/is not a FIFO of yours/))
    expect(readFileSync(path(), 'utf8')).toBe('precious')
  })

  test('a link to a file is refused', async () => {
    writeFileSync(join(place.home, 'precious'), 'precious')
    symlinkSync(join(place.home, 'precious'), path())
    expect(await mailbox.answer('run-1', 'ask-1', '{}')).toEqual(notDone(/is not a FIFO of yours/))
    expect(readFileSync(join(place.home, 'precious'), 'utf8')).toBe('precious')
  })

  test("another user's FIFO is refused", async (ctx) => {
    ctx.skip(process.getuid?.() !== 0, 'only root can make a file of another user')
    execFileSync('/usr/bin/mkfifo', [path()])
    execFileSync('/bin/chown', ['65534', path()])
    expect(await mailbox.answer('run-1', 'ask-1', '{}')).toEqual(notDone(/is not a FIFO of yours/))
  })

  test('without the folder nobody waits', async () => {
    rmSync(join(place.home, 'asks'), { recursive: true })
    expect(await mailbox.answer('run-1', 'ask-1', '{}')).toEqual(notDone(/nobody waits/))
  })

  test('sweeping removes old ones that nobody reads, and keeps those that wait', async () => {
    const waits = await startAsk({ home: place.home })
    execFileSync('/usr/bin/mkfifo', [path()])
    await mailbox.sweep()
    expect(place.files().asks).toEqual([`run-1.${waits.ask}`, 'run-1.ask-1'])
    await mailbox.sweep(Date.now() + 120_000)
    expect(place.files().asks).toEqual([`run-1.${waits.ask}`])
    await mailbox.answer('run-1', waits.ask, '')
    expect(await waits.ended).toEqual(QUIET)
  })
})

test('the draft of an order that a daemon was killed over is swept away; orders and drafts of its own are kept', async () => {
  const own = `.run-1.${process.pid}-1`
  for (const name of ['run-1', own, '.run-1.1-1']) writeFileSync(join(place.home, 'orders', name), 'x')
  await mailbox.sweep()
  expect(place.files().orders.toSorted()).toEqual([own, 'run-1'])
})

test('an order that cannot be left is told', async () => {
  rmSync(join(place.home, 'orders'), { recursive: true })
  expect(await mailbox.order('run-1', 'x')).toEqual({
    result: 'not_done',
    detail: expect.stringMatching(/^Nothing was handed over: the order could not be left in .*ENOENT/) as string,
  })
})
