/** Walks an agent's kill through its machine (procedures/kill.ts): each row's action becomes events and effects. */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { NeedsYou } from '../contract/needs-you.ts'
import type { AgentRecord } from '../contract/records.ts'
import { dropMessages } from './deliveries.ts'
import { MINUTE } from './durations.ts'
import { endAct, stepAct } from './end-act.ts'
import { deathOf } from './health/judge.ts'
import { causeInWords, citationsOf } from './health/words.ts'
import { transition } from './machine.ts'
import { keep, raise, settle } from './needs-you.ts'
import { isEndingStep, KILL, killInput, type EndingStep } from './procedures/kill.ts'
import { propose } from './propose.ts'
import { recordLate, recordSaved, reportIncomplete, reportUnsaved } from './saved-work.ts'
import { agentOf, nextEffectId, record, type Turn } from './turn.ts'

const STEP_MS = MINUTE

export function endKillStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const { act } = agent
  if (act === undefined || !isEndingStep(act.step)) return
  const answer: Partial<Outcome> = outcome === 'timed_out' ? {} : outcome
  const input = outcome === 'timed_out' ? 'timed_out' : killInput(outcome, act.attempts)
  const row = transition(KILL, act.step, input)
  if (act.step === 'salvaging' && input === 'done') recordSaved(turn, agent, answer)
  switch (row.do) {
    case 'end':
      return goOnEnding(turn, agent, { step: 'ending', attempts: 1 })
    case 'retry':
      return goOnEnding(turn, agent, { step: act.step, attempts: act.attempts + 1 })
    case 'save':
      return goOnEnding(turn, agent, { step: 'saving', attempts: 1 })
    case 'finish':
      recordLate(turn, agent, answer)
      finish(turn, agent)
      return reportIncomplete(turn, agent, answer)
    case 'finish_unsaved':
      finish(turn, agent)
      return reportUnsaved(turn, agentOf(turn, agent.id), answer.detail ?? `the outcome was ${input}`)
    case 'report':
      return reportSurvivors(turn, agent, answer.survivors ?? [])
    case 'refuse':
      if (act.step === 'ending') return reportSurvivors(turn, agent, [answer.detail ?? 'another generation lives'])
      return refuseEnding(turn, agent, answer.detail ?? `the outcome was ${input}`)
    case 'none':
      return undefined
  }
}

export function goOnEnding(
  turn: Turn,
  agent: AgentRecord,
  { step, attempts }: { step: EndingStep; attempts: number },
): void {
  const base = { id: nextEffectId(turn), agent: agent.id, generation: agent.generation }
  const since = step === 'saving' ? agent.salvages.at(-1) : undefined
  const effect: AgentEffect =
    step === 'ending'
      ? { type: 'session.end', ...base }
      : { type: 'work.salvage', ...base, ...(since === undefined ? {} : { since }) }
  const act = agent.act === undefined ? {} : { act: agent.act.kind }
  stepAct(turn, agent, { ...act, effect, step, attempts, withinMs: STEP_MS })
}

function finish(turn: Turn, agent: AgentRecord): void {
  endAct(turn, agent, { result: 'done' })
  const isLast = agent.restarts?.exhausted === true && agent.act?.precedence === 'crash'
  const isOrphans = isLast || (agent.act?.precedence === 'crash' && agent.act.by === 'cloister')
  const wasDead = agent.act?.precedence === 'crash' || agent.act?.again !== undefined
  const { handoff } = agent.act ?? {}
  const asked = handoff !== undefined && handoff === agent.errand?.handoff ? agent.act?.reason : undefined
  const handedOver = handoff === undefined ? `killed by ${agent.act?.by}` : 'its work is handed over'
  const why = wasDead ? causeInWords(deathOf(agent)) : (asked ?? handedOver)
  stopAgent(turn, isOrphans ? withDeathUnsettled(agent) : agent, why)
}

/** The end of a generation, by kill or by emergency stop: what was asked of a person about it is moot. */
export function stopAgent(turn: Turn, agent: AgentRecord, why: string): void {
  const { id, generation } = agent
  if (agent.episode !== undefined) {
    record(turn, { type: 'episode.closed', agent: id, generation, pokes: agent.episode.pokes, why: 'ended' })
  }
  const cutShort = agent.handoffs?.at(-1)?.state === 'cancelled' ? agent.handoffs.at(-1)?.id : undefined
  // Where its old session is must be known until somebody goes on, and that its workspace is gone until it is back.
  const isKept = ({ kind, handoff }: NeedsYou) =>
    kind === 'no_workspace' || (kind === 'handoff' && handoff === cutShort)
  for (const item of agent.needsYou) if (!isKept(item)) settle(turn, item, 'cloister')
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: agent.lifecycle, to: 'stopped', why })
  // What was said to one whose work is handed over is for whoever goes on with it.
  dropMessages(turn, id, { why: `it was stopped (${why})`, keepQueued: agent.act?.handoff !== undefined })
}

/**
 * It ended by itself. Its work is saved now; that it is dead stays in the inbox until somebody has seen it. A person who
 * ends a session of his own knows, and his repository is left as it is.
 */
export function stopGone(turn: Turn, agent: AgentRecord): void {
  const { id, generation } = agent
  stopAgent(turn, withDeathUnsettled(agent), causeInWords(deathOf(agent)))
  if (agent.adopted !== undefined) return
  turn.effects.push({ type: 'work.rescue', id: nextEffectId(turn), agent: id, generation })
}

function withDeathUnsettled(agent: AgentRecord): AgentRecord {
  return { ...agent, needsYou: agent.needsYou.filter(({ kind }) => kind !== 'dead' && kind !== 'crash_loop') }
}

/**
 * Its program ended by itself and left processes behind: they carry its tag, and are ended as by a kill, its work saved
 * first. What could not be done is asked of a person, and not tried again while that is open.
 */
export function endOrphans(turn: Turn, agent: AgentRecord): void {
  if (agent.needsYou.some(({ kind }) => kind === 'kill_incomplete' || kind === 'salvage_failed')) return
  const reason = 'its process is gone, and processes that it started live on'
  const citations = citationsOf(agent, turn.now)
  propose(turn, agent.id, { kind: 'kill', precedence: 'crash', by: 'cloister', reason, citations })
}

export function reportSurvivors(turn: Turn, agent: AgentRecord, survivors: readonly string[]): void {
  const { id, generation } = agent
  endAct(turn, agent, { result: 'not_done', detail: 'processes survived' })
  record(turn, { type: 'agent.kill-incomplete', agent: id, generation, survivors: [...survivors] })
  raise(turn, {
    kind: 'kill_incomplete',
    agent: id,
    sentence: `The ${agent.act?.kind ?? 'kill'} of ${id} is incomplete: ${survivors.length === 0 ? 'it was not confirmed' : survivors.join(', ')}.`,
    hint: `${savedBefore(agent)} and may be incomplete: what lives can still write. End the processes by hand, then kill it again, which saves it anew. No successor is started until then.`,
  })
}

function savedBefore({ salvages }: AgentRecord): string {
  const last = salvages.at(-1)
  return last === undefined ? 'Its work was saved before, where there was any,' : `Its work was saved before as ${last}`
}

const ENDED = { kill: 'killed', suspend: 'suspended', switch: 'restarted' } as const
const AGAIN = { kill: 'kill it again', suspend: 'suspend it again', switch: 'switch it again' } as const

export function refuseEnding(turn: Turn, agent: AgentRecord, why: string): void {
  const kind = agent.act?.kind === 'suspend' || agent.act?.kind === 'switch' ? agent.act.kind : 'kill'
  endAct(turn, agent, { result: 'not_done', detail: why })
  keep(turn, true, {
    kind: 'salvage_failed',
    agent: agent.id,
    sentence: `${agent.id} was not ${ENDED[kind]}: its work could not be saved (${why}).`,
    hint: `Look at the repository in ${agentOf(turn, agent.id).workspace}, then ${AGAIN[kind]}.`,
  })
}
