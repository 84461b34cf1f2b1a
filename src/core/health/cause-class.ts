/** What is told of a cause over a stretch of time: the way an agent works changes with every call, that it works does not. */
import type { EventOf } from '../../contract/events.ts'
import type { CauseClass, CauseKind, WorkKind } from '../../contract/verdict.ts'

export function classOf(kind: CauseKind): CauseClass {
  return isWork(kind) ? 'at_work' : kind
}

/** Of one that works and is not late with a sign of it, the kind of work was true for a moment only. */
export function lasting({ to, cause, reason }: EventOf<'agent.health-changed'>): { cause: CauseClass; reason: string } {
  const told = classOf(cause.kind)
  return { cause: told, reason: to === 'active' && told === 'at_work' ? 'at work' : reason }
}

const WORK: Record<WorkKind, true> = { working_tool: true, thinking: true, waiting_background: true, compacting: true }

function isWork(kind: CauseKind): kind is WorkKind {
  return kind in WORK
}
