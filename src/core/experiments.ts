/**
 * Every automatic act is an experiment: it has a deadline, and by then it has helped or it has not. That it was done is
 * another question, which its outcome answers. It has helped when the agent recovers by itself (own-words.ts): whatever
 * our own text causes is at most an answer. Nothing is judged while the observer is in doubt.
 */
import type { AgentId } from '../contract/ids.ts'
import type { EventOf } from '../contract/events.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { ActKind, Experiment } from '../contract/acts.ts'
import { SECOND } from './durations.ts'
import { deadWitness } from './health/judge.ts'
import { stoppedTurn } from './health/stopped-turn.ts'
import { begunAt, recoveredSince } from './own-words.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** Echo of our own text, and the agent's first words, are no answer yet. */
const ANSWER_AFTER_MS = 10 * SECOND

type Result = EventOf<'intervention.judged'>['result']

/** When to come back for those that are not decided yet. */
export function judgeExperiments(turn: Turn, id: AgentId): number | undefined {
  let nextAt: number | undefined
  for (const experiment of agentOf(turn, id).experiments ?? []) {
    const agent = agentOf(turn, id)
    const result = resultOf(agent, experiment, turn.now)
    const { act, n, decidedAt, judgeAt } = experiment
    if (result === undefined) nextAt = Math.min(nextAt ?? Infinity, Math.max(judgeAt, turn.now + SECOND))
    else {
      const { generation } = agent
      const which = n === undefined ? {} : { n }
      record(turn, { type: 'intervention.judged', agent: id, generation, act, ...which, decidedAt, result })
    }
  }
  return nextAt
}

function resultOf(agent: AgentRecord, experiment: Experiment, now: number): Result | undefined {
  if (agent.act?.decidedAt === experiment.decidedAt && agent.act.kind === experiment.act) return undefined
  // What another generation does is not what it was told to do.
  if (OF_A_GENERATION.includes(experiment.act) && begunAt(agent) > experiment.decidedAt) return 'not_recovered'
  const early = EARLY[experiment.act]?.(agent, experiment)
  if (early !== undefined) return early
  if (now < experiment.judgeAt) return undefined
  if (!lives(agent)) return 'unknown'
  if (byProgress(agent, experiment) !== undefined) return 'recovered'
  return answered(agent, experiment) ? 'answered' : 'not_recovered'
}

const OF_A_GENERATION: readonly ActKind[] = ['poke', 'interrupt', 'nudge', 'continue']

/** What shows before the deadline whether it helped. */
const EARLY: Partial<Record<ActKind, (agent: AgentRecord, experiment: Experiment) => Result | undefined>> = {
  poke: byProgress,
  interrupt: byProgress,
  nudge: byProgress,
  // A limit that is not over, or a program that fails again, shows only after it went on for a while.
  continue: (agent, experiment) => (isLimitedAgain(agent, experiment) ? 'not_recovered' : undefined),
  spawn: byDeath,
  resume: byDeath,
  suspend: ({ lifecycle }) => (lifecycle === 'suspended' ? 'recovered' : 'not_recovered'),
}

function byProgress(agent: AgentRecord, { decidedAt }: Experiment): Result | undefined {
  return recoveredSince(agent, decidedAt) ? 'recovered' : undefined
}

function isLimitedAgain(agent: AgentRecord, { decidedAt }: Experiment): boolean {
  const stopped = stoppedTurn(agent)
  return stopped !== undefined && stopped.at > decidedAt
}

function byDeath(agent: AgentRecord, { decidedAt }: Experiment): Result | undefined {
  const isPlanned = (agent.restarts?.dueAt ?? -1) > decidedAt
  return isPlanned || deadWitness(agent) !== undefined ? 'not_recovered' : undefined
}

function answered({ producedAt, startedAt = 0 }: AgentRecord, { decidedAt }: Experiment): boolean {
  return producedAt > Math.max(decidedAt, startedAt) + ANSWER_AFTER_MS
}
