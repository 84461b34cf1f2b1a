/** Who did what: the shape of a line in logs/audit.jsonl and logs/refused.jsonl. Texts in it come from outside and are cut. */
import type { Caller } from './caller.ts'
import type { Door } from './door-env.ts'

export interface AuditEntry {
  /** `you`, an agent's id, or `nobody`. */
  who: string
  via: 'cli' | 'dashboard' | 'run' | 'none'
  door: Door['via']
  /** A route such as `POST /api/agents/:id/kill`, or a deed such as `terminal take-over`. */
  what: string
  agent?: string
  /** The status it was answered with. */
  code: number
  requestId: string
}

/** `folded`: such lines may come in masses; they are counted, and written at most once a second. */
export type Audit = (entry: AuditEntry, folded: boolean) => void

export type Note = (what: string, agent?: string, code?: number) => void

const LONGEST = 120

export function auditEntry(
  caller: Caller,
  { door, what, agent, code, requestId }: Omit<AuditEntry, 'who' | 'via'>,
): AuditEntry {
  return {
    ...whoIs(caller),
    door,
    what: what.slice(0, LONGEST),
    ...(agent === undefined ? {} : { agent: agent.slice(0, LONGEST) }),
    code,
    requestId: requestId.slice(0, LONGEST),
  }
}

function whoIs(caller: Caller): Pick<AuditEntry, 'who' | 'via'> {
  switch (caller.kind) {
    case 'owner':
      return { who: 'you', via: caller.via }
    case 'run':
      return { who: caller.agent, via: 'run' }
    case 'stranger':
      return { who: 'nobody', via: 'none' }
  }
}
