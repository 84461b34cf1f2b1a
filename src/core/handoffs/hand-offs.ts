/** Who may hand an agent's work to whom, and how often: a wish becomes a hand-off, or is refused with the reason. */
import type { Command, Refusal } from '../../contract/commands.ts'
import type { Estimate, Handoff, HandoffMethod, HandoffTarget, HandoffTrigger } from '../../contract/handoffs.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { HOUR } from '../durations.ts'
import { inWords, mayBeRefused, nameOf, tooLateHint } from './hand-off-end.ts'
import { reckonLast } from './hand-off-reckon.ts'
import { heldFrom, newCycle, uncycled } from './new-cycle.ts'
import { newHandoff } from './new-hand-off.ts'
import { walkHandoff } from './hand-off-steps.ts'
import { startHandBack } from './hand-back.ts'
import { barredByLoan } from './loans.ts'
import { isNotWoken, promised, specialistTarget, untakenBySpecialist } from './specialists.ts'
import { noAgent } from '../session-commands.ts'
import { unknownProgram } from '../routing/known-models.ts'
import { usualModelOf } from '../routing/route.ts'
import { isDearer, tierOf } from '../routing/tiers.ts'
import { currentTask } from '../tasks/current-task.ts'
import { agentOf, record, type Turn } from '../turn.ts'
import type { World } from '../world.ts'

export interface HandoffWish {
  agent: string
  to: HandoffTarget
  trigger: HandoffTrigger
  reason: string
  by: string
  isAsked: boolean
  evidence?: readonly string[] | undefined
  /** Of the occasion. */
  key?: string | undefined
  /** The task that it is for, where that is not the one under way. */
  task?: string | undefined
  /** How it is with the agent, as far as whoever wishes it knows. */
  context?: Handoff['context']
  method?: HandoffMethod | undefined
  /** Only proposed: it waits for a yes. */
  ask?: true | undefined
}

export function commandHandoff(
  turn: Turn,
  by: string,
  command: Extract<Command, { type: 'handoff.start' }>,
): Refusal | undefined {
  const { agent, to, method, ask, reason = 'a person asked for it' } = command
  return startHandoff(turn, { agent, to, method, ask, reason, by, isAsked: true, trigger: 'manual' })
}

export function commandBack(
  turn: Turn,
  by: string,
  { agent: id, reason = 'a person asked for it' }: Extract<Command, { type: 'handoff.back' }>,
): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  return startHandBack(turn, agent, { trigger: 'manual', reason, by, isAsked: true })
}

export function startHandoff(turn: Turn, wish: HandoffWish): Refusal | undefined {
  const agent = turn.world.agents.get(wish.agent)
  if (agent === undefined) return noAgent(wish.agent)
  if (agent.lent !== undefined) return endLoan(turn, agent, wish)
  const to = targetOf(turn.world, agent, wish.to)
  const refusal = refusalOf(turn, agent, wish)
  if (refusal !== undefined) return refusal
  reckonLast(turn, agent)
  const handoff = handoffOf(turn, agent, { wish, to })
  record(turn, { type: 'handoff.proposed', agent: agent.id, generation: agent.generation, handoff })
  walkHandoff(turn, agentOf(turn, agent.id), { input: handoff.gate === undefined ? 'free' : 'gated' })
  turn.toJudge.add(agent.id)
  return undefined
}

/** Why not, before anything is done. */
export function refusalOf(
  { world, now }: Pick<Turn, 'world' | 'now'>,
  agent: AgentRecord,
  wish: HandoffWish,
): Refusal | undefined {
  const wished = { wish, to: targetOf(world, agent, wish.to) }
  return (
    unwanted(agent, wish) ??
    unfit(world, agent) ??
    heldFrom(world, agent, wish.isAsked) ??
    untaken(world, agent, wished) ??
    tooMany({ world, now }, agent, wished)
  )
}

/** That its specialist is done is a reason for its work to come back; for anything else it has to be back first. */
function endLoan(turn: Turn, agent: AgentRecord, wish: HandoffWish): Refusal | undefined {
  const { trigger, reason, by, isAsked } = wish
  if (ENDS_LOAN.includes(trigger) && !wasTried(agent, wish)) {
    return startHandBack(turn, agent, { trigger, reason, by, isAsked })
  }
  return barredByLoan(agent, { isHuman: isAsked })
}

/** A specialist that did not give it back for this is not asked for it again; a person knows of it. */
function wasTried({ lent, handoffs = [] }: AgentRecord, { trigger, reason }: HandoffWish): boolean {
  return handoffs.some(
    (past) =>
      past.giver === lent?.to &&
      past.startedAt >= (lent?.at ?? 0) &&
      past.trigger === trigger &&
      reason.startsWith(past.reason),
  )
}

const ENDS_LOAN: readonly HandoffTrigger[] = ['tests_pass', 'task_complete', 'review_approved', 'security_concern']

type To = Handoff['to']
type Wished = { wish: HandoffWish; to: To }

/** Who that is, by name. */
export function targetOf(world: World, agent: AgentRecord, to: HandoffTarget): To {
  const { specialist } = to
  if (specialist !== undefined) return specialistTarget(world, agent, { ...to, specialist })
  const { runtime = agent.runtime } = to
  // A model of one runtime says nothing to another.
  const usual = runtime === agent.runtime ? undefined : usualModelOf(runtime, world.settings.routing)
  return { model: to.model ?? usual ?? agent.model, runtime }
}

/** A person said that rules leave this agent's work where it is. */
function unwanted({ id, autoHandoff }: AgentRecord, { isAsked }: HandoffWish): Refusal | undefined {
  if (isAsked || autoHandoff !== 'off') return undefined
  const hint = `Allow them with \`pan handoff auto ${id} on\`, or hand it over yourself.`
  return { code: 'conflict', sentence: `automatic hand-offs of ${id} are off`, hint }
}

/** Why the work of this agent cannot be handed over now, to whomever. */
export function unfit({ house }: World, agent: AgentRecord): Refusal | undefined {
  const { id, handoff, lifecycle, adopted } = agent
  if (house.emergency.state !== 'armed') {
    const hint = 'Re-arm with `pan cloister resume` when it is safe.'
    return { code: 'emergency', sentence: 'an emergency stop is in force', hint }
  }
  if (adopted !== undefined) {
    return { code: 'conflict', sentence: `${id} was adopted: its work is never handed over`, hint: 'Do it yourself.' }
  }
  if (handoff !== undefined) {
    const sentence = `${nameOf(agent, handoff)} by ${handoff.by} is ${inWords(handoff.state)} (${handoff.id})`
    const hint = mayBeRefused(handoff)
      ? `Wait for its end, or refuse it: \`pan handoff refuse ${handoff.id}\`.`
      : tooLateHint(agent, handoff)
    return { code: 'conflict', sentence, hint }
  }
  if (agent.needsYou.some(({ kind }) => kind === 'kill_incomplete')) {
    const hint = `End them by hand, then kill it again: \`pan agents kill ${id}\`.`
    return { code: 'conflict', sentence: `processes of ${id} survived its end`, hint }
  }
  if (lives(agent)) return undefined
  const hint = `Start it with the other model: \`pan agents spawn ${id} --model …\`.`
  return { code: 'conflict', sentence: `${id} is ${lifecycle}, so that there is nothing to hand over`, hint }
}

/** Why these hands cannot take it. */
function untaken(world: World, agent: AgentRecord, { wish, to }: Wished): Refusal | undefined {
  const { id, model, runtime } = agent
  const method = methodOf(agent, wish, to)
  if (method === 'context_cycle') return uncycled(world, agent, to)
  const fitting = methodOf(agent, {}, to)
  if (method !== fitting && method !== 'specialist_wake') {
    const hint = `Leave the method out: this would be ${fitting}. A runtime_switch asks for another runtime.`
    return { code: 'invalid', sentence: `the method ${method} does not fit what ${id} is to be handed to`, hint }
  }
  const unknown = unknownProgram(world, to)
  if (unknown !== undefined) return unknown
  if (method === 'specialist_wake') {
    return untakenBySpecialist(world, agent, { to, isAsked: wish.isAsked }) ?? promised(world, agent, to)
  }
  if (to.model !== model || to.runtime !== runtime) return undefined
  return { code: 'conflict', sentence: `${id} already has the model ${model}`, hint: 'Name another one.' }
}

function methodOf({ runtime }: AgentRecord, { method }: Pick<HandoffWish, 'method'>, to: To): HandoffMethod {
  if (method !== undefined) return method
  if (to.specialist !== undefined) return 'specialist_wake'
  return to.runtime === runtime ? 'kill_spawn' : 'runtime_switch'
}

/** Those that were begun count, whatever became of them. */
const NEVER_BEGUN: readonly Handoff['state'][] = ['refused', 'lapsed', 'cancelled']

function tooMany(
  { world, now }: Pick<Turn, 'world' | 'now'>,
  agent: AgentRecord,
  { wish, to }: Wished,
): Refusal | undefined {
  // A full context cannot wait, and has limits of its own.
  if (wish.method === 'context_cycle') return undefined
  const { perIssuePerHour, maxEscalations } = world.settings.handoffs
  const recent = ofIssue(world, agent).filter(({ startedAt }) => startedAt > now - HOUR)
  if (recent.length >= perIssuePerHour) {
    const sentence = `the work of ${agent.issue ?? agent.id} was handed over ${recent.length} times in the last hour`
    return { code: 'conflict', sentence, hint: 'The limit is handoffs.limits.per_issue_per_hour.' }
  }
  const isHelp = to.specialist !== undefined
  if (wish.isAsked || isHelp || !isDearer(to.model, agent.model, world.settings.routing.tiers)) return undefined
  const task = taskOf(agent, wish)
  const escalations = ofIssue(world, agent).filter((each) => each.isEscalation && each.task === task)
  if (escalations.length < maxEscalations) return undefined
  const sentence = `${task} was escalated ${escalations.length} times already`
  return { code: 'conflict', sentence, hint: 'The limit is model_selection.escalation.max_escalations.' }
}

/** Hand-offs are rare, so that a walk over all agents is in order here. */
function ofIssue({ agents }: World, { id, issue }: AgentRecord): Handoff[] {
  const same = [...agents.values()].filter((each) => each.id === id || (issue !== undefined && each.issue === issue))
  return same
    .flatMap(({ handoff, handoffs = [] }) => (handoff === undefined ? handoffs : [...handoffs, handoff]))
    .filter(({ giver, cycle }) => giver === undefined && cycle === undefined)
    .filter(({ state, captured }) => captured !== undefined || !NEVER_BEGUN.includes(state))
}

/** The one that it does, where its list is known; else its issue. */
function taskOf({ id, issue, tasks }: AgentRecord, { task }: HandoffWish): string {
  return (task ?? currentTask(tasks?.tasks ?? [])?.id ?? issue ?? id).slice(0, 100)
}

function handoffOf(turn: Turn, agent: AgentRecord, { wish, to }: Wished): Handoff {
  const { world } = turn
  const gate = gateOf(world.settings, agent, { wish, to })
  // What a specialist does comes on top of what the agent does.
  const isHelp = to.specialist !== undefined
  const estimate = isHelp ? undefined : estimateOf(world, agent, to.model)
  const handoff = newHandoff(turn, agent, {
    method: methodOf(agent, wish, to),
    trigger: wish.trigger,
    reason: wish.reason,
    ...(wish.evidence === undefined ? {} : { evidence: wish.evidence.slice(0, 12).map((each) => each.slice(0, 400)) }),
    ...(wish.key === undefined ? {} : { key: wish.key }),
    by: wish.by,
    isAsked: wish.isAsked && wish.ask !== true,
    to,
    isEscalation: !isHelp && isDearer(to.model, agent.model, world.settings.routing.tiers),
    task: taskOf(agent, wish),
    ...(gate === undefined ? {} : { gate }),
    ...(estimate === undefined ? {} : { estimate }),
    ...contextOf(agent, wish),
  })
  return wish.method === 'context_cycle' ? { ...handoff, cycle: newCycle(turn, agent, handoff.id) } : handoff
}

function contextOf({ gauges }: AgentRecord, { context }: HandoffWish): Pick<Handoff, 'context'> {
  const cost = gauges?.sessionCostUsd
  return { context: { ...context, ...(cost === undefined ? {} : { costAtHandoff: cost }) } }
}

/** Why a person must say yes first; one who asked for it has said so. */
function gateOf(settings: Settings, agent: AgentRecord, { wish, to }: Wished): string | undefined {
  const { requireApproval, autoEscalate } = settings.handoffs
  const { tiers } = settings.routing
  if (wish.ask === true) return 'it was only proposed'
  if (wish.isAsked) return undefined
  const [from, next] = [tierOf(agent.model, tiers), tierOf(to.model, tiers)]
  if (to.runtime !== agent.runtime && requireApproval.includes('cross_runtime')) return 'it changes the runtime'
  if (next === 'opus' && from !== 'opus' && requireApproval.includes('escalate_to_opus')) return 'it escalates to opus'
  if (from === 'opus' && next !== 'opus' && requireApproval.includes('downgrade_from_opus')) return 'it leaves opus'
  if (to.specialist !== undefined) {
    return isNotWoken(settings, to) ? `specialists.${to.specialist}.auto_wake is off` : undefined
  }
  return isDearer(to.model, agent.model, tiers) && !autoEscalate ? 'nothing is escalated by itself' : undefined
}

/** What its present session has cost, and what the same would have cost with the other model, and with the dearest. */
export function estimateOf(
  { prices, settings }: Pick<World, 'prices' | 'settings'>,
  agent: AgentRecord,
  model: string,
): Estimate | undefined {
  const from = agent.gauges?.sessionCostUsd
  const [before, after] = [prices.ratesOf(agent.model), prices.ratesOf(model)]
  const opus = prices.ratesOf(settings.routing.tiers.opus)
  if (from === undefined || before === undefined || after === undefined || before.output === 0) return undefined
  return {
    from,
    to: (from * after.output) / before.output,
    ...(opus === undefined ? {} : { opus: (from * opus.output) / before.output }),
  }
}
