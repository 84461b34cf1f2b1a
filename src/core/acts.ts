/** Acts on one agent, once decided (propose.ts): followed to a verified outcome, and given up when none comes in time. */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Act, ActKind } from '../contract/acts.ts'
import { endDocumentLook } from './handoffs/cycle-document.ts'
import { endDeliveryStep, findLate, hearMessage } from './deliveries.ts'
import { ended, MINUTE } from './durations.ts'
import { endAct } from './end-act.ts'
import { endReckon } from './handoffs/hand-off-reckon.ts'
import { endCapture } from './handoffs/hand-off-steps.ts'
import { endKillStep } from './kill-steps.ts'
import { keep, raise, settle } from './needs-you.ts'
import { endClearStep } from './new-context.ts'
import { endRestStep } from './rest-steps.ts'
import { planAfterKill, planAnew } from './restart-steps.ts'
import { endResumeStep } from './resume-steps.ts'
import { propose } from './propose.ts'
import { recordSaved, reportIncomplete } from './saved-work.ts'
import { ASKED, beginning, resume } from './session-commands.ts'
import { startAgent } from './start-agent.ts'
import { endSuspendStep } from './suspend-steps.ts'
import { endKeep, keepPrompt } from './task-texts.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** How long a text of a rule may wait until the agent says that it took it. */
const HEARING_MS = MINUTE

export function takeOutcome(turn: Turn, effect: AgentEffect, outcome: Outcome): void {
  turn.settled.push({ effect: effect.id, outcome: outcome.result })
  if (effect.type === 'ask.close' || effect.type === 'order.withdraw') return
  if (effect.type === 'task.forget') return
  if (effect.type === 'task.keep') return endKeep(turn, effect, outcome)
  if (effect.type === 'work.rescue') return endRescue(turn, effect, outcome)
  if (effect.type === 'handoff.capture') return endCapture(turn, effect, outcome)
  if (effect.type === 'handoff.see-document') return endDocumentLook(turn, effect, outcome)
  if (effect.type === 'handoff.reckon') return endReckon(turn, effect, outcome)
  const agent = turn.world.agents.get(effect.agent)
  if (agent?.act === undefined || agent.act.effect !== effect.id) {
    if (effect.type === 'session.check-text' && findLate(turn, effect, outcome)) return
    // What the agent itself already said to have worked needs no further outcome.
    const isOver = agent?.act === undefined || (effect.type === 'session.interrupt' && agent.act.kind !== 'interrupt')
    const isMoot = isOver && SAID_BY_AGENT.includes(effect.type) && outcome.result === 'done'
    if (!isMoot) record(turn, { type: 'outcome.dropped', effect: effect.id, result: outcome.result })
    return
  }
  turn.toJudge.add(agent.id)
  STEPS[agent.act.kind](turn, agent, outcome)
}

const SAID_BY_AGENT: readonly AgentEffect['type'][] = [
  'session.type',
  'session.clear',
  'session.interrupt',
  'session.check-text',
  'session.check-rest',
  'order.leave',
]

type Step = (turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out') => void

/** What becomes of an act when its effect has an outcome, or none came in time. */
const STEPS: Record<ActKind, Step> = {
  spawn: endSpawn,
  resume: endResumeStep,
  kill: endKill,
  restore: endRestore,
  suspend: endSuspendStep,
  switch: endSuspendStep,
  message: endDeliveryStep,
  interrupt: endRestStep,
  rest: endRestStep,
  clear: endClearStep,
  poke: endText,
  continue: endText,
  nudge: endText,
  answer: endText,
}

function endKill(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  endKillStep(turn, agent, outcome)
  if (agent.act === undefined) return
  startAgain(turn, agent.id, agent.act)
  planAfterKill(turn, agent.id, agent.act)
}

/** The end of one that was dead already, because a person wants it to run: only now is its work saved. */
function startAgain(turn: Turn, id: AgentId, { again, by, precedence }: Act): void {
  if (again === undefined || agentOf(turn, id).lifecycle !== 'stopped') return
  const { prompt } = again
  const told = prompt === undefined ? beginning(agentOf(turn, id)) : { reason: ASKED, text: prompt }
  const refusal =
    again.resume === true
      ? resume(turn, by, { type: 'agent.resume', agent: id, prompt })
      : propose(turn, id, { kind: 'spawn', precedence, by, citations: [], ...told })
  if (refusal !== undefined) reportFailedSpawn(turn, agentOf(turn, id), refusal.sentence)
  else if (again.resume !== true && prompt !== undefined) keepPrompt(turn, id, { by, text: prompt })
}

/** A poke that could not even be typed to an agent that is stuck: whatever is in its way, a person must see to it. */
function endText(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  if (outcome === 'timed_out') return endUnheard(turn, agent)
  if (outcome.result === 'done' && outcome.unconfirmed === true) return awaitHearing(turn, agent)
  endAct(turn, agent, outcome)
  const { id, generation, episode, verdict } = agentOf(turn, agent.id)
  const wasPoke = episode !== undefined && episode.lastPokeAt === agent.act?.decidedAt
  if (!wasPoke || episode.exhausted || outcome.result !== 'not_done' || verdict?.health !== 'stuck') return
  record(turn, { type: 'episode.exhausted', agent: id, generation, pokes: episode.pokes })
}

/** The work of an agent that an emergency stop ended, or that ended by itself. */
function endRescue(turn: Turn, { agent: id, generation }: AgentEffect, outcome: Outcome): void {
  if (!turn.world.agents.has(id)) return
  if (outcome.result === 'done') {
    recordSaved(turn, { id, generation }, outcome)
    return reportIncomplete(turn, agentOf(turn, id), outcome)
  }
  raise(turn, {
    kind: 'salvage_failed',
    agent: id,
    sentence: `The work of ${id} was not saved after it ended (${outcome.detail ?? outcome.result}).`,
    hint: `Whatever it left lies in ${agentOf(turn, id).workspace} alone. Look at it before you start the agent again.`,
  })
}

/** The agent says which text it took: the best proof that a poke or a message arrived. */
export function hear(turn: Turn, sighting: Sighting): void {
  hearMessage(turn, sighting)
  const { agent: id, generation, heard } = sighting
  const agent = turn.world.agents.get(id)
  if (agent?.act === undefined || heard === undefined || agent.generation !== generation) return
  if (TYPED_BY_RULES.includes(agent.act.kind) && agent.act.fingerprint === heard)
    endAct(turn, agent, { result: 'done', detail: 'the agent took it' })
}

const TYPED_BY_RULES: readonly ActKind[] = ['poke', 'continue', 'nudge']

/** Nobody answered in time. What may have happened is left to the next look. */
export function checkDeadline(turn: Turn, agent: AgentRecord): void {
  const { act } = agent
  if (act === undefined || act.deadlineAt > turn.now) return
  turn.settled.push({ effect: act.effect, outcome: 'unknown' })
  STEPS[act.kind](turn, agent, 'timed_out')
}

function endUnheard(turn: Turn, agent: AgentRecord): void {
  if (agent.act?.step !== 'confirming') endAct(turn, agent, { result: 'timed_out' })
  else endAct(turn, agent, { result: 'unknown', detail: 'typed, but never heard' })
}

function awaitHearing(turn: Turn, { id: agent, act }: AgentRecord): void {
  if (act === undefined) return
  const { effect, generation, attempts } = act
  const deadlineAt = turn.now + HEARING_MS
  record(turn, { type: 'act.stepped', agent, generation, effect, step: 'confirming', attempts, deadlineAt })
}

/** What was replaced by force is itself a salvage. */
function endRestore(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const ref = outcome === 'timed_out' ? undefined : outcome.salvageRef
  if (ref !== undefined) {
    record(turn, { type: 'agent.salvaged', agent: agent.id, generation: agent.generation, ref, replaced: true })
  }
  endAct(turn, agent, outcome === 'timed_out' ? { result: 'timed_out' } : outcome)
}

/** Unknown is not dead: a start that may have succeeded is watched, and found by its tag if it must be ended. */
function endSpawn(turn: Turn, agent: AgentRecord, answer: Outcome | 'timed_out'): void {
  const outcome: Outcome =
    answer === 'timed_out' ? { result: 'unknown', detail: 'nobody confirmed it in time' } : answer
  endAct(turn, agent, outcome)
  if (outcome.result === 'not_done' || outcome.result === 'fenced') {
    // What becomes of the work then, the hand-off sees to.
    if (agent.act?.handoff !== undefined || planAnew(turn, agent, outcome.detail)) return undefined
    return reportFailedSpawn(turn, agent, outcome.detail ?? `the outcome was ${outcome.result}`)
  }
  startAgent(turn, agent, outcome)
  const failed = agent.needsYou.find((item) => item.kind === 'spawn_failed')
  if (failed !== undefined) settle(turn, failed, 'cloister')
}

function reportFailedSpawn(turn: Turn, agent: AgentRecord, why: string): void {
  keep(turn, true, {
    kind: 'spawn_failed',
    agent: agent.id,
    sentence: ended(`${agent.id} could not be started: ${why}`),
    hint: `Look at its workspace ${agent.workspace}, then start it again with \`pan agents spawn ${agent.id}\`.`,
  })
}
