/** Decides an act on one agent, or says why not. A stronger act cancels a weaker one that is under way. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentEffect } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Act } from '../contract/acts.ts'
import { DEADLINE_MS, firstEffect, firstStep, STARTING } from './act-effects.ts'
import { arbitrate } from './arbitrate.ts'
import { isTranscribed } from './begin-anew.ts'
import { one } from './durations.ts'
import { endAct } from './end-act.ts'
import { NOTHING_OPEN } from './evidence/open-work.ts'
import { fingerprint } from './fingerprint.ts'
import type { Proposal } from './proposals.ts'
import { taskOf } from './task-list.ts'
import { agentOf, nextEffectId, record, type Turn } from './turn.ts'
import { setAgent } from './world.ts'

export function propose(turn: Turn, id: AgentId, proposal: Proposal): Refusal | undefined {
  const agent = agentOf(turn, id)
  const ruling = arbitrate(turn.world, agent, proposal)
  if (!ruling.go) return ruling.refusal
  if (agent.act !== undefined) cancel(turn, agent, proposal)
  const starts = STARTING.includes(proposal.kind)
  const generation = starts ? agent.generation + 1 : agent.generation
  const effectId = nextEffectId(turn)
  const run = `r-${effectId}`
  const effect = firstEffect(
    proposal,
    { id: effectId, agent: id, generation },
    {
      ...{ run, letters: turn.world.letters, task: starts ? taskOf(agent) : [] },
      wasSeen: isTranscribed(agent, proposal.session?.id),
    },
  )
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
  expectPrompt(turn, id, effect)
  turn.effects.push(effect)
  turn.toJudge.add(id)
  return undefined
}

/** Until its first prompt is heard it is starting, not idle. */
function expectPrompt(turn: Turn, id: AgentId, effect: AgentEffect): void {
  if (effect.type !== 'session.spawn' && effect.type !== 'session.resume') return
  if (effect.handoff === undefined && (effect.prompt ?? '').trim() === '') return
  setAgent(turn.world, { ...agentOf(turn, id), open: { ...NOTHING_OPEN, promptDue: true } })
}

function cancel(turn: Turn, agent: AgentRecord, { by, kind }: Proposal): void {
  endAct(turn, agent, { result: 'cancelled', detail: `${by} wants ${one(kind)}` })
}

type Parts = Pick<Act, 'fingerprint' | 'message' | 'session' | 'anew' | 'model' | 'again' | 'handoff' | 'handed'>

function partsOf(agent: AgentRecord, proposal: Proposal, effect: AgentEffect): Parts {
  const { kind, message, session, anew, model, again, handoff, handed } = proposal
  const left = kind === 'clear' ? agent.sessionId : session?.id
  return {
    ...(effect.type === 'session.type' ? { fingerprint: handed?.heard ?? fingerprint(effect.text) } : {}),
    ...(message === undefined ? {} : { message: message.id }),
    ...(left === undefined ? {} : { session: left }),
    ...(anew === undefined ? {} : { anew }),
    ...(model === undefined ? {} : { model }),
    ...(again === undefined ? {} : { again }),
    ...(handoff === undefined ? {} : { handoff }),
    ...(handed === undefined ? {} : { handed: true }),
  }
}
