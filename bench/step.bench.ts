/**
 * What one input costs the core, at 10 to 10,000 agents, against a watchdog of the usual kind that walks over
 * all its agents at every input, and against the limit: taking the same inputs and only noting the newest
 * instant per agent. In CPU, in a process with the flags of the daemon. Cost per input must not grow with the fleet.
 */
import type { Sighting } from '../src/contract/evidence.ts'
import type { Input } from '../src/core/inputs.ts'
import { step } from '../src/core/step.ts'
import { createWorld, type World } from '../src/core/world.ts'
import { SETTINGS } from '../tests/samples/agents.ts'
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

export const flags = IN_PROCESS_FLAGS

export function run(): object {
  return reportOn('step', 'input', atEachSize(measured))
}

function measured(agents: number): Measured {
  let world: World | undefined
  let inputs: Input[] = []
  const newest = new Map<string, number>()
  const ids = idsOf(agents)
  const prepare = (count: number) => () => {
    inputs = reports(ids, count)
  }
  const clear = () => {
    inputs = []
    world = undefined
    newest.clear()
  }
  return {
    ours: {
      inputs: INPUTS,
      prepare: () => {
        world = createWorld(SETTINGS, { agents: workedAgents(agents) })
        settle(world)
        for (const input of reports(ids, agents)) step(world, input)
        prepare(INPUTS)()
      },
      run: () => {
        for (const input of inputs) if (world !== undefined) step(world, input)
      },
      clear,
    },
    peer: {
      inputs: WALKED_INPUTS,
      prepare: prepare(WALKED_INPUTS),
      run: () => {
        for (const input of inputs) walkAll(newest, ids, input)
      },
      clear,
    },
    limit: {
      inputs: INPUTS,
      prepare: prepare(INPUTS),
      run: () => {
        for (const input of inputs) note(newest, input)
      },
      clear,
    },
  }
}

/** Hook reports as a working fleet sends them, one agent after the other, a millisecond apart. */
function reports(ids: readonly string[], count: number): Input[] {
  const agents = ids.length
  return Array.from({ length: count }, (_, n) => {
    const sighting: Sighting = {
      agent: ids[n % agents] ?? '',
      generation: 1,
      witness: 'hook',
      stamp: `s${n}`,
      ageMs: 0,
      doing: Math.floor(n / agents) % 2 === 0 ? CALLING : THINKING,
      progress: `p${n}`,
      activity: ACTIVITY,
    }
    return { id: `i-${n}`, wallAt: 1_000_000 + n, monoAt: n, type: 'report', sighting }
  })
}
