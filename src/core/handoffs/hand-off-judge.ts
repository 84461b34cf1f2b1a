/**
 * Whether a hand-off that was done has helped: by its successor's own progress within its time, by a closed
 * task, or by a person's word. That it was done is another question, and is answered when it ends.
 */
import type { Handoff, HandoffOutcome } from '../../contract/handoffs.ts'
import type { AgentId } from '../../contract/ids.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE } from '../durations.ts'
import { reckon } from './hand-off-reckon.ts'
import { agentOf, record, type Turn } from '../turn.ts'

/** The first work proves that it was done; that it helped shows in what comes after. */
const FIRST_WORK_MS = MINUTE

/** When to come back for one that is not decided yet. */
export function judgeHandoffs(turn: Turn, id: AgentId): number | undefined {
  let nextAt: number | undefined
  for (const handoff of agentOf(turn, id).handoffs ?? []) {
    const { judgeAt } = handoff
    if (judgeAt === undefined) continue
    const agent = agentOf(turn, id)
    const isClosed = hasClosed(agent, handoff)
    const taker = turn.world.agents.get(handoff.to.specialist ?? id) ?? agent
    const recovered = isClosed ? 'yes' : helped(taker, handoff, turn.now)
    if (recovered === undefined) nextAt = Math.min(nextAt ?? Infinity, judgeAt)
    else {
      const method = isClosed ? 'task_complete' : 'heartbeat'
      const outcome: HandoffOutcome = { recovered, method, wallAt: turn.input.wallAt }
      record(turn, { type: 'handoff.judged', agent: id, generation: agent.generation, handoff: handoff.id, outcome })
      reckon(turn, agent, handoff.id)
    }
  }
  return nextAt
}

/** The task that it was for was closed by the successor; while a specialist helps, the list is still the agent's. */
function hasClosed(agent: AgentRecord, handoff: Handoff): boolean {
  const isSame = handoff.to.specialist === undefined ? isSuccessor(agent, handoff) : isOlder(agent, handoff)
  return isSame && (agent.signals?.closed ?? []).some(({ id }) => id === handoff.task)
}

function helped(agent: AgentRecord, handoff: Handoff, now: number): HandoffOutcome['recovered'] | undefined {
  const { endedAt = 0, judgeAt = 0 } = handoff
  const isSame = isSuccessor(agent, handoff)
  const isSteered = (agent.steeredAt ?? 0) > endedAt
  const progressed = agent.progressedAt > endedAt + FIRST_WORK_MS
  if (isSame && !isSteered && progressed && isWell(agent) && isCured(agent, handoff)) return 'yes'
  if (now < judgeAt) return undefined
  // Whoever was stopped, or started anew, had no time to show it.
  if (!lives(agent) || !isSame) return 'unknown'
  // What it did after a word of ours may be owed to that word.
  return isSteered && progressed && isWell(agent) && isCured(agent, handoff) ? 'unknown' : 'no'
}

function isSuccessor(agent: AgentRecord, handoff: Handoff): boolean {
  const { successorGeneration } = handoff
  return successorGeneration === undefined ? isOlder(agent, handoff) : agent.generation === successorGeneration
}

function isOlder({ startedAt }: AgentRecord, { endedAt = 0 }: Handoff): boolean {
  return startedAt !== undefined && startedAt <= endedAt
}

function isWell({ verdict }: AgentRecord): boolean {
  return verdict?.health !== 'warning' && verdict?.health !== 'stuck'
}

/** What it was done for is over, as far as that can be seen. */
function isCured({ signals }: AgentRecord, { trigger }: Handoff): boolean {
  if (trigger === 'test_failure') return signals?.tests?.at(-1)?.result === 'passed'
  return trigger !== 'merge_conflict' || (signals?.conflict ?? []).length === 0
}
