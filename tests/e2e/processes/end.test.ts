/** Every way in which a child is known to outlive its agent, against real processes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lives, readStat } from '../../../src/adapters/process/proc-stat.ts'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { signal } from '../../../src/adapters/process/signal.ts'
import { Trees, type Proc } from './trees.ts'

let trees: Trees
let home: string
let homeId: string
let processes: ProcessTrees

beforeEach(() => {
  trees = new Trees()
  ;({ home, homeId } = trees.home())
  processes = new ProcessTrees({ home, homeId, askMs: 200, graceMs: 200, countMaxAgeMs: 0 })
})

afterEach(() => trees.remove())

const alive = (procs: readonly Proc[]) => procs.filter(lives).map(({ pid }) => pid)
const start = (run: string, script: string, count: number) => trees.start(`${homeId}.${run}`, script, count)

const hidden: { what: string; script: string; count: number }[] = [
  { what: 'a child', script: 'sleep 300 & say $!; wait', count: 1 },
  { what: 'a child by nohup', script: 'nohup sleep 300 >/dev/null 2>&1 & say $!; wait', count: 1 },
  { what: 'a child in a session of its own', script: `setsid sh -c 'echo $$ >&3; exec sleep 300' & wait`, count: 1 },
  { what: 'an orphan by double fork', script: '(sleep 300 & say $!); wait; exec sleep 300', count: 1 },
  {
    what: 'an orphan by double fork in a session of its own, whose leader is gone',
    script: `(setsid sh -c 'sleep 300 & echo $! >&3' &); exec sleep 300`,
    count: 1,
  },
  { what: 'one that ignores SIGHUP', script: `trap '' HUP; sleep 300 & say $!; wait`, count: 1 },
  { what: 'one that ignores SIGTERM', script: `trap '' TERM; sleep 300 & say $!; wait; sleep 300`, count: 1 },
  { what: 'one that ignores both', script: `trap '' HUP TERM; sleep 300 & say $!; wait; sleep 300`, count: 1 },
  {
    what: 'a shell that starts another when its child is killed',
    script: `trap '' HUP TERM; say $$; while :; do sleep 300; done`,
    count: 1,
  },
  { what: 'a stopped child', script: 'sleep 300 & kill -STOP $!; say $!; wait', count: 1 },
  {
    what: 'a stopped child that ignores SIGTERM',
    script: `trap '' TERM; sleep 300 & kill -STOP $!; say $!; wait`,
    count: 1,
  },
  { what: 'many children', script: 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 300 & say $!; done; wait', count: 10 },
]

test.each(hidden)('ends $what', async ({ script, count }) => {
  const procs = await start('run-1', script, count)
  const bystanders = [
    ...(await trees.start(undefined, 'say $$; exec sleep 300', 1)),
    ...(await start('run-18', 'say $$; exec sleep 300', 1)),
  ]
  expect(alive(procs)).toHaveLength(procs.length)
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect({ left: alive(procs), bystanders: alive(bystanders) }).toEqual({
    left: [],
    bystanders: bystanders.map(({ pid }) => pid),
  })
})

test.each(hidden)('an emergency stop ends $what', async ({ script, count }) => {
  const procs = await start('run-1', script, count)
  const stop = await processes.stopFleet()
  expect(stop).toEqual({
    runs: ['run-1'],
    survivors: [],
    byRun: [{ run: 'run-1', ended: stop.byRun[0]?.ended, survivors: [] }],
    problems: [],
  })
  expect(alive(procs)).toEqual([])
})

test('asks with SIGTERM first, and a stopped process hears it', async () => {
  const note = join(home, 'note')
  const polite = `trap 'echo asked >>${note}; exit' TERM; say $$`
  await start('run-1', `${polite}; while :; do sleep 0.02; done`, 1)
  const [stopped] = await start('run-1', `${polite}; kill -STOP $$; while :; do sleep 0.02; done`, 1)
  await vi.waitFor(() => expect(readStat(stopped?.pid ?? 0)?.state).toBe('T'))
  const patient = new ProcessTrees({ home, homeId, askMs: 10_000, graceMs: 10_000 })
  expect(await patient.end('run-1')).toEqual({ survivors: [] })
  expect(readFileSync(note, 'utf8')).toBe('asked\nasked\n')
})

test('asks the program alone at first: what it starts at its end is not cut off', async () => {
  const [script, record] = [join(home, 'at-end'), join(home, 'record')]
  // Longer than the time after which processes are counted again and new ones are found.
  writeFileSync(script, `#!/bin/sh\nsleep 0.6\necho whole >${record}\n`, { mode: 0o700 })
  const procs = await start('run-1', `trap '${script}; exit' TERM; sleep 300 & say $!; wait`, 1)
  const patient = new ProcessTrees({ home, homeId, askMs: 10_000 })
  expect(await patient.end('run-1')).toEqual({ survivors: [] })
  expect({ left: alive(procs), record: readFileSync(record, 'utf8') }).toEqual({ left: [], record: 'whole\n' })
})

test('ends processes that fork while they are killed', async () => {
  // Each lives 20 ms and starts the next; at most 400 in all, so that a failed test ends by itself.
  const hop = join(home, 'hop')
  writeFileSync(hop, `#!/bin/sh\nsleep 0.02\n[ $1 -gt 0 ] && "$0" $(($1-1)) &\n`, { mode: 0o700 })
  const fork = `trap '' TERM; say $$; n=0; while [ $n -lt 40 ]; do sleep 300 & n=$((n+1)); sleep 0.01; done; wait`
  await start('run-1', `(trap '' TERM; ${hop} 400 &); (trap '' TERM; ${hop} 400 &); ${fork}`, 1)
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(await processes.lookAt('run-1')).toEqual({ alive: false })
  await start('run-2', `(trap '' TERM; ${hop} 400 &); (trap '' TERM; ${hop} 400 &); ${fork}`, 1)
  expect(await processes.stopFleet()).toMatchObject({ runs: ['run-2'], survivors: [] })
  expect(await processes.lookAt('run-2')).toEqual({ alive: false })
})

test('finds a child without the tag through its parent, and goes on knowing it when the parent is gone', async () => {
  const [leader, child] = await start('run-1', 'env -i setsid sleep 300 & say $!; wait', 1)
  await vi.waitFor(() => expect(readStat(child?.pid ?? 0)?.session).toBe(child?.pid))
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  process.kill(leader?.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(alive(leader === undefined ? [] : [leader])).toEqual([]))
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(alive(child === undefined ? [] : [child])).toEqual([])
})

test('finds an orphan without the tag through the session that its leader opened', async () => {
  const [go, pid] = [join(home, 'go'), join(home, 'pid')]
  const script = `say $$; until [ -e ${go} ]; do sleep 0.02; done
    (env -i sleep 300 & echo $! >${pid}.tmp)
    mv ${pid}.tmp ${pid}; exec sleep 300`
  const [leader] = await start('run-1', script, 1)
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  writeFileSync(go, '')
  await vi.waitFor(() => expect(existsSync(pid)).toBe(true))
  const orphan = trees.know(Number(readFileSync(pid, 'utf8')))
  expect(readStat(orphan.pid)).toMatchObject({ session: leader?.pid })
  expect(readStat(orphan.pid)?.parent).not.toBe(leader?.pid)
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(alive([orphan])).toEqual([])
})

test('goes on knowing a process that throws its tag away', async () => {
  const procs = await start('run-1', 'trap : USR1; say $$; sleep 300 & wait; exec env -i sleep 299', 1)
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  const pid = procs[0]?.pid ?? 0
  process.kill(pid, 'SIGUSR1')
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toBe('sleep\u0000299\u0000'))
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('')
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(alive(procs)).toEqual([])
})

test('a process that takes on the tag of another home is no longer ours', async () => {
  const other = trees.home()
  const script = `say $$; until [ -e ${home}/go ]; do sleep 0.02; done
    export CLOISTER_RUN=${other.homeId}.run-1; exec sleep 299`
  const [theirs] = await start('run-1', script, 1)
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  writeFileSync(join(home, 'go'), '')
  await vi.waitFor(() => expect(readStat(theirs?.pid ?? 0)?.command).toBe('sleep'))
  await vi.waitFor(async () => expect(await processes.lookAt('run-1')).toEqual({ alive: false }))
  expect(await processes.stopFleet()).toMatchObject({ runs: [], survivors: [] })
  expect(alive(theirs === undefined ? [] : [theirs])).toEqual([theirs?.pid])
})

test('a pid whose start time differs is another process and is left alone', async () => {
  const procs = await trees.start(undefined, 'say $$; exec sleep 300', 1)
  for (const { pid, startedAt } of procs) {
    for (const wrong of [startedAt - 1, startedAt + 1]) {
      expect(signal({ pid, startedAt: wrong }, 'SIGKILL')).toBe(false)
    }
    expect(signal({ pid, startedAt, spared: 'of another user' }, 'SIGKILL')).toBe(false)
  }
  expect(alive(procs)).toEqual(procs.map(({ pid }) => pid))
})

test('look-alike tags are left alone', async () => {
  const other = trees.home()
  const tags = [
    `${homeId}.run-18`,
    `${homeId}x.run-1`,
    `x${homeId}.run-1`,
    `${homeId.slice(0, -1)}.run-1`,
    `${homeId}-run-1`,
    `${other.homeId}.run-1`,
    `${other.homeId}.${homeId}.run-1`,
  ]
  const lookAlikes: Proc[] = []
  for (const tag of tags) lookAlikes.push(...(await trees.start(tag, 'say $$; exec sleep 300', 1)))
  const mentions = `export NOTE=CLOISTER_RUN=${homeId}.run-1 XCLOISTER_RUN=${homeId}.run-1
    exec sh -c 'echo $$ >&3; exec sleep 300'`
  lookAlikes.push(...(await trees.start(undefined, mentions, 1)))
  await start('run-1', 'say $$; exec sleep 300', 1)

  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(alive(lookAlikes)).toEqual(lookAlikes.map(({ pid }) => pid))
  expect(await processes.stopFleet()).toMatchObject({ runs: ['run-18'], survivors: [] })
  const ours = lookAlikes.slice(0, 2)
  expect(alive(lookAlikes)).toEqual(lookAlikes.slice(ours.length).map(({ pid }) => pid))
})

test('a tree of another home inside ours is not ours', async () => {
  const other = trees.home()
  const nested = `CLOISTER_RUN=${other.homeId}.run-1 sh -c 'sleep 300 & echo $! >&3; env -i sleep 300 & echo $! >&3; wait' & say $!; wait`
  const [leader, ...theirs] = await start('run-1', nested, 3)
  expect(await processes.end('run-1')).toEqual({ survivors: [] })
  expect(alive(leader === undefined ? [] : [leader])).toEqual([])
  expect(alive(theirs)).toEqual(theirs.map(({ pid }) => pid))
})

test('two homes stop each their own', async () => {
  const other = trees.home()
  const ours = await start('run-1', 'sleep 300 & say $!; wait', 1)
  const theirs = await trees.start(`${other.homeId}.run-1`, 'sleep 300 & say $!; wait', 1)
  const third = trees.home()
  const bystanders = await trees.start(`${third.homeId}.run-1`, 'sleep 300 & say $!; wait', 1)
  const others = new ProcessTrees(other)
  const stops = await Promise.all([processes.stopFleet(), others.stopFleet()])
  expect(stops.map(({ runs, survivors }) => ({ runs, survivors }))).toEqual([
    { runs: ['run-1'], survivors: [] },
    { runs: ['run-1'], survivors: [] },
  ])
  expect([alive(ours), alive(theirs)]).toEqual([[], []])
  expect(alive(bystanders)).toEqual(bystanders.map(({ pid }) => pid))
})

test("another user's process is named and left alone", async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can start a process of another user')
  const script = `setpriv --reuid 65534 --clear-groups sh -c 'echo $$ >&3; exec sleep 300' & wait`
  const [, theirs] = await start('run-1', script, 1)
  const named = [`${theirs?.pid} (sleep), spared: of another user, uid 65534`]
  expect(await processes.end('run-1')).toEqual({ survivors: named })
  expect(await processes.lookAt('run-1')).toMatchObject({ alive: true })
  expect(await processes.stopFleet()).toEqual({
    runs: [],
    survivors: named,
    byRun: [{ run: 'run-1', ended: 0, survivors: named }],
    problems: [],
  })
  expect(alive(theirs === undefined ? [] : [theirs])).toEqual([theirs?.pid])
})

test('one count serves all questions of a moment, and a death in between is seen all the same', async () => {
  const patient = new ProcessTrees({ home, homeId, countMaxAgeMs: 60_000 })
  const procs = await start('run-1', 'sleep 300 & say $!; wait', 1)
  const looks = await Promise.all(Array.from({ length: 500 }, () => patient.lookAt('run-1')))
  expect(new Set(looks.map(({ alive: lives }) => lives))).toEqual(new Set([true]))
  expect(await patient.lookAt('run-1')).toMatchObject({ alive: true })
  await start('run-2', 'say $$; exec sleep 300', 1)
  expect(await patient.lookAt('run-2')).toMatchObject({ alive: true })
  for (const { pid } of procs) process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(alive(procs)).toEqual([]))
  expect(await patient.lookAt('run-1')).toEqual({ alive: false })
})
