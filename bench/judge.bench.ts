/**
 * What judging costs: whole inputs to the core with their verdicts, on fleets of 10 to 10,000 agents that call tools,
 * with their trails full. The peer is a watchdog that knows only silence and walks over all its agents at every input;
 * the limit is one look-up of each agent's newest instant; `verdict` is one verdict alone. In CPU, in a process with the
 * flags of the daemon. Cost per input must not grow with the fleet.
 */
import type { Sighting } from '../src/contract/evidence.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import { judge } from '../src/core/health/judge.ts'
import type { Input } from '../src/core/inputs.ts'
import { step } from '../src/core/step.ts'
import { createWorld, type World } from '../src/core/world.ts'
import { agentRecord, SETTINGS } from '../tests/samples/agents.ts'
import {
  ACTIVITY,
  atEachSize,
  CALLING,
  idsOf,
  note,
  reportOn,
  THINKING,
  walkAll,
  workedAgents,
  type Measured,
} from './fleet-sizes.ts'
import { IN_PROCESS_FLAGS } from './product.ts'
import { settle } from './settle.ts'

const INPUTS = 20_000
const WALKED_INPUTS = 200
const TRAIL = 48

export const flags = IN_PROCESS_FLAGS

export function run(): object {
  const rows = atEachSize(measured)
  const verdictsPerSecond = Math.round(1e6 / (rows.at(-1)?.['verdict'] ?? Number.NaN))
  return { ...reportOn('judge', 'judged input', rows), verdictsPerSecond }
}

function measured(agents: number): Measured {
  let world: World | undefined
  let inputs: Input[] = []
  let judged: AgentRecord[] = []
  let sum = 0
  const newest = new Map<string, number>()
  const ids = idsOf(agents)
  const moment = { now: 60_000, graceAt: 0, thresholds: SETTINGS.thresholds }
  const settled = () => {
    const made = createWorld(SETTINGS, { agents: workedAgents(agents).map(withTrail) })
    settle(made)
    return made
  }
  const prepare = (count: number) => () => {
    inputs = reports(ids, count)
  }
  const clear = () => {
    // What was summed up must be used, or it need not be computed.
    if (Number.isNaN(sum)) throw new Error('a verdict without its silence')
    ;[inputs, judged, world] = [[], [], undefined]
    newest.clear()
  }
  const each = (take: (input: Input) => number) => () => {
    for (const input of inputs) sum += take(input)
  }
  return {
    ours: {
      inputs: INPUTS,
      prepare: () => {
        world = settled()
        prepare(INPUTS)()
      },
      run: each((input) => (world === undefined ? Number.NaN : step(world, input).events.length)),
      clear,
    },
    verdict: {
      inputs: INPUTS,
      prepare: () => {
        judged = [...settled().agents.values()]
      },
      run: () => {
        for (let n = 0; n < INPUTS; n += 1) sum += judge(judged[n % agents] ?? agentRecord(), moment).silentMs
      },
      clear,
    },
    peer: {
      inputs: WALKED_INPUTS,
      prepare: prepare(WALKED_INPUTS),
      run: each((input) => walkAll(newest, ids, input)),
      clear,
    },
    limit: { inputs: INPUTS, prepare: prepare(INPUTS), run: each((input) => note(newest, input)), clear },
  }
}

/** As after hours of work: every second call was made before, the last one was news. */
function withTrail(agent: AgentRecord): AgentRecord {
  const steps = Array.from({ length: TRAIL }, (_, n) => ({ at: n, trace: trace(n - TRAIL, n - TRAIL) }))
  return { ...agent, progressedAt: TRAIL, trail: { steps, progressUsd: 1 } }
}

/** Below 0 what was called before. In fleets of every size one half of the calls is news, so that all do the same work. */
function trace(n: number, wallAt: number) {
  const call = n % 2 === 0 ? 'the same' : `call ${n}`
  return { kind: 'call', tool: 'Bash', call, result: 'r', ok: true, wallAt } as const
}

/** A call begins, a call ends with its trace: what a working fleet sends, one agent after the other. */
function reports(ids: readonly string[], count: number): Input[] {
  const agents = ids.length
  return Array.from({ length: count }, (_, n) => {
    const round = Math.floor(n / agents)
    const begins = round % 2 === 0
    const sighting: Sighting = {
      agent: ids[n % agents] ?? '',
      generation: 1,
      witness: 'hook',
      stamp: `s${n}`,
      ageMs: 0,
      doing: begins ? CALLING : THINKING,
      ...(begins ? {} : { trace: trace(Math.floor(round / 2) + (n % agents), 1_000_000 + n) }),
      activity: ACTIVITY,
    }
    return { id: `i-${n}`, wallAt: 1_000_000 + n, monoAt: n, type: 'report', sighting }
  })
}
