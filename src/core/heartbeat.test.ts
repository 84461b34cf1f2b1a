import { expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import type { AgentRecord } from '../contract/records.ts'
import { MINUTE, SECOND } from './durations.ts'
import { contextView, doingView, heartbeatView } from './heartbeat.ts'

const NOW = 20 * MINUTE
const seen = (agoMs: number) => ({ seenAt: NOW, changedAt: NOW - agoMs })
const activities = [{ ts: '2026-01-20T22:00:00Z', tool: 'Bash', action: 'Bash: npm test', state: 'active' as const }]

function beat(evidence: AgentRecord['evidence']) {
  const view = heartbeatView(agentRecord({ evidence, activities }), NOW, 5 * MINUTE)
  if (view === undefined) return undefined
  const { sources, ...rest } = view
  return { ...rest, sources: sources.map(({ witness, source }) => `${witness} ${source}`) }
}

test('nobody has seen it, or only that it lives', () => {
  expect(beat({})).toBeUndefined()
  expect(beat({ process: { ...seen(0), alive: true }, registry: seen(0) })).toBeUndefined()
})

test('a fresh report comes before all else', () => {
  expect(beat({ hook: seen(4 * MINUTE), terminal: seen(SECOND) })).toEqual({
    source: 'active',
    confidence: 'high',
    witness: 'hook',
    ageMs: 4 * MINUTE,
    tool: 'Bash',
    action: 'Bash: npm test',
    sources: ['terminal passive', 'hook active'],
  })
})

test('after an old one it is what is seen from outside, and says less', () => {
  expect(beat({ hook: seen(6 * MINUTE), git: seen(3 * MINUTE), transcript: seen(2 * MINUTE) })).toEqual({
    source: 'passive',
    confidence: 'medium',
    witness: 'transcript',
    ageMs: 2 * MINUTE,
    tool: null,
    action: null,
    sources: ['transcript passive', 'git passive', 'hook active'],
  })
})

test('an old report that is still the newest is no more than that', () => {
  expect(beat({ hook: seen(6 * MINUTE), terminal: seen(7 * MINUTE) })).toMatchObject({
    source: 'active',
    confidence: 'medium',
    ageMs: 6 * MINUTE,
  })
})

test('what it does is told with its source and age', () => {
  const evidence: AgentRecord['evidence'] = {
    hook: { ...seen(MINUTE), doing: { kind: 'tool', name: 'Bash', boundMs: 1 }, doingAt: NOW - MINUTE },
    registry: { ...seen(SECOND), doing: { kind: 'idle' }, doingAt: NOW - SECOND },
  }
  expect(doingView(agentRecord({ evidence }), NOW)).toEqual({ kind: 'idle', witness: 'registry', ageMs: SECOND })
  const { hook = seen(0) } = evidence
  expect(doingView(agentRecord({ evidence: { hook } }), NOW)).toEqual({
    kind: 'tool',
    what: 'Bash',
    witness: 'hook',
    ageMs: MINUTE,
  })
  expect(doingView(agentRecord(), NOW)).toBeUndefined()
})

test('the share of a context is known where its window is', () => {
  const view = (context: { tokens: number; window?: number }) =>
    contextView(
      agentRecord({ gauges: { context: { ...context, source: 'transcript' }, contextAt: NOW - SECOND } }),
      NOW,
    )
  expect(view({ tokens: 172_000, window: 200_000 })).toEqual({
    tokens: 172_000,
    window: 200_000,
    source: 'transcript',
    share: 0.86,
    ageMs: SECOND,
  })
  expect(view({ tokens: 172_000 })).toEqual({ tokens: 172_000, source: 'transcript', ageMs: SECOND })
  expect(contextView(agentRecord(), NOW)).toBeUndefined()
})
