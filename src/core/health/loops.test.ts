import { describe, expect, test } from 'vitest'
import { agentRecord } from '../../../tests/samples/agents.ts'
import type { Trace } from '../../contract/evidence.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { loopOf } from './loops.ts'
import type { CallTrace } from '../../contract/trace.ts'
import { isNovel } from './trail.ts'

/** Steps a few seconds apart; what was new last happened at the first one, as its novelty was progress. */
function found(traces: readonly Trace[], { everyMs = 5 * SECOND, turnAt = -1, costUsd = 0, progressedAt = 1 } = {}) {
  const steps = traces.map((trace, n) => ({ at: n * everyMs + 1, trace: { ...trace, wallAt: n * everyMs } }))
  const agent = agentRecord({
    progressedAt,
    trail: { steps, turnAt, progressUsd: 0 },
    gauges: { sessionCostUsd: costUsd },
  })
  return loopOf(agent, traces.length * everyMs)
}

function call(name: string, more: Partial<CallTrace> = {}): Trace {
  return { kind: 'call', tool: 'Bash', call: name, result: 'r', ok: true, wallAt: 0, ...more }
}

function times(count: number, traceOf: (n: number) => Trace): Trace[] {
  return Array.from({ length: count }, (_, n) => traceOf(n))
}

const failing = (name: string, more: Partial<CallTrace> = {}) => call(name, { ok: false, ...more })
const waiting = (n: number) => call('a', { waits: true, wallAt: n })
const compaction: Trace = { kind: 'compaction', wallAt: 0 }
const text = (text: string, times = 1): Trace => ({ kind: 'text', text, times, wallAt: 0 })

describe('what is a loop', () => {
  test.each<[string, readonly Trace[], Parameters<typeof found>[1], string]>([
    ['the same call and result', times(8, () => call('a')), {}, 'Bash, with the same results ×8'],
    ['two in turns', times(10, (n) => call(n % 2 === 0 ? 'a' : 'b')), {}, 'Bash in turns, with the same results ×11'],
    ['three in a round', times(14, (n) => call(`${n % 3}`)), {}, 'Bash in turns, with the same results ×16'],
    [
      'six in a round',
      times(20, (n) => call(`${n % 6}`)),
      { progressedAt: 26 * SECOND },
      '6 calls in turns, with the same results ×20',
    ],
    [
      'nine in a round',
      times(28, (n) => call(`${n % 9}`)),
      { progressedAt: 41 * SECOND },
      '9 calls in turns, with the same results ×28',
    ],
    ['the same failure', times(5, () => failing('a')), {}, 'Bash fails in the same way ×5'],
    [
      'whatever it calls fails alike',
      times(12, (n) => failing(`${n}`)),
      { progressedAt: 10 * MINUTE },
      'every call fails in the same way ×12',
    ],
    ['identical searches', times(8, () => call('a', { like: 'grep' })), {}, 'Bash, with the same results ×8'],
    ['waits, but for too long', times(48, waiting), { everyMs: 3 * MINUTE }, 'Bash, with the same results ×48'],
    ['hardly waits', times(48, waiting), { everyMs: 13 * SECOND }, 'Bash, with the same results ×48'],
    ['one compaction after the other', [call('a'), compaction, compaction], {}, 'compacting ×2'],
    ['three compactions', [compaction, call('a'), compaction, call('b'), compaction], {}, 'compacting ×3'],
    ['a flood', [call('a'), text('t', 400)], {}, 'the same words in one answer ×400'],
    ['the same answer', times(6, () => text('t')), {}, 'the same answer ×5'],
    ['money without progress', [call('a')], { costUsd: 12.5 }, '$12.50 spent without progress ×1'],
  ])('%s', (_, traces, given, expected) => {
    const loop = found(traces, given)
    expect(`${loop?.what} ×${loop?.times}`).toBe(expected)
  })
})

describe('what is none', () => {
  test.each<[string, readonly Trace[], Parameters<typeof found>[1]]>([
    ['a few times the same', times(7, () => call('a')), {}],
    ['a few failures', times(4, () => failing('a')), {}],
    ['files read again after a compaction', [compaction, ...times(12, (n) => call(`${n}`))], {}],
    ['many files read again after a compaction', [compaction, ...times(20, (n) => call(`${n}`))], {}],
    ['ten in a round, once more', times(20, (n) => call(`${n % 10}`)), {}],
    ['asks every minute, for a while', times(40, waiting), { everyMs: MINUTE }],
    ['asks every two minutes, for an hour', times(30, waiting), { everyMs: 2 * MINUTE }],
    ['different searches that find nothing', times(30, (n) => call(`${n}`, { like: 'grep' })), {}],
    ['different searches that fail', times(30, (n) => failing(`${n}`, { like: 'grep' })), {}],
    ['waits for a server', times(40, (n) => ({ ...waiting(n), ok: false }) as Trace), { everyMs: 4 * SECOND }],
    ['several who do the same', times(18, (n) => call('a', { actor: `${n % 6}` })), {}],
    ['a new task', times(12, () => call('a')), { turnAt: 10 * MINUTE }],
    ['progress after it', times(12, () => call('a')), { progressedAt: 10 * MINUTE }],
    [
      'it works again after three compactions',
      [compaction, compaction, compaction, ...times(3, (n) => call(`${n}`))],
      {},
    ],
    ['compactions with work between', [compaction, call('a'), compaction], {}],
    ['short answers to many tasks', times(9, () => text('done')), { turnAt: 30 * SECOND }],
    ['money with progress', [call('a')], { costUsd: 9 }],
  ])('%s', (_, traces, given) => {
    expect(found(traces, given)).toBeUndefined()
  })
})

test.each<[string, Partial<CallTrace>, boolean]>([
  ['the same again', {}, false],
  ['another result', { result: 'other' }, true],
  ['another call', { call: 'b' }, true],
  ['another search that finds the same', { call: 'b', like: 'grep' }, false],
  ['another search that finds something', { call: 'b', like: 'grep', result: 'other' }, true],
])('%s is novel: %s', (_, more, expected) => {
  const before = call('a', { like: 'grep' })
  const agent = agentRecord({ trail: { steps: [{ at: 1, trace: before }] } })
  const sighting = { agent: agent.id, generation: 1, witness: 'hook', trace: call('a', more) } as const
  expect(isNovel(agent, sighting)).toBe(expected)
})
