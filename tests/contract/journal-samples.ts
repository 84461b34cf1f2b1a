/** Valid records, events and batches for the journal's tests. */
import type { Effect } from '../../src/contract/effects.ts'
import type { Event } from '../../src/contract/events.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { HouseRecord } from '../../src/contract/house-record.ts'
import type { Batch } from '../../src/core/ports.ts'
import { agentRecord } from '../samples/agents.ts'

export function sampleAgent(id: string, changes: Partial<AgentRecord> = {}): AgentRecord {
  return agentRecord({ id, workspace: `/workspaces/${id}`, ...changes })
}

export function sampleHouse(seq: number): HouseRecord {
  return {
    seq,
    observedAt: seq,
    wallAt: 1_000 + seq,
    monitoring: 'running',
    emergency: { state: 'armed', attempts: 0, survivors: [] },
    needsYou: [],
  }
}

/** With an agent an event of that agent, else one of the house. */
export function sampleEvent(seq: number, agent?: string): Event {
  const stamp = { seq, at: 1_000 + seq, observedAt: seq }
  if (agent === undefined) return { ...stamp, type: 'house.blinded', why: `look ${seq} failed` }
  return { ...stamp, agent, generation: 1, type: 'agent.fenced', reported: 0 }
}

export function sampleEffect(id: string, agent = 'pan-1'): Effect {
  return { id, agent, generation: 1, type: 'session.type', text: `text of ${id}`, nonce: id }
}

export function sampleBatch(seq: number, changes: Partial<Batch> = {}): Batch {
  return {
    events: [],
    effects: [],
    settled: [],
    agents: [],
    forgotten: [],
    house: sampleHouse(seq),
    seen: [],
    ...changes,
  }
}

/**
 * The k-th batch (from 1) of a history in which everything can be told from k: two events, one effect, the
 * outcome of the effect before it, the newest state of one of three agents, one input id.
 */
export function historyBatch(k: number): Batch {
  const agent = `pan-${k % 3}`
  return sampleBatch(2 * k, {
    events: [sampleEvent(2 * k - 1, agent), sampleEvent(2 * k)],
    effects: [sampleEffect(`e${k}`, agent)],
    settled: k === 1 ? [] : [{ effect: `e${k - 1}`, outcome: 'done' }],
    agents: [sampleAgent(agent, { generation: k })],
    seen: [`in-${k}`],
  })
}

/** What a journal must hold after the first `count` batches of that history, and nothing else. */
export function historyAfter(count: number) {
  const ks = Array.from({ length: count }, (_, index) => index + 1)
  const newest = ks.slice(-3).toSorted((a, b) => (a % 3) - (b % 3))
  return {
    recovered: {
      house: count === 0 ? undefined : sampleHouse(2 * count),
      agents: newest.map((k) => sampleAgent(`pan-${k % 3}`, { generation: k })),
      openEffects: count === 0 ? [] : [sampleEffect(`e${count}`, `pan-${count % 3}`)],
      seen: ks.map((k) => `in-${k}`),
    },
    events: ks.flatMap((k) => historyBatch(k).events),
  }
}

/** A short night: pan-0 is judged, pan-1 rests, the daemon is down for a while, pan-2 comes. */
export function ribbonEvents(): Event[] {
  const stamp = (seq: number, at: number) => ({ seq, at, observedAt: seq })
  const of = (agent: string) => ({ agent, generation: 1 })
  const { kind, workspace, runtime, model, simulated } = sampleAgent('pan-2')
  const registered = (seq: number, at: number, agent: string): Event => {
    return { ...stamp(seq, at), ...of(agent), type: 'agent.registered', kind, workspace, runtime, model, simulated }
  }
  const item = { id: 'item-1', agent: 'pan-0', sentence: 'It is gone.', hint: 'See.', raisedWallAt: 0 }
  return [
    registered(1, 100, 'pan-0'),
    registered(2, 101, 'pan-1'),
    {
      ...stamp(3, 200),
      ...of('pan-0'),
      type: 'agent.lifecycle-changed',
      from: 'uninitialized',
      to: 'active',
      why: 'x',
    },
    {
      ...stamp(4, 300),
      ...of('pan-0'),
      type: 'agent.health-changed',
      from: 'unknown',
      to: 'stale',
      cause: { kind: 'thinking' },
      reason: 'it is quiet',
      citations: [],
      look: 1,
    },
    { ...stamp(5, 400), ...of('pan-1'), type: 'agent.lifecycle-changed', from: 'uninitialized', to: 'idle', why: 'x' },
    { ...stamp(6, 1_400), type: 'house.booted', downMs: 100, openEffects: 0 },
    { ...stamp(7, 1_500), type: 'needs-you.raised', item: { ...item, kind: 'dead' } },
    registered(8, 1_600, 'pan-2'),
  ]
}
