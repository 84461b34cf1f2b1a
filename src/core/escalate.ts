/** Hands the work of an agent on when there is an occasion for it; of a stuck one it says why nobody takes over. */
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Judged } from './advise.ts'
import { heldBack, houseHeldBack } from './arbitrate.ts'
import { ended, MINUTE } from './durations.ts'
import { startHandoff } from './handoffs/hand-offs.ts'
import type { TriggerFacts } from './handoffs/triggers/trigger.ts'
import type { Judgement } from './health/judge.ts'
import { keep } from './needs-you.ts'
import { occasionsOf, type Occasion } from './occasions.ts'
import { escalation, stuckFor, type Escalation } from './policies/escalation.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** One that rests is not judged, and so not stuck. When to come back. */
export function handOn(turn: Turn, id: AgentId, judged?: Judged): number | undefined {
  const agent = agentOf(turn, id)
  const { world, now } = turn
  if (agent.adopted !== undefined || agent.handoff !== undefined) {
    keepTold(turn, id, undefined)
    return undefined
  }
  const stuck: Escalation =
    judged === undefined ? { want: 'nothing' } : escalation({ ...judged, agent, now, settings: world.settings })
  const isStuck = stuck.want !== 'nothing'
  const health = judged === undefined ? undefined : stuckHealth(agent, judged.judgement, stuck)
  const { refused, isHeld } = tryAll(turn, id, health)
  const wakeAt = stuck.want === 'nothing' ? stuck.wakeAt : undefined
  // One that is stuck all the same, and only has to wait for the next look, is told of as before.
  if (isHeld) return now + world.settings.lookEveryMs
  if (isStuck || wakeAt === undefined) keepTold(turn, id, isStuck ? refused.stuck : undefined)
  const again = refused.other === undefined ? Infinity : now + AGAIN_MS
  const at = Math.min(wakeAt ?? Infinity, again)
  return at === Infinity ? undefined : at
}

/** What could not be now is tried again. */
const AGAIN_MS = MINUTE

/** Nothing helped it by itself: the last rung before its end, whatever its minutes are. */
export function escalateHelpless(turn: Turn, id: AgentId, reason: string): void {
  const agent = agentOf(turn, id)
  if (agent.adopted !== undefined || agent.handoff !== undefined) return
  const forMs = turn.now - Math.min(agent.progressedAt, agent.producedAt)
  const says = { isQuiet: true, isHelpless: true, says: reason } as const
  tryAll(turn, id, { cause: 'hung', forMs, sinceAt: agent.progressedAt, ...says })
}

/** As it is put before the triggers; undefined when it is not stuck, or not for long enough. */
export function stuckHealth(agent: AgentRecord, judgement: Judgement, stuck: Escalation): TriggerFacts['health'] {
  const forMs = stuckFor(agent, judgement)
  if (stuck.want === 'nothing' || forMs === undefined) return undefined
  return { cause: judgement.cause.kind, forMs, isQuiet: true, sinceAt: agent.progressedAt, says: stuck.reason }
}

interface Tried {
  /** Why not, in words; of one that is stuck, and of any other. */
  refused: { stuck?: string; other?: string }
  isHeld: boolean
}

function tryAll(turn: Turn, id: AgentId, health: TriggerFacts['health']): Tried {
  const { world, now } = turn
  const agent = agentOf(turn, id)
  const refused: Tried['refused'] = {}
  const moment = { now, settings: world.settings, ...(health === undefined ? {} : { health }) }
  for (const occasion of occasionsOf(agent, moment)) {
    const { trigger } = occasion
    const isStuck = trigger.trigger === 'stuck_escalation'
    // When that begins depends on others, too (handoffs/cycle-watch.ts).
    if (trigger.trigger === 'context_limit') continue
    if ('person' in trigger.to) {
      refused.stuck = 'there is no dearer model'
      continue
    }
    if (occasion.waits !== undefined || isKept(turn, agent)) return { refused, isHeld: true }
    const why = begin(turn, agent, occasion)
    if (why === undefined) return { refused: {}, isHeld: false }
    refused[isStuck ? 'stuck' : 'other'] = why
  }
  return { refused, isHeld: false }
}

/** That a specialist has its work keeps others from it, and not what ends that. */
function isKept({ world }: Turn, agent: AgentRecord): boolean {
  const isLent = agent.lent !== undefined && agent.hold === undefined
  return (isLent ? houseHeldBack(world) : heldBack(world, agent)) !== undefined
}

/** Why not, in words. */
function begin(turn: Turn, agent: AgentRecord, { trigger, wish, isItself }: Occasion): string | undefined {
  // Who already has the right model has nobody to hand it to, unless somebody else has the work just now.
  const why = startHandoff(turn, isItself ? { ...wish, to: {} } : wish)?.sentence
  const isLent = agent.lent !== undefined
  if (!isItself || (isLent ? why !== undefined : why === undefined)) return why
  const { id, generation, assignment, lifecycle } = agent
  const { key = '', reason } = wish
  record(turn, { type: 'handoff.spared', agent: id, generation, key, trigger: trigger.trigger, reason })
  if (lifecycle === 'idle' && assignment === undefined && !isLent) {
    const waiting = { what: ended(reason), by: wish.by, at: turn.now, nudges: 0 }
    record(turn, { type: 'work.assigned', agent: id, generation, assignment: waiting })
  }
  return undefined
}

function keepTold(turn: Turn, id: AgentId, why: string | undefined): void {
  const { model } = agentOf(turn, id)
  keep(turn, why !== undefined, {
    kind: 'escalation',
    agent: id,
    sentence: ended(`${id} (${model}) is stuck, and its work is not handed on: ${why}`),
    hint: `See why with \`pan explain ${id}\`; hand it on yourself with \`pan handoff start ${id} --to <model>\`.`,
  })
}
