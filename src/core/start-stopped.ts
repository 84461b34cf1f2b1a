/** Starts again whom an emergency stop ended: each goes on with its session where it can, else anew with its task. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { ended } from './durations.ts'
import { citationsOf } from './health/words.ts'
import { refuseStart, settleStopped, startable } from './last-stop.ts'
import { keep } from './needs-you.ts'
import { stoppedText } from './prompts.ts'
import { propose } from './propose.ts'
import { startProposal } from './session-commands.ts'
import { agentOf, type Turn } from './turn.ts'

/** Once it is over; while it is in force the wish is kept with it. */
export function startStopped(turn: Turn, by: string, wanted: readonly AgentId[] | true): Refusal | undefined {
  const refusal = refuseStart(turn.world, wanted)
  if (refusal !== undefined) return refusal
  const able = startable(turn.world)
  for (const id of wanted === true ? able : wanted) start(turn, by, id)
  settleStopped(turn)
  return undefined
}

/** Who was at work goes on with it; who rested rests. */
function start(turn: Turn, by: string, id: AgentId): void {
  const wasAtWork = turn.world.house.lastStop?.atWork?.includes(id) === true
  const wanted = startProposal(turn, agentOf(turn, id), by)
  const told = wasAtWork && wanted.kind === 'resume' ? { text: stoppedText() } : {}
  const refusal = propose(turn, id, {
    ...wanted,
    ...told,
    reason: REASON,
    citations: citationsOf(agentOf(turn, id), turn.now),
  })
  if (refusal === undefined) return
  keep(turn, true, {
    kind: 'spawn_failed',
    agent: id,
    sentence: ended(`${id} could not be started again after the emergency stop: ${refusal.sentence}`),
    hint: refusal.hint,
  })
}

const REASON = 'it was ended by the emergency stop, and a person starts it again'
