/** Walks a suspend, or a switch of the model, through its machine (procedures/suspend.ts). */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import { endAct } from './end-act.ts'
import { citationsOf } from './health/words.ts'
import { goOnEnding, refuseEnding, reportSurvivors } from './kill-steps.ts'
import { transition } from './machine.ts'
import { settle } from './needs-you.ts'
import { isEndingStep, killInput } from './procedures/kill.ts'
import { SUSPEND, type SuspendInput } from './procedures/suspend.ts'
import { summaryText } from './prompts.ts'
import { propose } from './propose.ts'
import { recordLate, recordSaved, reportIncomplete, reportUnsaved } from './saved-work.ts'
import { agentOf, record, type Turn } from './turn.ts'

export function endSuspendStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const { act } = agent
  if (act === undefined || !isEndingStep(act.step)) return
  const answer: Partial<Outcome> = outcome === 'timed_out' ? {} : outcome
  const input = inputOf(agent, outcome, act)
  if (act.step === 'salvaging' && answer.result === 'done') recordSaved(turn, agent, answer)
  switch (transition(SUSPEND, act.step, input).do) {
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
      if (input === 'awake') return endAct(turn, agent, { result: 'not_done', detail: 'it works again' })
      return refuseEnding(turn, agent, answer.detail ?? `the outcome was ${input}`)
    case 'none':
      return undefined
  }
}

/** Saved or not: one that works again by then is not put to sleep. */
function inputOf(
  { lifecycle }: AgentRecord,
  outcome: Outcome | 'timed_out',
  { step, attempts }: { step: string; attempts: number },
): SuspendInput {
  if (outcome === 'timed_out') return 'timed_out'
  const input = killInput(outcome, attempts)
  return step === 'salvaging' && input === 'done' && lifecycle !== 'idle' ? 'awake' : input
}

function finish(turn: Turn, agent: AgentRecord): void {
  const { id, generation, act, lifecycle, model } = agent
  endAct(turn, agent, { result: 'done' })
  if (agent.episode !== undefined) {
    record(turn, { type: 'episode.closed', agent: id, generation, pokes: agent.episode.pokes, why: 'ended' })
  }
  for (const item of agent.needsYou) if (item.kind !== 'undelivered') settle(turn, item, 'cloister')
  const why = `${act?.kind === 'switch' ? 'its model is switched' : 'suspended'} by ${act?.by}`
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: lifecycle, to: 'suspended', why })
  if (act?.model === undefined) return
  const { by, precedence, reason, model: to } = act
  record(turn, { type: 'agent.model-changed', agent: id, generation, from: model, to, by })
  const woken = agentOf(turn, id)
  if (woken.sessionId === undefined) return
  const session = { id: woken.sessionId, summary: summaryText(woken) }
  propose(turn, id, { kind: 'resume', by, precedence, reason, citations: citationsOf(woken, turn.now), session })
}
