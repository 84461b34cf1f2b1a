/** Decides an act on one agent, or says why not. A stronger act cancels a weaker one that is under way. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentEffect } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { Act, AgentRecord } from '../contract/records.ts'
import { DEADLINE_MS, firstEffect, firstStep, STARTING } from './act-effects.ts'
import { arbitrate } from './arbitrate.ts'
import { one } from './durations.ts'
import { endAct } from './end-act.ts'
import { fingerprint } from './fingerprint.ts'
import type { Proposal } from './proposals.ts'
import { agentOf, nextEffectId, record, type Turn } from './turn.ts'

export function propose(turn: Turn, id: AgentId, proposal: Proposal): Refusal | undefined {
  const agent = agentOf(turn, id)
  const ruling = arbitrate(turn.world, agent, proposal)
  if (!ruling.go) return ruling.refusal
  if (agent.act !== undefined) cancel(turn, agent, proposal)
  const starts = STARTING.includes(proposal.kind)
  const generation = starts ? agent.generation + 1 : agent.generation
  const effectId = nextEffectId(turn)
  const run = `r-${effectId}`
  const effect = firstEffect(proposal, { id: effectId, agent: id, generation }, { run, letters: turn.world.letters })
  const act: Act = {
    kind: proposal.kind,
    effect: effect.id,
    step: firstStep(proposal),
    generation,
    ...(starts ? { run } : {}),
    ...partsOf(agent, proposal, effect),
    precedence: proposal.precedence,
    by: proposal.by,
    reason: proposal.reason,
    attempts: 1,
    decidedAt: turn.now,
    deadlineAt: turn.now + DEADLINE_MS[proposal.kind],
  }
  record(turn, {
    type: 'act.decided',
    agent: id,
    generation,
    act,
    citations: proposal.citations,
    ...proposal.experiment,
  })
  turn.effects.push(effect)
  turn.toJudge.add(id)
  return undefined
}

function cancel(turn: Turn, agent: AgentRecord, { by, kind }: Proposal): void {
  endAct(turn, agent, { result: 'cancelled', detail: `${by} wants ${one(kind)}` })
}

type Parts = Pick<Act, 'fingerprint' | 'message' | 'session' | 'model' | 'again' | 'handoff' | 'handed'>

function partsOf(agent: AgentRecord, proposal: Proposal, effect: AgentEffect): Parts {
  const { kind, message, session, model, again, handoff, handed } = proposal
  const left = kind === 'clear' ? agent.sessionId : session?.id
  return {
    ...(effect.type === 'session.type' ? { fingerprint: handed?.heard ?? fingerprint(effect.text) } : {}),
    ...(message === undefined ? {} : { message: message.id }),
    ...(left === undefined ? {} : { session: left }),
    ...(model === undefined ? {} : { model }),
    ...(again === undefined ? {} : { again }),
    ...(handoff === undefined ? {} : { handoff }),
    ...(handed === undefined ? {} : { handed: true }),
  }
}
