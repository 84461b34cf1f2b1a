/** What the benchmarks of the core share: fleets of all sizes, the watchdog that walks over all of them, and the limit. */
import type { AgentRecord } from '../src/contract/records.ts'
import type { Input } from '../src/core/inputs.ts'
import { agentRecord, SETTINGS } from '../tests/samples/agents.ts'
import { brokenOf, threadMs, FLAT, flatnessOf, inTurns, rounded, type Candidate } from './measure.ts'

const FLEETS = [10, 100, 1_000, 10_000]
const ROUNDS = 9

/** What is measured at each size, and how many inputs one run of it takes. */
export type Measured = Record<string, Candidate & { inputs: number }>

/**
 * Microseconds of CPU per input at each size, of the thread that computes, its part of the collector's work included. The
 * sizes take turns too, so that none has the warmer machine.
 */
export function atEachSize(of: (agents: number) => Measured): Record<string, number>[] {
  const sizes = FLEETS.map((agents) => ({ agents, measured: of(agents) }))
  const named = sizes.flatMap(({ agents, measured }) =>
    Object.entries(measured).map(([name, candidate]) => [`${name} ${agents}`, candidate] as const),
  )
  const times = inTurns(Object.fromEntries(named), ROUNDS, threadMs)
  return sizes.map(({ agents, measured }) => {
    const costs = Object.entries(measured).map(([name, { inputs }]) => {
      return [name, rounded((1_000 * (times[`${name} ${agents}`] ?? Number.NaN)) / inputs)] as const
    })
    return { agents, ...Object.fromEntries(costs) }
  })
}

/** The figures of the largest fleet, and whether what an input costs is the same for all. */
export function reportOn(bench: string, what: string, rows: readonly Record<string, number>[]): object {
  const { ours = Number.NaN, peer = Number.NaN, limit = Number.NaN } = rows.at(-1) ?? {}
  const flatness = flatnessOf(rows.map((row) => row['ours'] ?? Number.NaN))
  return {
    bench,
    ours,
    peer,
    limit,
    unit: `µs of CPU per ${what} at 10,000 agents`,
    ratio: rounded(peer / ours),
    inputsPerSecond: Math.round(1e6 / ours),
    flatness,
    byAgents: rows,
    ...brokenOf({ 'the cost of an input does not grow with the fleet': flatness <= FLAT }),
  }
}

/** What every report says in the same words, made once: thousands of inputs that lie ready are a burden that no daemon has. */
export const ACTIVITY = { ts: '2026-01-20T22:00:00.000Z', tool: 'Bash', state: 'active' } as const
export const CALLING = { kind: 'tool', name: 'Bash', boundMs: 120_000 } as const
export const THINKING = { kind: 'thinking' } as const

const ACTIVITIES = Array.from({ length: 100 }, () => ACTIVITY)

/** As after hours of work, whatever the size of the fleet: else small fleets alone would have a full history. */
export function workedAgents(count: number): AgentRecord[] {
  return Array.from({ length: count }, (_, n) => ({ ...agentRecord({ id: `agent-${n}` }), activities: ACTIVITIES }))
}

export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `agent-${n}`)
}

/** The limit: only the newest instant per agent. */
export function note(newest: Map<string, number>, input: Input): number {
  if (input.type !== 'report') return 0
  newest.set(input.sighting.agent, input.wallAt)
  return input.wallAt
}

/** The peer: every agent's silence is compared with the thresholds at every input. */
export function walkAll(newest: Map<string, number>, agents: readonly string[], input: Input): number {
  note(newest, input)
  let bad = 0
  for (const id of agents) {
    const silentMs = input.wallAt - (newest.get(id) ?? input.wallAt)
    if (silentMs > SETTINGS.thresholds.warningMs) bad += 1
  }
  return bad
}
