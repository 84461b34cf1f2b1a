/** Keeps an item for every agent in trouble that no rule will help, until one can or it recovers. */
import type { NeedsYouKind } from '../contract/needs-you.ts'
import type { AgentRecord } from '../contract/records.ts'
import { ended } from './durations.ts'
import { whyUnhelped } from './help.ts'
import { keep, settle } from './needs-you.ts'
import { SETTLE_MS } from './policies/attention.ts'
import type { Turn } from './turn.ts'
import { isTroubled } from './world.ts'

/** What a person is asked about it already. */
const TELLING: readonly NeedsYouKind[] = [
  ...(['waiting', 'quiet', 'dead', 'no_terminal', 'attention', 'crash_loop', 'escalation', 'approval'] as const),
  ...(['handoff', 'kill_incomplete', 'salvage_failed', 'spawn_failed'] as const),
]

/** When to come back: what keeps the rules off may change at any moment. */
export function keepUnhelped(turn: Turn, agent: AgentRecord): number | undefined {
  const { world, now } = turn
  const { id, needsYou, unhelpedSeen } = agent
  const isTold = needsYou.some(({ kind }) => TELLING.includes(kind))
  const why = isSettled(agent, now) && !isTold && !isNamed(turn, agent) ? whyUnhelped(world, agent) : undefined
  const sentence = ended(`${id} is in trouble, and no rule helps it: ${why}`)
  keep(turn, why !== undefined && sentence !== unhelpedSeen, {
    kind: 'unhelped',
    agent: id,
    sentence,
    hint: hintFor(turn, agent),
  })
  return isTroubled(agent) && !isTold ? now + world.settings.lookEveryMs : undefined
}

/** It is not judged any more: nobody has to help it. */
export function settleUnhelped(turn: Turn, { needsYou }: AgentRecord): void {
  for (const item of needsYou) if (item.kind === 'unhelped') settle(turn, item, 'cloister')
}

/** A common cause must have the time to show. */
function isSettled({ verdict, needsYou }: AgentRecord, now: number): boolean {
  if (needsYou.some(({ kind }) => kind === 'unhelped')) return true
  return verdict !== undefined && now >= (verdict.healthAt ?? verdict.sinceAt) + SETTLE_MS
}

/** The item of the common trouble tells of it. */
function isNamed({ world: { house } }: Turn, { id }: AgentRecord): boolean {
  return house.needsYou.some(({ kind, agents = [] }) => kind === 'mass' && agents.includes(id))
}

function hintFor({ world: { house } }: Turn, { id, adopted, hold }: AgentRecord): string {
  if (adopted !== undefined) return 'Look at it in its own terminal.'
  if (hold !== undefined) return `See why with \`pan explain ${id}\`; \`pan agents release ${id}\` lets the rules act.`
  if (house.monitoring === 'paused')
    return 'Let the rules act with `pan cloister start`, or look after the agent yourself.'
  if (house.mass !== undefined) return 'Rules act again when the common trouble is over, or its item is settled.'
  return `See why with \`pan explain ${id}\`, then ask it with \`pan agents poke ${id}\`, message it, or kill it.`
}
