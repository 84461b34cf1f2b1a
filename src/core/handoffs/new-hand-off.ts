/** The record of a hand-off that is just proposed: its beginning is the same for all, whoever gives the work to whom. */
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Turn } from '../turn.ts'

type Begun = 'id' | 'from' | 'nonce' | 'state' | 'stateAt' | 'deadlineAt' | 'startedAt' | 'startedWallAt'

export function newHandoff({ world, now, input }: Turn, giver: AgentRecord, given: Omit<Handoff, Begun>): Handoff {
  const { model, runtime, generation, sessionId } = giver
  const id = `h-${world.house.seq + 1}`
  return {
    id,
    ...given,
    reason: given.reason.slice(0, 400),
    from: { model, runtime, generation, ...(sessionId === undefined ? {} : { sessionId }) },
    nonce: fingerprint(`${input.id} ${id}`),
    state: 'proposed',
    startedAt: now,
    startedWallAt: input.wallAt,
    stateAt: now,
    deadlineAt: now,
  }
}
