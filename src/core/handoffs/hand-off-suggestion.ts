/** What the rules would do with an agent's work now, without doing it: the first occasion that can be, and its price. */
import type { HandoffSuggestion } from '../../contract/handoff-views.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { heldBack } from '../arbitrate.ts'
import { inWords } from './hand-off-end.ts'
import { estimateOf, refusalOf } from './hand-offs.ts'
import { stuckHealth } from '../escalate.ts'
import { occasionsOf, type Occasion } from '../occasions.ts'
import { escalation } from '../policies/escalation.ts'
import { currentJudgement } from '../views.ts'
import { isWatched, type World } from '../world.ts'

export function suggestionView(world: World, id: AgentId): HandoffSuggestion | undefined {
  const agent = world.agents.get(id)
  if (agent === undefined) return undefined
  const { model, handoff, lifecycle } = agent
  const none = { suggested: false, trigger: null, currentModel: model, suggestedModel: model }
  if (handoff !== undefined) return { ...none, ...openView(world, agent, handoff) }
  if (!isWatched(agent) && lifecycle !== 'idle') return { ...none, reason: `it is ${lifecycle}` }
  const found = agent.adopted === undefined ? firstOf(world, agent) : undefined
  if (found === undefined) return { ...none, reason: whyNot(agent) }
  const { trigger, wish, notNow } = found
  const { evidence = [], key, reason } = wish
  const to = wish.to.model ?? model
  return {
    ...none,
    suggested: true,
    trigger: trigger.trigger,
    suggestedModel: to,
    ...(wish.to.specialist === undefined ? {} : { suggestedSpecialist: wish.to.specialist }),
    reason,
    evidence: [...evidence],
    ...(key === undefined ? {} : { key }),
    ...(notNow === undefined ? {} : { notNow }),
    ...pricedBy(world, agent, to),
  }
}

function openView(world: World, agent: AgentRecord, handoff: NonNullable<AgentRecord['handoff']>) {
  const { to, state, trigger, reason, evidence, key } = handoff
  const isWaiting = state === 'awaiting_approval'
  return {
    suggested: isWaiting,
    trigger,
    suggestedModel: to.model,
    ...(to.specialist === undefined ? {} : { suggestedSpecialist: to.specialist }),
    reason: isWaiting ? reason : `a hand-off to ${to.specialist ?? to.model} is ${inWords(state)}`,
    ...(evidence === undefined ? {} : { evidence }),
    ...(key === undefined ? {} : { key }),
    open: { id: handoff.id, state, to: to.specialist ?? to.model },
    ...pricedBy(world, agent, to.model),
  }
}

interface Found extends Occasion {
  notNow?: string
}

/** The first that can be; where none can, the first, and why it cannot. */
function firstOf(world: World, agent: AgentRecord): Found | undefined {
  const { settings, house } = world
  const now = house.observedAt
  const health = healthOf(world, agent, now)
  const moment = { now, settings, ...(health === undefined ? {} : { health }) }
  let first: Found | undefined
  for (const occasion of occasionsOf(agent, moment)) {
    if ('person' in occasion.trigger.to || occasion.isItself) continue
    const notNow = refusalOf({ world, now }, agent, occasion.wish)?.sentence ?? heldBack(world, agent) ?? occasion.waits
    if (notNow === undefined) return occasion
    first ??= { ...occasion, notNow }
  }
  return first
}

function healthOf(world: World, agent: AgentRecord, now: number) {
  if (!isWatched(agent)) return undefined
  const judgement = currentJudgement(world, agent)
  return stuckHealth(agent, judgement, escalation({ agent, judgement, now, looksSince: 2, settings: world.settings }))
}

function whyNot({ adopted }: AgentRecord): string {
  return adopted === undefined ? 'nothing calls for other hands' : 'it was adopted, and its work stays where it is'
}

function pricedBy(
  world: World,
  agent: AgentRecord,
  model: string,
): Pick<HandoffSuggestion, 'estimate' | 'estimatedSavings'> {
  const estimate = estimateOf(world, agent, model)
  return estimate === undefined ? {} : { estimate, estimatedSavings: estimate.from - estimate.to }
}
