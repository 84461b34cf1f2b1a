/** Walks a resume through its machine (procedures/resume.ts): each row's action becomes events and effects. */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Act } from '../contract/acts.ts'
import { dropMessages, giveUp, hold, rowOf } from './deliveries.ts'
import { ended, MINUTE } from './durations.ts'
import { endAct } from './end-act.ts'
import { deadWitness } from './health/judge.ts'
import { citationsOf } from './health/words.ts'
import { transition } from './machine.ts'
import { keep, settle } from './needs-you.ts'
import { RESUME, resumeInput, type ResumeInput } from './procedures/resume.ts'
import { summaryText } from './prompts.ts'
import { propose } from './propose.ts'
import type { Proposal } from './proposals.ts'
import { JUDGED_AFTER_MS, planAnew } from './restart-steps.ts'
import { startAgent } from './start-agent.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** How long a generation that was started may take to report itself. */
const PROVING_MS = MINUTE

export function endResumeStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const said = outcome === 'timed_out' ? ({ result: 'unknown' } as const) : outcome
  walk(turn, agent, { input: outcome === 'timed_out' ? 'timed_out' : resumeInput(outcome), said })
}

/** What witnesses say of a generation that has yet to prove itself. */
export function proveResume(turn: Turn, agent: AgentRecord): void {
  if (agent.act?.kind !== 'resume' || agent.act.step !== 'proving') return
  if (agent.evidence.hook !== undefined) walk(turn, agent, { input: 'reported', said: { result: 'done' } })
  else if (deadWitness(agent) !== undefined) walk(turn, agent, { input: 'died', said: { result: 'not_done' } })
}

function walk(turn: Turn, agent: AgentRecord, { input, said }: { input: ResumeInput; said: Outcome }): void {
  const step = agent.act?.step
  if (step !== 'doing' && step !== 'proving') return
  switch (transition(RESUME, step, input).do) {
    case 'prove':
      return prove(turn, agent, said)
    case 'finish':
      return finish(turn, agent, input)
    case 'begin_anew':
      return beginAnew(turn, agent)
    case 'report':
      return report(turn, agent, said)
    case 'none':
      return undefined
  }
}

function prove(turn: Turn, agent: AgentRecord, said: Outcome): void {
  const { id, generation, act } = agent
  if (act === undefined) return
  const { effect, attempts, session, message } = act
  if (said.fresh !== undefined && session !== undefined) lose(turn, agent, { sessionId: session, why: said.fresh })
  const row = rowOf(agent, message)
  // Begun anew, it was told its task; the message is typed to it afterwards.
  if (row?.state === 'queued' && said.fresh === undefined) {
    record(turn, { type: 'message.typed', agent: id, generation, message: row.id, attempts: row.attempts + 1 })
  }
  startAgent(turn, agentOf(turn, id), said)
  const deadlineAt = turn.now + PROVING_MS
  record(turn, { type: 'act.stepped', agent: id, generation, effect, step: 'proving', attempts, deadlineAt })
  proveResume(turn, agentOf(turn, id))
}

function finish(turn: Turn, agent: AgentRecord, input: ResumeInput): void {
  const { act, sessionId } = agent
  const isSame = sessionId === act?.session
  const detail = isSame ? `it goes on with session ${sessionId}` : 'it began another session'
  if (input === 'timed_out') endAct(turn, agent, { result: 'unknown', detail: 'it was started and never reported' })
  else endAct(turn, agent, { result: 'done', detail })
  const failed = agent.needsYou.find((item) => item.kind === 'spawn_failed')
  if (failed !== undefined) settle(turn, failed, 'cloister')
}

/** Its program ended before it said a word: the session is of no use to it. */
function beginAnew(turn: Turn, agent: AgentRecord): void {
  const { id, generation, act, lifecycle } = agent
  if (act === undefined) return
  const code = deadWitness(agent)?.exitCode
  const why = `its program ended at once${code === undefined ? '' : ` with exit code ${code}`}`
  endAct(turn, agent, { result: 'not_done', detail: why })
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: lifecycle, to: 'stopped', why })
  if (act.session !== undefined) lose(turn, agent, { sessionId: act.session, why })
  dropTyped(turn, agent)
  const { by, precedence, reason } = act
  const text = act.handed === undefined ? { text: summaryText(agent), anew: true as const } : {}
  const wish = { kind: 'spawn', by, precedence, reason, citations: citationsOf(agent, turn.now) } as const
  const refusal = propose(turn, id, { ...wish, ...text, ...handoffOf(act), ...experimentOf(act, turn.now) })
  if (refusal !== undefined && act.handoff === undefined) seeToIt(turn, agent, refusal.sentence)
}

/** It is not there: what is tried again by itself is, and of all else a person is told. */
function seeToIt(turn: Turn, agent: AgentRecord, why: string): void {
  if (agent.act?.message === undefined && planAnew(turn, agent, why)) return
  keep(turn, true, {
    kind: 'spawn_failed',
    agent: agent.id,
    sentence: ended(`${agent.id} could not be resumed: ${why}`),
    hint: `Try again with \`pan agents resume ${agent.id}\`, or start it fresh with \`pan agents spawn ${agent.id}\`.`,
  })
}

function handoffOf({ handoff, handed }: Act): Pick<Proposal, 'handoff' | 'handed'> {
  return handoff === undefined ? {} : { handoff, ...(handed === undefined ? {} : { handed: {} }) }
}

/** By a rule it must help, too, whichever try it is; a hand-off judges its own. */
function experimentOf({ precedence, handoff }: Act, now: number): Pick<Proposal, 'experiment'> {
  return precedence === 'human' || handoff !== undefined ? {} : { experiment: { judgeAt: now + JUDGED_AFTER_MS } }
}

/** What was given to a program that ended at once was not taken: it is typed to the next. */
function dropTyped(turn: Turn, agent: AgentRecord): void {
  const row = rowOf(agentOf(turn, agent.id), agent.act?.message)
  const why = 'the session it was for is lost'
  if (row?.state === 'typed') hold(turn, agent.id, { row, why, notBeforeAt: turn.now })
  dropMessages(turn, agent.id, { why, keepQueued: true })
}

function lose(
  turn: Turn,
  { id, generation }: AgentRecord,
  { sessionId, why }: { sessionId: string; why: string },
): void {
  record(turn, { type: 'agent.session-lost', agent: id, generation, sessionId, why })
}

/** The same wish once more; whether anything stands against it by now is asked anew. */
function again(turn: Turn, { id, act }: AgentRecord): boolean {
  const agent = agentOf(turn, id)
  if (act?.session === undefined) return false
  const { by, precedence, reason, session } = act
  const citations = citationsOf(agent, turn.now)
  const wish = { kind: 'resume', by, precedence, reason, citations, ...handoffOf(act) } as const
  const experiment = experimentOf(act, turn.now)
  return (
    propose(turn, id, { ...wish, ...experiment, session: { id: session, summary: summaryText(agent) } }) === undefined
  )
}

/** What only a restart of ours cut off, and verifiably did not happen, is tried again. */
function report(turn: Turn, agent: AgentRecord, { result, detail, held }: Outcome): void {
  const why = detail ?? `the outcome was ${result}`
  endAct(turn, agent, { result: 'not_done', detail: why })
  const row = rowOf(agent, agent.act?.message)
  if (held === true) {
    if (row !== undefined) return hold(turn, agent.id, { row, why, notBeforeAt: turn.now })
    if (again(turn, agent)) return
  }
  if (agent.act?.handoff !== undefined) return
  if (row !== undefined) giveUp(turn, agent.id, { row, why: `it could not be woken: ${why}` })
  seeToIt(turn, agent, why)
}
