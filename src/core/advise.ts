/** Asks every policy that has a say about an agent, carries out what they agree on, and says when to ask again. */
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { strongest } from './arbitrate.ts'
import { chanceFor } from './chance.ts'
import { escalateHelpless } from './escalate.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import type { Judgement } from './health/judge.ts'
import { lenderTo } from './handoffs/loans.ts'
import { afterwards, attention } from './policies/attention.ts'
import { crash } from './policies/crash.ts'
import { idle } from './policies/idle.ts'
import { limits } from './policies/limits.ts'
import { openTasks } from './policies/open-tasks.ts'
import { waitingWork } from './policies/waiting-work.ts'
import { NO_ADVICE, type Advice, type Proposal, type Situation } from './proposals.ts'
import { propose } from './propose.ts'
import { restartOf } from './restart-steps.ts'
import { resumeOf } from './resume-price.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { can } from './world.ts'

/** What is judged of an agent that is active. */
export interface Judged {
  judgement: Judgement
  looksSince: number
}

/** Records what the policies found; what they want is decided by `decideOn`, after everything else is noted. */
export function advise(turn: Turn, id: AgentId, judged?: Judged): { wanted: Proposal | undefined; wakeAt: number[] } {
  const agent = agentOf(turn, id)
  const lender = lenderTo(turn.world, id)
  const isBeingWoken = lender !== undefined && handoffUnderWay(lender) !== undefined
  if (isBeingWoken || handoffUnderWay(agent) !== undefined) return { wanted: undefined, wakeAt: [] }
  const advices = judged === undefined ? atRest(turn, agent) : atWork(turn, agent, judged)
  const offers = advices.map(({ proposal }) => proposal)
  for (const draft of advices.flatMap(({ drafts }) => drafts)) {
    record(turn, draft)
    if (draft.type === 'episode.escalated') escalateHelpless(turn, id, draft.reason)
  }
  return { wanted: strongest(offers), wakeAt: advices.flatMap(({ wakeAt }) => wakeAt ?? []) }
}

function atWork(turn: Turn, agent: AgentRecord, judged: Judged): Advice[] {
  const situation = situationOf(turn, agent)
  const canInterrupt = can(turn.world, agent, 'interrupt')
  return [
    crash(situation),
    limits(situation),
    attention({ ...situation, ...judged, canInterrupt }),
    waitingWork(situation),
  ]
}

function atRest(turn: Turn, agent: AgentRecord): Advice[] {
  const situation = situationOf(turn, agent)
  switch (agent.lifecycle) {
    case 'idle':
      return [
        limits(situation),
        afterwards(situation),
        waitingWork(situation),
        openTasks(situation),
        idle({ ...situation, resume: resumeOf(turn.world, agent) }),
      ]
    case 'suspended':
      return [waitingWork(situation)]
    case 'stopped':
      return [plannedRestart(turn, agent)]
    default:
      return []
  }
}

function plannedRestart({ world, now }: Turn, agent: AgentRecord): Advice {
  const dueAt = agent.restarts?.dueAt
  if (dueAt === undefined || agent.act !== undefined) return NO_ADVICE
  if (now < dueAt) return { ...NO_ADVICE, wakeAt: dueAt }
  return { ...NO_ADVICE, proposal: restartOf(world, agent, now), wakeAt: now + world.settings.lookEveryMs }
}

function situationOf({ world, now, input }: Turn, agent: AgentRecord): Situation {
  const { settings, observer } = world
  const chance = () => chanceFor(input.chance, agent.id)
  return { agent, now, wallAt: input.wallAt, graceAt: observer.graceAt, settings, chance }
}

/** A rule that may not act now says so once, not at every look; one that cannot act at all asks a person. */
export function decideOn(turn: Turn, id: AgentId, proposal: Proposal | undefined): void {
  if (proposal === undefined) return
  const agent = agentOf(turn, id)
  const refusal = propose(turn, id, proposal)
  if (refusal === undefined) return
  const { generation, episode, verdict, heldFor } = agent
  const { kind, precedence } = proposal
  const said = episode === undefined ? heldFor : episode.heldFor && `${kind}: ${episode.heldFor}`
  if (said !== `${kind}: ${refusal.sentence}`) {
    record(turn, { type: 'act.held', agent: id, generation, act: kind, precedence, reason: refusal.sentence })
  }
  // What is with a specialist for hours is nothing to wait for.
  const isBarred = refusal.code === 'conflict' || agent.lent !== undefined
  const isHopeless = isBarred && precedence === 'stuck' && verdict?.health === 'stuck'
  if (!isHopeless || episode?.exhausted !== false) return
  record(turn, { type: 'episode.exhausted', agent: id, generation, pokes: episode.pokes })
}
