/** Events make the state: folding the journal from nothing gives every decision again. */
import type { AgentEvent, Event, EventOf, HouseEvent } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'
import { NOTES_KEPT, type AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { Act } from '../contract/acts.ts'
import { foldAdopted } from './adopted-fold.ts'
import { isTranscribed } from './begin-anew.ts'
import { foldMessage, withShortRow } from './deliveries-fold.ts'
import { foldEmergency } from './emergency-fold.ts'
import { SECOND } from './durations.ts'
import { atRest } from './evidence/open-work.ts'
import { actBegun, actOver, foldHandoff, isOfHandoff, salvagedBy } from './handoffs/hand-off-fold.ts'
import { afterEvent, foldFinished, isOfFinish } from './finished-fold.ts'
import { withLastStop } from './last-stop-fold.ts'
import { keptSignals } from './signals-fold.ts'
import { acknowledged, foldItems, itemOwner } from './fold-items.ts'
import { afterDecided, afterEnded, countIntervention, foldStanding, isStanding } from './fold-standing.ts'
import { steered } from './own-words.ts'
import { changeHealth } from './fold-verdict.ts'
import { keptTask } from './task-list.ts'
import { dropAgent, setAgent, type World } from './world.ts'

/** Applies one event. Returns the agent whose record changed, if one did. */
export function fold(world: World, event: Event): AgentId | undefined {
  const { seq, observedAt, at: wallAt } = event
  world.house = withLastStop(countIntervention({ ...world.house, seq, observedAt, wallAt }, event), event)
  if (event.type === 'agent.forgotten') {
    dropAgent(world, event.agent)
    return event.agent
  }
  if ('agent' in event) {
    setAgent(world, afterEvent(foldAgent(world.agents.get(event.agent), event), event))
    return event.agent
  }
  const owner = itemOwner(world, event)
  if (owner === undefined) {
    world.house = foldHouse(world.house, event)
    return undefined
  }
  setAgent(world, { ...owner, needsYou: foldItems(owner.needsYou, event), ...acknowledged(owner, event) })
  return owner.id
}

/** After which the agent is still there. */
type KeptEvent = Exclude<AgentEvent, { type: 'agent.forgotten' }>

const SALVAGES_KEPT = 20

function foldAgent(agent: AgentRecord | undefined, event: KeptEvent): AgentRecord {
  if (event.type === 'agent.registered') return register(agent, event)
  if (agent === undefined) throw new Error(`${event.type} for ${event.agent}, which was never registered`)
  if (isStanding(event)) return foldStanding(agent, event)
  if (isOfHandoff(event)) return foldHandoff(agent, event)
  if (isOfFinish(event)) return foldFinished(agent, event)
  switch (event.type) {
    case 'agent.adopted':
      return foldAdopted(agent, event)
    case 'agent.started':
      return start(agent, event)
    case 'agent.lifecycle-changed':
      return changeLifecycle(agent, event)
    case 'agent.health-changed':
      return changeHealth(agent, event)
    case 'agent.fenced':
      return { ...agent, fencedGeneration: event.reported }
    case 'agent.salvaged':
      return event.ref === undefined || event.replaced === true
        ? agent
        : {
            ...agent,
            salvages: [...agent.salvages, event.ref].slice(-SALVAGES_KEPT),
            ...salvagedBy(agent, event.ref),
          }
    case 'agent.kill-incomplete':
      return agent
    case 'agent.session-lost':
      return agent.sessionId === event.sessionId ? withoutSession(agent) : agent
    case 'agent.cleared':
      return clearContext(agent, event)
    case 'agent.model-changed':
      return { ...agent, model: event.to }
    case 'act.decided':
      return decideAct(agent, event)
    case 'act.stepped':
      return agent.act === undefined ? agent : { ...agent, act: steppedAct(agent.act, event) }
    case 'act.ended':
      return endAct(agent, event)
    case 'act.held':
      return agent.episode === undefined
        ? { ...agent, heldFor: `${event.act}: ${event.reason}` }
        : { ...agent, episode: { ...agent.episode, heldFor: event.reason } }
    case 'episode.opened':
    case 'episode.escalated':
    case 'episode.exhausted':
    case 'episode.closed':
      return foldEpisode(agent, event)
    case 'agent.noted':
      return { ...agent, notes: [...(agent.notes ?? []), event.note].slice(-NOTES_KEPT) }
    case 'task.kept':
      return { ...withShortRow(agent, event.text.name), task: keptTask(agent, event) }
    default:
      return foldMessage(agent, event)
  }
}

function foldEpisode(agent: AgentRecord, event: Extract<AgentEvent, { type: `episode.${string}` }>): AgentRecord {
  if (event.type === 'episode.opened') {
    return { ...agent, episode: { openedAt: event.observedAt, pokes: 0, exhausted: false } }
  }
  if (agent.episode === undefined) return agent
  switch (event.type) {
    case 'episode.escalated':
      return { ...agent, episode: { ...agent.episode, escalatedAt: event.observedAt } }
    case 'episode.exhausted':
      return { ...agent, episode: { ...agent.episode, exhausted: true } }
    case 'episode.closed': {
      const { episode: _, ...rest } = agent
      return rest
    }
  }
}

function register(before: AgentRecord | undefined, event: EventOf<'agent.registered'>): AgentRecord {
  const { seq: _, at: __, observedAt, type: ___, agent: id, ...given } = event
  const kept = before ?? {
    lifecycle: 'uninitialized' as const,
    lifecycleAt: observedAt,
    wanted: 'run' as const,
    needsYou: [],
    salvages: [],
    evidence: {},
    producedAt: observedAt,
    progressedAt: observedAt,
    activities: [],
  }
  const isElsewhere = before !== undefined && before.workspace !== given.workspace
  return { ...(isElsewhere ? withoutWorktree(before) : kept), ...given, id }
}

/** The ones that it had are around its old workspace. */
function withoutWorktree({
  worktree: _,
  repository: __,
  place: ___,
  ...rest
}: AgentRecord): Omit<AgentRecord, 'worktree'> {
  return rest
}

function decideAct(agent: AgentRecord, event: EventOf<'act.decided'>): AgentRecord {
  const wanted = wantedAfter(agent, event)
  const decided = {
    ...afterDecided(agent, event),
    ...{ act: event.act, wanted },
    ...actBegun(agent, event),
    ...steered(agent, event),
  }
  if (event.act.kind === 'spawn' || event.act.kind === 'resume') return newGeneration(decided, event)
  return { ...decided, ...pokeCounted(decided, event), ...typing(event) }
}

/** A generation begins when it is decided: what it reports before its start is confirmed is its own already. */
function newGeneration(agent: AgentRecord, { act, observedAt }: EventOf<'act.decided'>): AgentRecord {
  const { verdict: _, episode: __, pid: ___, echoUntilAt: ____, ...kept } = withoutSession(agent)
  const { bornGeneration: _____, trail: ______, limit: _______, echo: ________, signals: _________, ...others } = kept
  const { open: __________, bounds: ___________, clearedAt: ____________, ...rest } = others
  return {
    ...rest,
    ...keptSignals(agent),
    ...(isTranscribed(agent, agent.sessionId) ? { transcribed: agent.sessionId } : {}),
    generation: act.generation,
    ...(act.run === undefined ? {} : { run: act.run }),
    startedAt: observedAt,
    evidence: {},
    producedAt: observedAt,
    progressedAt: observedAt,
  }
}

/** The same processes, with nothing in their heads. */
function clearContext(agent: AgentRecord, event: EventOf<'agent.cleared'>): AgentRecord {
  const { verdict: _, episode: __, gauges: ___, trail: ____, echo: _____, ...kept } = agent
  const { signals: ______, fills: _______, open: ________, ...rest } = kept
  const { generation, sessionId, from, observedAt } = event
  return {
    ...rest,
    ...keptSignals(agent),
    generation,
    bornGeneration: agent.bornGeneration ?? agent.generation,
    sessionId,
    pastSession: from,
    evidence: {},
    clearedAt: observedAt,
    producedAt: observedAt,
    progressedAt: observedAt,
  }
}

function withoutSession(agent: AgentRecord): AgentRecord {
  const { sessionId: _, pastSession: __, gauges: ___, fills: ____, ...rest } = agent
  return rest
}

/** What it had to be told is on its way. */
function start({ notes: _, ...agent }: AgentRecord, event: EventOf<'agent.started'>): AgentRecord {
  const { sessionId, repository, place } = event
  return {
    ...agent,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(repository === undefined ? {} : { repository }),
    ...(place === undefined ? {} : { place }),
  }
}

function changeLifecycle(agent: AgentRecord, event: EventOf<'agent.lifecycle-changed'>): AgentRecord {
  const changed = { ...agent, lifecycle: event.to, lifecycleAt: event.observedAt, lifecycleWhy: event.why }
  if (event.to === 'active') return changed
  const { verdict: _, open, ...resting } = changed
  // Whoever says that it rests, or found that it does, says so of all that it had open.
  return event.to === 'idle' && open !== undefined ? { ...resting, open: atRest(open) } : resting
}

function wantedAfter(agent: AgentRecord, event: EventOf<'act.decided'>): AgentRecord['wanted'] {
  if (event.act.precedence !== 'human') return agent.wanted
  // A hand-off ends a generation, not the agent.
  if (event.act.kind === 'kill') return event.act.handoff === undefined ? 'stop' : agent.wanted
  return event.act.kind === 'spawn' || event.act.kind === 'resume' ? 'run' : agent.wanted
}

/** A poke counts when it is decided, not when it arrives: one that may have arrived is never repeated. */
function pokeCounted(agent: AgentRecord, event: EventOf<'act.decided'>): Partial<AgentRecord> {
  if (event.act.kind !== 'poke' || agent.episode === undefined || event.judgeAt === undefined) return {}
  const { heldFor: _, ...episode } = agent.episode
  return {
    episode: { ...episode, pokes: episode.pokes + 1, lastPokeAt: event.observedAt },
  }
}

/** One that verifiably was not typed is none; when it was tried still counts, so that the next try keeps its distance. */
function pokeUncounted({ episode }: AgentRecord, act: Act, event: EventOf<'act.ended'>): Partial<AgentRecord> {
  if (episode?.lastPokeAt !== act.decidedAt || event.result !== 'not_done') return {}
  const why = event.detail === undefined ? {} : { heldFor: event.detail }
  return { episode: { ...episode, pokes: Math.max(0, episode.pokes - 1), ...why } }
}

function steppedAct(act: Act, { effect, step, attempts, deadlineAt }: EventOf<'act.stepped'>): Act {
  return { ...act, effect, step, attempts, deadlineAt }
}

function endAct(agent: AgentRecord, event: EventOf<'act.ended'>): AgentRecord {
  const { act, ...rest } = { ...afterEnded(agent, event), ...actOver(agent, event) }
  if (act !== undefined && TYPED.includes(act.kind)) {
    return { ...rest, ...pokeUncounted(rest, act, event), echoUntilAt: event.observedAt + ECHO_MS }
  }
  // A session that was not gone on with can still be.
  if (act?.kind === 'resume' && event.result !== 'done' && act.session !== undefined) {
    return { ...rest, sessionId: rest.sessionId ?? act.session }
  }
  // A kill that did not happen leaves an agent that lives on, and is looked after like any other.
  return act?.kind === 'kill' && event.result !== 'done' ? { ...rest, wanted: 'run' } : rest
}

/** The terminal shows our own text for a moment after it was typed. */
const ECHO_MS = 5 * SECOND

function typing({ act }: EventOf<'act.decided'>): Partial<AgentRecord> {
  return TYPED.includes(act.kind) ? { echoUntilAt: act.deadlineAt + ECHO_MS } : {}
}

const TYPED: readonly Act['kind'][] = ['poke', 'message', 'continue', 'nudge']

function massOf({ observedAt: sinceAt, agents, what }: EventOf<'mass.began'>): HouseRecord['mass'] {
  return { sinceAt, agents, ...(what === undefined ? {} : { what }) }
}

function foldHouse(house: HouseRecord, event: HouseEvent): HouseRecord {
  switch (event.type) {
    case 'monitoring.started': {
      const { pausedBy: _, ...rest } = house
      return { ...rest, monitoring: 'running' }
    }
    case 'monitoring.stopped':
      return { ...house, monitoring: 'paused', pausedBy: event.by }
    case 'mass.began':
      return { ...house, mass: massOf(event) }
    case 'mass.ended': {
      const { mass: _, ...rest } = house
      return rest
    }
    case 'needs-you.raised':
    case 'needs-you.settled':
      return { ...house, needsYou: foldItems(house.needsYou, event) }
    default:
      return { ...house, emergency: foldEmergency(house.emergency, event) }
  }
}
