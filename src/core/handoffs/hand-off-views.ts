/** Hand-offs as they are shown and published. Whether one was done and whether it helped are counted apart. */
import type { Handoff } from '../../contract/handoffs.ts'
import type { HandoffEvent, HandoffsView } from '../../contract/handoff-views.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { handoffEvent } from './hand-off-event.ts'
import type { World } from '../world.ts'

export interface HandoffWishes {
  limit: number
  /** Those that began at or after this instant of the wall clock. */
  sinceWallAt?: number | undefined
  agent?: AgentId | undefined
  issue?: string | undefined
  trigger?: Handoff['trigger'] | undefined
  method?: Handoff['method'] | undefined
  /** «open» is every state that is no result. */
  state?: Handoff['state'] | 'open' | undefined
}

/** The newest first. */
export function handoffsView({ agents }: Pick<World, 'agents'>, wishes: HandoffWishes): HandoffsView {
  const { limit, sinceWallAt = -Infinity, agent: id, issue } = wishes
  const all = [...agents.values()]
    .filter((agent) => (id === undefined || agent.id === id) && (issue === undefined || agent.issue === issue))
    .flatMap((agent) => handoffsOf(agent).map((handoff) => ({ agent, handoff })))
    .filter(({ handoff }) => handoff.startedWallAt >= sinceWallAt && isWanted(handoff, wishes))
    .toSorted((a, b) => b.handoff.startedWallAt - a.handoff.startedWallAt)
  const begun = all.filter(({ handoff }) => isCounted(handoff))
  const judged = all.filter(({ handoff: { outcome } }) => outcome !== undefined && outcome.recovered !== 'unknown')
  return {
    handoffs: all.slice(0, limit).map(({ agent, handoff }) => handoffEvent(agent, handoff)),
    total: all.length,
    operation: rate(begun.filter(({ handoff }) => handoff.state === 'done').length, begun.length),
    recovery: rate(judged.filter(({ handoff }) => handoff.outcome?.recovered === 'yes').length, judged.length),
  }
}

function isWanted(handoff: Handoff, { trigger, method, state }: HandoffWishes): boolean {
  if (trigger !== undefined && handoff.trigger !== trigger) return false
  if (method !== undefined && handoff.method !== method) return false
  return state === undefined || handoff.state === state || (state === 'open' && handoff.endedAt === undefined)
}

/** What a person did not want, or stopped before anything was ended, says nothing of how well it is done. */
function isCounted({ state, hasEndedOld }: Handoff): boolean {
  return COUNTED.includes(state) || (state === 'cancelled' && hasEndedOld === true)
}

const COUNTED: readonly Handoff['state'][] = ['done', 'rolled_back', 'needs_you']

function rate(good: number, of: number): HandoffsView['operation'] {
  return { good, of, ...(of === 0 ? {} : { share: good / of }) }
}

function handoffsOf({ handoff, handoffs = [] }: AgentRecord): readonly Handoff[] {
  return handoff === undefined ? handoffs : [...handoffs, handoff]
}

export function handoffView({ agents }: Pick<World, 'agents'>, id: string): HandoffEvent | undefined {
  for (const agent of agents.values()) {
    const handoff = handoffsOf(agent).find((each) => each.id === id)
    if (handoff !== undefined) return handoffEvent(agent, handoff)
  }
  return undefined
}
