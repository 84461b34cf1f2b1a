/** Acts on one agent: decided here, followed to a verified outcome, and given up when none comes in time. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { Act, ActKind, AgentRecord } from '../contract/records.ts'
import { arbitrate } from './arbitrate.ts'
import { ended, MINUTE } from './durations.ts'
import { endAct } from './end-act.ts'
import { fingerprint } from './fingerprint.ts'
import { endKillStep, recordSaved } from './kill-steps.ts'
import { keep, raise, settle } from './needs-you.ts'
import type { Proposal } from './proposals.ts'
import { startAgent } from './start-agent.ts'
import { agentOf, nextEffectId, record, type Turn } from './turn.ts'

const DEADLINE_MS: Record<ActKind, number> = {
  spawn: 2 * MINUTE,
  poke: MINUTE,
  message: MINUTE,
  answer: MINUTE,
  kill: MINUTE,
  /** Longer than bringing back a great worktree may take. */
  restore: 11 * MINUTE,
}
/** How long a typed text may wait until the agent says that it took it. */
const HEARING_MS = MINUTE

/** Decides an act, or says why not. A stronger act cancels a weaker one that is under way. */
export function propose(turn: Turn, id: AgentId, proposal: Proposal): Refusal | undefined {
  const agent = agentOf(turn, id)
  const ruling = arbitrate(turn.world, agent, proposal)
  if (!ruling.go) return ruling.refusal
  if (agent.act !== undefined)
    endAct(turn, agent, { result: 'cancelled', detail: `${proposal.by} wants a ${proposal.kind}` })
  const generation = proposal.kind === 'spawn' ? agent.generation + 1 : agent.generation
  const effectId = nextEffectId(turn)
  const run = `r-${effectId}`
  const effect = effectFor(proposal, { id: effectId, agent: id, generation }, run)
  const act: Act = {
    kind: proposal.kind,
    effect: effect.id,
    step: proposal.kind === 'kill' ? 'salvaging' : 'doing',
    generation,
    ...(proposal.kind === 'spawn' ? { run } : {}),
    ...(effect.type === 'session.type' ? { fingerprint: fingerprint(effect.text) } : {}),
    precedence: proposal.precedence,
    by: proposal.by,
    reason: proposal.reason,
    attempts: 1,
    ...(proposal.again === undefined ? {} : { again: proposal.again }),
    decidedAt: turn.now,
    deadlineAt: turn.now + DEADLINE_MS[proposal.kind],
  }
  record(turn, {
    type: 'act.decided',
    agent: id,
    generation,
    act,
    citations: proposal.citations,
    ...(proposal.poke === undefined ? {} : proposal.poke),
  })
  turn.effects.push(effect)
  turn.toJudge.add(id)
  return undefined
}

export function takeOutcome(turn: Turn, effect: AgentEffect, outcome: Outcome): void {
  turn.settled.push({ effect: effect.id, outcome: outcome.result })
  if (effect.type === 'ask.close') return
  if (effect.type === 'work.rescue') return endRescue(turn, effect, outcome)
  const agent = turn.world.agents.get(effect.agent)
  if (agent?.act === undefined || agent.act.effect !== effect.id) {
    // A text that the agent already said it took needs no further outcome.
    const isMoot = effect.type === 'session.type' && outcome.result === 'done' && agent?.act === undefined
    if (!isMoot) record(turn, { type: 'outcome.dropped', effect: effect.id, result: outcome.result })
    return
  }
  turn.toJudge.add(agent.id)
  if (agent.act.kind === 'kill') {
    endKillStep(turn, agent, outcome)
    startAgain(turn, agent.id, agent.act)
  } else if (agent.act.kind === 'spawn') endSpawn(turn, agent, outcome)
  else if (agent.act.kind === 'restore') endRestore(turn, agent, outcome)
  else if (outcome.result === 'done' && outcome.unconfirmed === true) awaitHearing(turn, agent.id, agent.act)
  else endText(turn, agent, outcome)
}

/** The end of one that was dead already, because a person wants it to run: only now is its work saved. */
function startAgain(turn: Turn, id: AgentId, { again, by, precedence }: Act): void {
  if (again === undefined || agentOf(turn, id).lifecycle !== 'stopped') return
  const text = again.prompt === undefined ? {} : { text: again.prompt }
  propose(turn, id, { kind: 'spawn', precedence, by, reason: 'a person asked for it', citations: [], ...text })
}

/** A poke that could not even be typed to an agent that is stuck: whatever is in its way, a person must see to it. */
function endText(turn: Turn, agent: AgentRecord, outcome: Outcome): void {
  endAct(turn, agent, outcome)
  const { id, generation, episode, verdict } = agentOf(turn, agent.id)
  const wasPoke = episode !== undefined && episode.lastPokeAt === agent.act?.decidedAt
  if (!wasPoke || episode.exhausted || outcome.result !== 'not_done' || verdict?.health !== 'stuck') return
  record(turn, { type: 'episode.exhausted', agent: id, generation, pokes: episode.pokes })
}

/** The work of an agent that an emergency stop ended, or that ended by itself. */
function endRescue(turn: Turn, { agent: id, generation }: AgentEffect, outcome: Outcome): void {
  if (!turn.world.agents.has(id)) return
  if (outcome.result === 'done') return recordSaved(turn, { id, generation }, outcome)
  raise(turn, {
    kind: 'salvage_failed',
    agent: id,
    sentence: `The work of ${id} was not saved after it ended (${outcome.detail ?? outcome.result}).`,
    hint: `It is as it was in ${agentOf(turn, id).workspace}. Look at it before you start the agent again.`,
  })
}

/** The agent says which text it took: the only proof that a message arrived. */
export function hear(turn: Turn, { agent: id, generation, heard }: Sighting): void {
  const agent = turn.world.agents.get(id)
  if (agent?.act === undefined || heard === undefined || agent.generation !== generation) return
  if (agent.act.fingerprint === heard) endAct(turn, agent, { result: 'done', detail: 'the agent took it' })
}

/** Nobody answered in time. What may have happened is left to the next look. */
export function checkDeadline(turn: Turn, agent: AgentRecord): void {
  const { act } = agent
  if (act === undefined || act.deadlineAt > turn.now) return
  turn.settled.push({ effect: act.effect, outcome: 'unknown' })
  if (act.kind === 'kill') endKillStep(turn, agent, 'timed_out')
  else if (act.kind === 'spawn') endSpawn(turn, agent, { result: 'unknown', detail: 'nobody confirmed it in time' })
  else if (act.step === 'confirming') endAct(turn, agent, { result: 'unknown', detail: 'typed, but never heard' })
  else endAct(turn, agent, { result: 'timed_out' })
}

function awaitHearing(turn: Turn, agent: AgentId, { effect, generation, attempts }: Act): void {
  const deadlineAt = turn.now + HEARING_MS
  record(turn, { type: 'act.stepped', agent, generation, effect, step: 'confirming', attempts, deadlineAt })
}

function effectFor(
  proposal: Proposal,
  base: Pick<AgentEffect, 'id' | 'agent' | 'generation'>,
  run: string,
): AgentEffect {
  switch (proposal.kind) {
    case 'spawn':
      return { type: 'session.spawn', ...base, run, ...(proposal.text === undefined ? {} : { prompt: proposal.text }) }
    case 'answer': {
      const { id: ask, request } = proposal.ask ?? { id: 'none', request: '' }
      return { type: 'ask.answer', ...base, ask, request, answer: proposal.text ?? '' }
    }
    case 'kill':
      return { type: 'work.salvage', ...base }
    case 'restore':
      return { type: 'work.restore', ...base, ...(proposal.restore ?? { ref: '' }) }
    case 'poke':
    case 'message':
      return { type: 'session.type', ...base, text: proposal.text ?? '', nonce: base.id }
  }
}

/** What was replaced by force is itself a salvage. */
function endRestore(turn: Turn, agent: AgentRecord, outcome: Outcome): void {
  const { salvageRef: ref } = outcome
  if (ref !== undefined) {
    record(turn, { type: 'agent.salvaged', agent: agent.id, generation: agent.generation, ref })
  }
  endAct(turn, agent, outcome)
}

/** Unknown is not dead: a start that may have succeeded is watched, and found by its tag if it must be ended. */
function endSpawn(turn: Turn, agent: AgentRecord, outcome: Outcome): void {
  endAct(turn, agent, outcome)
  if (outcome.result === 'not_done' || outcome.result === 'fenced') {
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
