/**
 * Many agents in trouble at once have one cause, and it is rarely the agents: named first, one alert,
 * automatic acts held until it is over or a person says so.
 */
import type { AgentId } from '../contract/ids.ts'
import type { CauseKind } from '../contract/verdict.ts'
import { list } from './describe.ts'
import { SECOND } from './durations.ts'
import { raise, settle } from './needs-you.ts'
import { record, type Turn } from './turn.ts'
import type { World } from './world.ts'

/** How long after turning bad an agent is left alone, so that a common cause can show itself. */
export const MASS_WINDOW_MS = 30 * SECOND
const MASS_COUNT = 3
const MASS_SHARE = 0.3
const TURNS_KEPT = 64

export function noteTurn({ world, now }: Turn, agent: AgentId): void {
  world.turns = [
    ...world.turns.filter((old) => old.agent !== agent && old.at > now - MASS_WINDOW_MS),
    { agent, at: now },
  ]
  if (world.turns.length > TURNS_KEPT) world.turns.shift()
}

/** Called once at the end of each turn, so that one turn's news is one alert. */
export function checkMass(turn: Turn): void {
  const { mass, emergency } = turn.world.house
  if (mass === undefined) begin(turn)
  // That an emergency stop ended them settles nothing of what they had in common.
  else if (emergency.state === 'armed') end(turn)
}

function begin(turn: Turn): void {
  const { world, now } = turn
  if (world.turns.length < 2) return
  const recent = world.turns.filter(({ agent, at }) => at > now - MASS_WINDOW_MS && world.troubled.has(agent))
  const together = recent.map(({ agent }) => agent)
  if (!isMany(world, together.length)) return
  world.turns = []
  const { what, look } = commonCause(world, together)
  record(turn, { type: 'mass.began', agents: together, watched: world.watched, what })
  // That they need a person is part of how each of them is shown.
  for (const id of together) turn.dirty.add(id)
  raise(turn, {
    kind: 'mass',
    agents: together,
    sentence:
      `${together.length} of ${world.watched} agents ${what} within ${MASS_WINDOW_MS / SECOND} s ` +
      `(${list(together)}); automatic acts are held.`,
    hint: `One cause is likely: ${look}. Settle this item to let Cloister act again.`,
  })
}

interface Common {
  what: string
  look: string
}

const SILENCE: Common = {
  what: 'fell silent',
  look: "the network, the model's service or this machine, rather than the agents",
}
const COMMON: Partial<Record<CauseKind, Common>> = {
  dead: { what: 'died', look: 'the terminal server, a lack of memory, or somebody who ended them' },
  api_error: { what: 'were failed by the service', look: "the model's service, the network or the account" },
  thinking: SILENCE,
  hung: SILENCE,
  compacting: SILENCE,
}

/** What most of them have in common. */
function commonCause({ agents }: World, ids: readonly AgentId[]): Common {
  const kinds = ids.flatMap((id) => COMMON[agents.get(id)?.verdict?.cause.kind ?? 'unknown'] ?? [])
  const most = [...new Set(kinds)].find((each) => kinds.filter((kind) => kind === each).length > ids.length / 2)
  return most ?? { what: 'turned bad', look: 'network, usage limit, disk or terminal server' }
}

function end(turn: Turn): void {
  const { world } = turn
  const item = world.house.needsYou.find((each) => each.kind === 'mass')
  const { agents = [] } = world.house.mass ?? {}
  const remaining = agents.filter((id) => world.troubled.has(id)).length
  if (item === undefined) record(turn, { type: 'mass.ended', why: 'a person settled it' })
  else if (!isMany(world, remaining)) {
    record(turn, { type: 'mass.ended', why: `${remaining} of them still in trouble` })
    settle(turn, item, 'cloister')
  }
  if (world.house.mass === undefined) for (const id of agents) if (world.agents.has(id)) turn.dirty.add(id)
}

function isMany(world: World, count: number): boolean {
  return count >= MASS_COUNT || (count >= 2 && count >= MASS_SHARE * world.watched)
}
