/**
 * The world as JSON, whole: replaying the inputs that came after it gives the live world. Unlike after a restart nothing
 * is judged anew, so that the observer's doubts and every deadline are kept too.
 */
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { Settings } from '../contract/settings.ts'
import type { Prices, Rates } from './costs/price.ts'
import { Deadlines } from './deadlines.ts'
import type { Capabilities } from './runtime-port.ts'
import { createWorld, setAgent, type Observer, type World } from './world.ts'

export interface WorldState {
  settings: Settings
  house: HouseRecord
  agents: readonly AgentRecord[]
  observer: Observer
  deadlines: readonly (readonly [string, number])[]
  troubled: readonly AgentId[]
  acting: readonly AgentId[]
  turns: World['turns']
  runs: readonly (readonly [string, AgentId])[]
  capabilities: readonly (readonly [string, Capabilities])[]
  letters?: string
}

export function stateOf(world: World): WorldState {
  const { settings, house, observer, turns, letters } = world
  return {
    ...{ settings, house, observer, turns },
    agents: [...world.agents.values()],
    deadlines: world.deadlines.all(),
    troubled: [...world.troubled],
    acting: [...world.acting],
    runs: [...world.runs],
    capabilities: [...world.capabilities],
    ...(letters === undefined ? {} : { letters }),
  }
}

export function worldOf(state: WorldState, prices: Prices): World {
  const { settings, house, letters } = state
  const capabilities = new Map(state.capabilities)
  const world = createWorld(settings, { house }, { capabilities, letters, prices })
  for (const agent of state.agents) setAgent(world, agent)
  for (const [run, agent] of state.runs) world.runs.set(run, agent)
  world.troubled = new Set(state.troubled)
  world.acting = new Set(state.acting)
  world.turns = [...state.turns]
  // What is left out of JSON is undefined.
  world.observer = { ...state.observer, lastLookWallAt: state.observer.lastLookWallAt, blind: state.observer.blind }
  world.deadlines = new Deadlines()
  for (const [key, at] of state.deadlines) world.deadlines.set(key, at)
  return world
}

/** What is said of an agent: its verdict while it is judged, else what it does instead. */
export function judgedAs({ lifecycle, verdict }: AgentRecord): { health: string; cause: string } {
  return lifecycle === 'active' && verdict !== undefined
    ? { health: verdict.health, cause: verdict.cause.kind }
    : { health: 'none', cause: lifecycle }
}

/** Prices that write down what they were asked. */
export function notingPrices(prices: Prices): Prices & { take: () => Record<string, Rates | null> | undefined } {
  let asked: Record<string, Rates | null> | undefined
  return {
    ratesOf: (model) => {
      const rates = prices.ratesOf(model)
      asked = { ...asked, [model]: rates ?? null }
      return rates
    },
    take: () => {
      const taken = asked
      asked = undefined
      return taken
    },
  }
}
