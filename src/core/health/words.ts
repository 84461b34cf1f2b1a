/** The verdict in words: one sentence of reason, and what each witness said with its age. */
import { WITNESSES, type Doing, type Evidence, type Witness } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Cause, Citation } from '../../contract/verdict.ts'
import { duration, MINUTE } from '../durations.ts'
import type { Judgement } from './judge.ts'

export function reasonFor({ cause, health, silentMs, unprogressedMs }: Judgement): string {
  const quiet = health === 'active' ? '' : `; no sign of work for ${duration(silentMs)}`
  switch (cause.kind) {
    case 'waiting_permission':
    case 'waiting_user':
    case 'startup_blocked':
    case 'auth_needed':
    case 'dead':
    case 'unknown':
      return causeInWords(cause)
    case 'looping':
      return causeInWords(cause) + (unprogressedMs < MINUTE ? '' : `; no progress for ${duration(unprogressedMs)}`)
    default:
      return `${causeInWords(cause)}${quiet}`
  }
}

export function causeInWords(cause: Cause): string {
  switch (cause.kind) {
    case 'starting':
      return 'starting'
    case 'startup_blocked':
      return `blocked at start: ${cause.what}`
    case 'working_tool':
      return cause.boundMs !== undefined && cause.ageMs > cause.boundMs
        ? `running ${cause.name} for ${duration(cause.ageMs)}, expected ${duration(cause.boundMs)}`
        : `running ${cause.name}`
    case 'thinking':
      return 'thinking'
    case 'waiting_background':
      return `waiting for ${cause.tasks} background task${cause.tasks === 1 ? '' : 's'}`
    case 'waiting_permission':
      return `waiting for your permission: ${cause.what}`
    case 'waiting_user':
      return `waiting for your answer: ${cause.what}`
    case 'rate_limited':
      if (cause.spent === true) return 'held by a spend limit, which you have to raise'
      return cause.tooFar === true
        ? 'held by a usage limit; the end that it told is more than 8 days away and is not believed'
        : 'held by a usage limit'
    case 'api_error':
      return `the model's service fails: ${cause.what}`
    case 'auth_needed':
      return `needs you to sign in: ${cause.what}`
    case 'compacting':
      return 'compacting its context'
    case 'looping':
      return `looping: ${cause.what}${cause.times === 1 ? '' : ` ×${cause.times}`}`
    case 'hung':
      return `hung: ${cause.what}`
    case 'dead':
      return `${deathInWords(cause)}${cause.orphans === true ? ', and processes that it started live on' : ''}`
    case 'unknown':
      return `unknown: ${cause.why}`
  }
}

function deathInWords({ exitCode }: Extract<Cause, { kind: 'dead' }>): string {
  return exitCode === undefined ? 'its process is gone' : `its process ended with code ${exitCode}`
}

export function citationsOf(agent: AgentRecord, now: number): Citation[] {
  return WITNESSES.flatMap((witness) => {
    const evidence = agent.evidence[witness]
    return evidence === undefined ? [] : [cite(witness, evidence, now)]
  })
}

function cite(witness: Witness, evidence: Evidence, now: number): Citation {
  const saidAt = evidence.doingAt === undefined ? evidence.changedAt : Math.max(evidence.doingAt, evidence.changedAt)
  const at = evidence.goneAt ?? saidAt
  return { witness, value: valueOf(witness, evidence), ageMs: Math.max(0, now - at) }
}

function valueOf(witness: Witness, evidence: Evidence): string {
  if (evidence.alive === false) return evidence.exitCode === undefined ? 'gone' : `ended with code ${evidence.exitCode}`
  if (evidence.lost === true) return 'no longer there'
  if (evidence.doing !== undefined) return doingInWords(evidence.doing)
  if (witness === 'process') return evidence.busy === true ? 'alive, using CPU' : 'alive, at rest'
  return 'last change'
}

function doingInWords(doing: Doing): string {
  switch (doing.kind) {
    case 'tool':
      return `tool ${doing.name} open`
    case 'background':
      return `${doing.tasks} in the background`
    case 'looping':
      return `${doing.what} ×${doing.times}`
    case 'startup_blocked':
    case 'permission':
    case 'question':
    case 'api_error':
    case 'auth_needed':
      return `${doing.kind}: ${doing.what}`
    default:
      return doing.kind
  }
}
