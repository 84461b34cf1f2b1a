/**
 * What a stop, or its end, means that came while no daemon ran, for a world that is only read. The journal does not know
 * of it; the stop's own file does, and the next daemon will record it.
 */
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import { SENTINEL, UNEXPLAINED } from './emergency-steps.ts'
import type { StopNote } from './inputs.ts'
import { BY_EMERGENCY, stopFinds } from './last-stop.ts'
import { setAgent, type World } from './world.ts'

export interface UnseenStop extends StopNote {
  /** It is in force; else a person has resumed since. */
  latched: boolean
  /** Whom it ended, by the name of the agent or, where its processes did not carry that, of its run. */
  ended?: readonly string[]
  /** How many agents it found. */
  found?: number
}

export function tellUnseenStop(world: World, stop: UnseenStop): void {
  const { state, by } = world.house.emergency
  const isTold = stop.latched || stop.askedWallAt !== undefined
  if (state === 'armed' && isTold && !isRecorded(world, stop)) tellStop(world, stop)
  if (stop.latched === (state !== 'armed')) return
  const [now, who] = stop.latched ? (['stopped', SENTINEL] as const) : (['armed', by] as const)
  world.house.emergency = { state: now, attempts: 0, survivors: [], ...(who === undefined ? {} : { by: who }) }
}

/** A daemon that ended before it had removed the file. */
function isRecorded({ house }: World, { askedWallAt }: UnseenStop): boolean {
  return house.lastStop !== undefined && house.lastStop.wallAt === askedWallAt
}

/** Where it is not known whom it ended, and when, neither a number nor an instant is said. */
function tellStop(world: World, stop: UnseenStop): void {
  const { person: by = SENTINEL, reason = UNEXPLAINED, askedWallAt: wallAt, ended: names, found: of } = stop
  const { lastStop: _, ...house } = world.house
  if (names === undefined || wallAt === undefined) {
    world.house = house
    return
  }
  const ended = names.map((name) => world.runs.get(name) ?? name)
  const found = stopFinds(world, { sinceAt: house.observedAt, isForAll: false })
  const told = { by, reason, wallAt, ended, survivors: [], saved: [], confirmed: true }
  world.house = { ...house, lastStop: { ...found, ...told, of: of ?? ended.length } }
  for (const id of ended) endAgent(world, id)
}

function endAgent(world: World, id: AgentId): void {
  const agent = world.agents.get(id)
  if (agent === undefined || !lives(agent)) return
  const { act: _, ...rest } = agent
  // What was asked of a person about it is moot, and told with the stop.
  const needsYou = agent.needsYou.filter(({ kind }) => kind === 'no_workspace')
  setAgent(world, { ...rest, needsYou, lifecycle: 'stopped', lifecycleWhy: BY_EMERGENCY })
}
