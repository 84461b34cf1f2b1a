/** Begins a context cycle when the rule wants one, and ends the warning of an agent that needed too many. */
import type { AgentId } from '../../contract/ids.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { heldBack } from '../arbitrate.ts'
import { startHandoff } from './hand-offs.ts'
import { openDialog } from '../health/judge.ts'
import { settle } from '../needs-you.ts'
import { contextAdvice, contextFill, cycleThreshold, percent } from '../policies/context.ts'
import { agentOf, type Turn } from '../turn.ts'
import { can, type World } from '../world.ts'

/** When to come back. */
export function cycleWhenFull(turn: Turn, id: AgentId): number | undefined {
  const { world, now } = turn
  const agent = agentOf(turn, id)
  const settings = world.settings.handoffs.cycle
  endWarning(turn, agent)
  if (!isOurs(world, agent)) return undefined
  const advice = contextAdvice({ agent, now, settings, lastBegunAt: () => lastBegunAt(world) })
  if (advice.want === 'nothing') return advice.wakeAt
  const isBusy = agent.act !== undefined || openDialog(agent) !== undefined || heldBack(world, agent) !== undefined
  if (isBusy) return now + world.settings.lookEveryMs
  const wish = { agent: id, to: {}, method: 'context_cycle', trigger: 'context_limit' } as const
  const evidence = [`context: ${percent(contextFill(agent) ?? 0)} of the usable window`]
  const refusal = startHandoff(turn, { ...wish, evidence, reason: advice.reason, by: 'context cycle', isAsked: false })
  return refusal === undefined ? undefined : now + world.settings.lookEveryMs
}

/** Whom the rule may touch at all. */
function isOurs(world: World, agent: AgentRecord): boolean {
  const isFree = [agent.adopted, agent.handoff, agent.limit, agent.lent, agent.autoHandoff].every(
    (each) => each === undefined,
  )
  return lives(agent) && isFree && agent.sessionId !== undefined && can(world, agent, 'clear')
}

/** Asked only when one is to begin, so that a walk over all agents is in order here. */
function lastBegunAt({ agents }: World): number | undefined {
  let last: number | undefined
  for (const { handoff, handoffs = [] } of agents.values()) {
    for (const each of handoff === undefined ? handoffs : [...handoffs, handoff]) {
      if (each.cycle !== undefined) last = Math.max(last ?? each.startedAt, each.startedAt)
    }
  }
  return last
}

/** It was warned of when there were too many (cycle-end.ts). */
function endWarning(turn: Turn, agent: AgentRecord): void {
  const item = agent.needsYou.find(({ kind }) => kind === 'context')
  if (item === undefined) return
  const { warning } = cycleThreshold(agent, turn.now, turn.world.settings.handoffs.cycle)
  if (warning === undefined) settle(turn, item, 'cloister')
}
