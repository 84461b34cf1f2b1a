/** Which specialist gets the work of an agent: by the settings, or one that is there already; and why it cannot now. */
import type { Refusal } from '../../contract/commands.ts'
import type { Handoff, HandoffTarget } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import { desiredOf } from '../desired.ts'
import { handoffUnderWay } from './hand-off-end.ts'
import { isAway, lenderTo, restsFree } from './loans.ts'
import { insteadOf } from '../routing/instead.ts'
import { runtimeOf } from '../routing/route.ts'
import { ownAfterStart } from '../own-repository.ts'
import { modelOf } from '../routing/tiers.ts'
import { record, type Turn } from '../turn.ts'
import type { World } from '../world.ts'

type To = Handoff['to']

/** With its own model and runtime; one that is not there yet gets those of the settings. */
export function specialistTarget(world: World, agent: AgentRecord, to: HandoffTarget & { specialist: string }): To {
  const specialist = to.specialist.replace(/^specialist-/, '')
  const known = world.agents.get(specialist)
  if (known !== undefined) return { specialist, model: known.model, runtime: known.runtime }
  const { routing } = world.settings
  const set = settingsOf(routing, specialist)
  const model = to.model ?? modelOf(set?.model ?? agent.model, routing.tiers)
  // A simulated agent has no use for a real one.
  const runtime = agent.simulated ? agent.runtime : (set?.runtime ?? runtimeOf(model, routing).runtime)
  const instead = to.runtime === undefined ? insteadOf({ model, runtime }, routing) : undefined
  return instead === undefined
    ? { specialist, model, runtime: to.runtime ?? runtime }
    : { specialist, model: instead.model, runtime: instead.runtime }
}

/** Why this specialist cannot have the work of this agent now. */
export function untakenBySpecialist(
  world: World,
  agent: AgentRecord,
  { to, isAsked }: { to: To; isAsked: boolean },
): Refusal | undefined {
  const { specialist: name = '' } = to
  const known = world.agents.get(name)
  const set = settingsOf(world.settings.routing, name)
  const hint = `There are: ${Object.keys(world.settings.routing.specialists).join(', ')}.`
  if (name === '') return { code: 'invalid', sentence: 'no specialist is named', hint: `Name one. ${hint}` }
  if (name === agent.id) {
    return { code: 'invalid', sentence: `${name} has its work itself`, hint: 'Name another specialist.' }
  }
  if (lenderTo(world, agent.id) !== undefined) {
    const sentence = `${agent.id} is itself a specialist with work, and calls no other`
    return { code: 'conflict', sentence, hint: 'Let it give the work back first.' }
  }
  if (set === undefined && known?.kind !== 'specialist') {
    return { code: 'invalid', sentence: `there is no specialist called ${name}`, hint }
  }
  if (set?.enabled === false) {
    const hint = `It is so by specialists.${name}.enabled.`
    return { code: 'conflict', sentence: `${name} takes no work`, hint }
  }
  return known === undefined ? undefined : occupied(world, known, isAsked)
}

/** Why not, where the hand-off of somebody else's work has begun that is to end with this specialist. */
export function promised(world: World, agent: AgentRecord, { specialist = '' }: To): Refusal | undefined {
  for (const other of world.agents.values()) {
    const begun = other.id === agent.id ? undefined : handoffUnderWay(other)
    if (begun?.to.specialist !== specialist) continue
    const sentence = `${specialist} is to have the work of ${other.id} (${begun.id})`
    return { code: 'busy', sentence, hint: `Try again when it is given back, or see \`pan handoff show ${begun.id}\`.` }
  }
  return undefined
}

function occupied(world: World, known: AgentRecord, isAsked: boolean): Refusal | undefined {
  const { id, adopted } = known
  if (adopted !== undefined) {
    return { code: 'conflict', sentence: `${id} was adopted: nothing is given to it`, hint: 'Do it yourself.' }
  }
  const lender = lenderTo(world, id)
  const hint = 'Try again when it rests.'
  if (lender !== undefined) return { code: 'busy', sentence: `${id} has the work of ${lender.id}`, hint }
  const { state, by, reason } = desiredOf(known, world.house)
  if (state !== 'run' && !(isAsked && state === 'stop')) {
    return { code: 'conflict', sentence: `${id} is ${KEPT[state]} by ${by}: ${reason}`, hint: 'Let it go on first.' }
  }
  if (restsFree(known, world.house.observedAt) || isAway(known)) return undefined
  return { code: 'busy', sentence: `${id} works on something else`, hint }
}

const KEPT = { run: 'running', hold: 'held', stop: 'stopped', frozen: 'frozen' } as const

/** Its trigger does not wake it by itself. */
export function isNotWoken({ routing }: { routing: RoutingSettings }, { specialist = '' }: To): boolean {
  return settingsOf(routing, specialist)?.autoWake === false
}

/** From its next start on it works where the work of this agent is. */
export function registerSpecialist(turn: Turn, agent: AgentRecord, { to }: Handoff): void {
  const { specialist: id, model, runtime } = to
  if (id === undefined) return
  const known = turn.world.agents.get(id)
  const { workspace, worktree, repository, place, simulated } = agent
  if (known?.workspace === workspace) return
  record(turn, {
    type: 'agent.registered',
    agent: id,
    generation: known?.generation ?? 0,
    kind: 'specialist',
    workspace,
    ...(worktree === undefined ? {} : { worktree }),
    ...ownAfterStart({}, { repository, place }),
    ...{ model, runtime, simulated },
  })
}

function settingsOf({ specialists }: RoutingSettings, name: string) {
  return Object.hasOwn(specialists, name) ? specialists[name] : undefined
}
