/** Hand-offs to start tests from. */
import type { Handoff } from '../../src/contract/handoffs.ts'

export function handoffRecord(given: Partial<Handoff> = {}): Handoff {
  return {
    id: 'h-7',
    method: 'kill_spawn',
    trigger: 'manual',
    reason: 'a person asked for it',
    by: 'you',
    isAsked: true,
    from: { model: 'sonnet', runtime: 'virtual', generation: 1, sessionId: 'session-1' },
    to: { model: 'opus', runtime: 'virtual' },
    isEscalation: true,
    task: 'pan-18',
    nonce: 'abcd1234',
    state: 'capturing',
    startedAt: 0,
    startedWallAt: 0,
    stateAt: 0,
    deadlineAt: 60_000,
    ...given,
  }
}
