/**
 * What one input costs the core, at 10 to 10,000 agents, against a watchdog of the usual kind that walks over
 * all its agents at every input, and against the limit: taking the same inputs and only noting the newest
 * instant per agent.
 */
import type { Sighting } from '../src/contract/evidence.ts'
import type { Input } from '../src/core/inputs.ts'
import { step } from '../src/core/step.ts'
import { createWorld, type World } from '../src/core/world.ts'
import { agentRecord, SETTINGS } from '../tests/samples/agents.ts'
import { inTurns, rounded } from './measure.ts'
import { settle } from './settle.ts'

const INPUTS = 20_000
const WALKED_INPUTS = 1_000
const ROUNDS = 7
const FLEETS = [10, 100, 1_000, 10_000]

export function run(): object {
  const rows = FLEETS.map((agents) => ({ agents, ...measure(agents) }))
  const worst = rows.at(-1)
  const costs = rows.map((row) => row.ours)
  return {
    bench: 'step',
    ours: worst?.ours,
    peer: worst?.peer,
    limit: worst?.limit,
    unit: 'µs per input at 10,000 agents',
    ratio: rounded((worst?.peer ?? 0) / (worst?.ours ?? 1)),
    inputsPerSecond: Math.round(1e6 / (worst?.ours ?? 1)),
    flatness: rounded(Math.max(...costs) / Math.min(...costs)),
    byAgents: rows,
  }
}

function measure(agents: number) {
  let world: World
  let inputs: Input[]
  const newest = new Map<string, number>()
  const records = Array.from({ length: agents }, (_, n) => agentRecord({ id: `agent-${n}` }))
  const times = inTurns(
    {
      ours: {
        prepare: () => {
          world = createWorld(SETTINGS, { agents: records })
          settle(world)
          for (const input of reports(agents, agents)) step(world, input)
          inputs = reports(agents, INPUTS)
        },
        run: () => {
          for (const input of inputs) step(world, input)
        },
      },
      peer: {
        prepare: () => {
          inputs = reports(agents, WALKED_INPUTS)
          newest.clear()
        },
        run: () => {
          for (const input of inputs) walkAll(newest, records, input)
        },
      },
      limit: {
        prepare: () => {
          inputs = reports(agents, INPUTS)
          newest.clear()
        },
        run: () => {
          for (const input of inputs) note(newest, input)
        },
      },
    },
    ROUNDS,
  )
  return {
    ours: rounded((1000 * times.ours) / INPUTS),
    peer: rounded((1000 * times.peer) / WALKED_INPUTS),
    limit: rounded((1000 * times.limit) / INPUTS),
  }
}

/** Hook reports as a working fleet sends them, one agent after the other, a millisecond apart. */
function reports(agents: number, count: number): Input[] {
  return Array.from({ length: count }, (_, n) => {
    const sighting: Sighting = {
      agent: `agent-${n % agents}`,
      generation: 1,
      witness: 'hook',
      stamp: `s${n}`,
      ageMs: 0,
      doing: Math.floor(n / agents) % 2 === 0 ? { kind: 'tool', name: 'Bash', boundMs: 120_000 } : { kind: 'thinking' },
      progress: `p${n}`,
      activity: { ts: '2026-01-20T22:00:00.000Z', tool: 'Bash', state: 'active' },
    }
    return { id: `i-${n}`, wallAt: 1_000_000 + n, monoAt: n, type: 'report', sighting }
  })
}

function note(newest: Map<string, number>, input: Input): void {
  if (input.type === 'report') newest.set(input.sighting.agent, input.wallAt)
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
