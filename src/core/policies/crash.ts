/**
 * An agent whose program failed is started again, after a while and within limits (restarts.ts). Only a verified end
 * counts: two looks that found nothing left of it, and an exit code that says it failed. One that left by itself, was
 * asked to end, or of which nobody knows why it ended stays as it is: somebody may have wanted that. The last of too many
 * ends is cleared away like the others: its work saved, what it left running ended.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { causeInWords, citationsOf } from '../health/words.ts'
import { deadWitness, deathOf, isOver } from '../health/judge.ts'
import { NO_ADVICE, type Advice, type Situation } from '../proposals.ts'
import { nextRestart } from '../restarts.ts'

/** Done; hung up, interrupted or terminated by somebody. */
const WANTED_ENDS: readonly number[] = [0, 129, 130, 143]

export function crash(given: Situation): Advice {
  const { agent, now, settings, chance } = given
  const { id, generation, restarts } = agent
  if (agent.act !== undefined) return NO_ADVICE
  if (restarts?.exhausted === true) return clearAway(given)
  if (!hasFailed(agent, settings)) {
    if (restarts?.dueAt === undefined) return NO_ADVICE
    const why = 'it did not fail after all, or restarts were switched off'
    return { ...NO_ADVICE, drafts: [{ type: 'restart.dropped', agent: id, generation, why }] }
  }
  if (!isOver(agent)) return { ...NO_ADVICE, wakeAt: now + settings.lookEveryMs }
  const why = causeInWords(deathOf(agent))
  if (restarts?.dueAt === undefined) {
    const draft = nextRestart(agent, { now, chance: chance(), why })
    return { ...NO_ADVICE, drafts: [draft], wakeAt: draft.type === 'restart.planned' ? draft.dueAt : now }
  }
  if (now < restarts.dueAt) return { ...NO_ADVICE, wakeAt: restarts.dueAt }
  const citations = citationsOf(agent, now)
  const reason = `${why}; its work is saved, then it is started again`
  const proposal = { kind: 'kill', precedence: 'crash', by: 'crash', reason, citations } as const
  return { ...NO_ADVICE, proposal: { ...proposal, citations }, wakeAt: now + settings.lookEveryMs }
}

/** The last death too is saved, and what it left running ended. What could not be done is asked of a person, once. */
function clearAway({ agent, now, settings }: Situation): Advice {
  const isAsked = agent.needsYou.some(({ kind }) => kind === 'kill_incomplete' || kind === 'salvage_failed')
  if (isAsked || !isOver(agent)) return NO_ADVICE
  const reason = `${causeInWords(deathOf(agent))}; its work is saved, and it is not started again`
  const proposal = {
    kind: 'kill',
    precedence: 'crash',
    by: 'crash',
    reason,
    citations: citationsOf(agent, now),
  } as const
  return { ...NO_ADVICE, proposal, wakeAt: now + settings.lookEveryMs }
}

/** Seen dead by somebody, and it may be started again when that is certain. */
export function hasFailed(agent: AgentRecord, { restartOnCrash }: Pick<Settings, 'restartOnCrash'>): boolean {
  const code = deadWitness(agent)?.exitCode
  return restartOnCrash && code !== undefined && !WANTED_ENDS.includes(code)
}
