/** A process that is killed at any write, or whose disk fails at any sync, loses nothing that it had confirmed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { bundleVictim, confirmedBy, installed, judge, run, type Run } from './victim-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'cloister-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

let victim: (...args: readonly string[]) => string[]

beforeAll(async () => {
  victim = await bundleVictim(join(folder, 'program'))
  // Compiled now, it writes nothing of its own later.
  await run(victim(join(folder, 'first'), '1', '1'))
})

const AT_ONCE = 2
const BATCHES = 3

/** Injects the fault at call 1, 2, 3, … until runs go through untouched. Returns all runs that did not. */
async function sweep(name: string, call: string, fault: (n: number) => string): Promise<Run[]> {
  const hurt: Run[] = []
  for (let first = 1; ; first += AT_ONCE) {
    const runs = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const n = first + index
        const home = join(folder, `${name}-${n}`)
        const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault(n)}`]
        const strace = ['strace', '-f', '-qq', '-o', join(folder, 'strace.log'), ...inject]
        return { home, run: await run([...strace, ...victim(home, String(BATCHES), '2')]) }
      }),
    )
    for (const { home, run: each } of runs) {
      judge(home, confirmedBy(each))
      rmSync(home, { recursive: true })
    }
    const ended = runs.map((each) => each.run).filter(({ lines }) => lines.at(-1) !== 'closed')
    if (ended.length === 0) return hurt
    hurt.push(...ended)
  }
}

/** When a run ended, seen from its commits. */
function momentOf(ended: Run): 'before' | 'between' | 'after' {
  const confirmed = confirmedBy(ended)
  if (confirmed === 0) return 'before'
  return confirmed < BATCHES ? 'between' : 'after'
}

function needStrace(ctx: TestContext): void {
  ctx.skip(!installed('strace'), 'strace is not installed: apt install strace')
}

/** All calls by which SQLite and the publisher change files. strace counts each of them by itself. */
test.for([
  { call: 'pwrite64', atLeast: 50, moments: ['before', 'between', 'after'] },
  { call: 'fsync', atLeast: 6, moments: ['before', 'between', 'after'] },
  { call: 'write', atLeast: 3, moments: [] },
  { call: 'ftruncate', atLeast: 1, moments: [] },
  { call: 'unlink', atLeast: 1, moments: ['after'] },
  { call: 'rename', atLeast: 1, moments: ['before'] },
])('killed at every $call', { timeout: 600_000 }, async ({ call, atLeast, moments }, ctx) => {
  needStrace(ctx)
  const killed = await sweep(call, call, (n) => `signal=KILL:when=${n}`)
  expect(killed.map(({ signal }) => signal)).toEqual(killed.map(() => 'SIGKILL'))
  expect(killed.length).toBeGreaterThanOrEqual(atLeast)
  expect(killed.map(momentOf)).toEqual(expect.arrayContaining(moments))
})

test('a disk that fails from any fsync on', { timeout: 300_000 }, async (ctx) => {
  needStrace(ctx)
  const failed = await sweep('failing', 'fsync', (n) => `error=EIO:when=${n}+`)
  const clear = /^Error: Could not (create|open|write to) the journal \S+: (disk I\/O error|EIO: i\/o error, fsync)\. /
  expect(failed.filter(({ stderr }) => !clear.test(stderr))).toEqual([])
  expect(failed.length).toBeGreaterThan(6)
  expect(failed.map(momentOf)).toEqual(expect.arrayContaining(['before', 'between']))
})

test('killed at 25 random moments, one after the other, on the same journal', { timeout: 120_000 }, async () => {
  const home = join(folder, 'random')
  const next = seeded(25)
  let count = 0
  for (let round = 1; round <= 25; round += 1) {
    const killAfter = 1 + Math.floor(next() * 120)
    const each = await run(victim(home, '1000000', String(1 + Math.floor(next() * 8))), killAfter)
    expect({ round, signal: each.signal, stderr: each.stderr }).toEqual({ round, signal: 'SIGKILL', stderr: '' })
    expect(confirmedBy(each)).toBeGreaterThan(count)
    count = judge(home, confirmedBy(each))
  }
})

/** Park and Miller's generator: the same moments in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
