/**
 * What judging costs: whole inputs to the core with their verdicts, on fleets of 10 to 10,000 agents that call tools,
 * with their trails full. The peer is a watchdog that knows only silence and walks over all its agents at every input;
 * the limit is one look-up of each agent's newest instant. Cost per input must not grow with the fleet.
 */
import type { Sighting } from '../src/contract/evidence.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import { judge } from '../src/core/health/judge.ts'
import type { Input } from '../src/core/inputs.ts'
import { step } from '../src/core/step.ts'
import { createWorld, type World } from '../src/core/world.ts'
import { agentRecord, SETTINGS } from '../tests/samples/agents.ts'
import { brokenOf, inTurns, rounded } from './measure.ts'
import { settle } from './settle.ts'

const INPUTS = 10_000
const WALKED_INPUTS = 500
const ROUNDS = 5
const FLEETS = [10, 100, 1_000, 10_000]
const TRAIL = 48
/** Caches and garbage cost something; a walk over the fleet would cost a thousand times as much. */
const FLAT = 6

export function run(): object {
  const rows = FLEETS.map((agents) => ({ agents, ...measure(agents) }))
  const worst = rows.at(-1)
  const costs = rows.map((row) => row.ours)
  const flatness = rounded(Math.max(...costs) / Math.min(...costs))
  return {
    bench: 'judge',
    ours: worst?.ours,
    peer: worst?.peer,
    limit: worst?.limit,
    unit: 'µs per judged input at 10,000 agents',
    ratio: rounded((worst?.peer ?? 0) / (worst?.ours ?? 1)),
    inputsPerSecond: Math.round(1e6 / (worst?.ours ?? 1)),
    verdictsPerSecond: Math.round(1e6 / (worst?.verdict ?? 1)),
    flatness,
    byAgents: rows,
    ...brokenOf({ 'the cost of an input does not grow with the fleet': flatness <= FLAT }),
  }
}

function measure(agents: number) {
  let world: World
  let inputs: Input[]
  let judged: AgentRecord[]
  let sum = 0
  const newest = new Map<string, number>()
  const records = Array.from({ length: agents }, (_, n) => agentRecord({ id: `agent-${n}` }))
  const moment = { now: 60_000, graceAt: 0, thresholds: SETTINGS.thresholds }
  const times = inTurns(
    {
      ours: {
        prepare: () => {
          world = createWorld(SETTINGS, { agents: records.map(withTrail) })
          settle(world)
          inputs = reports(agents, INPUTS)
        },
        run: () => {
          for (const input of inputs) step(world, input)
        },
      },
      verdict: {
        prepare: () => {
          judged = [...world.agents.values()]
        },
        run: () => {
          for (let n = 0; n < INPUTS; n += 1) sum += judge(judged[n % agents] ?? agentRecord(), moment).silentMs
        },
      },
      peer: {
        prepare: () => {
          inputs = reports(agents, WALKED_INPUTS)
          newest.clear()
        },
        run: () => {
          for (const input of inputs) sum += walkAll(newest, records, input)
        },
      },
      limit: {
        prepare: () => {
          inputs = reports(agents, INPUTS)
          newest.clear()
        },
        run: () => {
          for (const input of inputs) sum += note(newest, input)
        },
      },
    },
    ROUNDS,
  )
  // What was summed up must be used, or it need not be computed.
  if (Number.isNaN(sum)) throw new Error('a verdict without its silence')
  return {
    ours: rounded((1000 * times.ours) / INPUTS),
    verdict: rounded((1000 * times.verdict) / INPUTS),
    peer: rounded((1000 * times.peer) / WALKED_INPUTS),
    limit: rounded((1000 * times.limit) / INPUTS),
  }
}

/** As after hours of work: every second call was made before, the last one was news. */
function withTrail(agent: AgentRecord): AgentRecord {
  const steps = Array.from({ length: TRAIL }, (_, n) => ({ at: n, trace: trace(n, -TRAIL + n) }))
  return { ...agent, progressedAt: TRAIL, trail: { steps, progressUsd: 1 } }
}

function trace(n: number, wallAt: number) {
  const call = n % 2 === 0 ? 'the same' : `call ${n}`
  return { kind: 'call', tool: 'Bash', call, result: 'r', ok: true, wallAt } as const
}

/** A call begins, a call ends with its trace: what a working fleet sends, one agent after the other. */
function reports(agents: number, count: number): Input[] {
  return Array.from({ length: count }, (_, n) => {
    const round = Math.floor(n / agents)
    const begins = round % 2 === 0
    const sighting: Sighting = {
      agent: `agent-${n % agents}`,
      generation: 1,
      witness: 'hook',
      stamp: `s${n}`,
      ageMs: 0,
      doing: begins ? { kind: 'tool', name: 'Bash', boundMs: 120_000 } : { kind: 'thinking' },
      ...(begins ? {} : { trace: trace(Math.floor(round / 2), 1_000_000 + n) }),
      activity: { ts: '2026-01-20T22:00:00.000Z', tool: 'Bash', state: 'active' },
    }
    return { id: `i-${n}`, wallAt: 1_000_000 + n, monoAt: n, type: 'report', sighting }
  })
}

function note(newest: Map<string, number>, input: Input): number {
  if (input.type !== 'report') return 0
  newest.set(input.sighting.agent, input.wallAt)
  return input.wallAt
}

/** Every agent's silence is compared with the thresholds at every input. */
function walkAll(newest: Map<string, number>, agents: readonly { id: string }[], input: Input): number {
  note(newest, input)
  let bad = 0
  for (const { id } of agents) {
    const silentMs = input.wallAt - (newest.get(id) ?? input.wallAt)
    if (silentMs > SETTINGS.thresholds.warningMs) bad += 1
  }
  return bad
}
