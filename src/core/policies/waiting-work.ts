/**
 * Work that was given to an agent and that it does not begin: it is reminded, at most MAX_NUDGES times and COOLDOWN_MS
 * apart, and woken when it sleeps. Then a person is asked. It has begun when it made a new call with a new result, or
 * other progress, after it was told: one that only says that it will has not. What a person tells an agent is a message,
 * not work that waits, and nobody is reminded of it.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Assignment } from '../../contract/standing.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { isStoppedByPerson } from '../finished.ts'
import { citationsOf } from '../health/words.ts'
import { recoveredSince } from '../own-words.ts'
import { nudgeText, summaryText } from '../prompts.ts'
import { NO_ADVICE, type Advice, type Proposal, type Situation } from '../proposals.ts'

export const MAX_NUDGES = 3
export const COOLDOWN_MS = 15 * MINUTE
/** It may be about to begin by itself. */
export const PATIENCE_MS = 2 * MINUTE

export function waitingWork(given: Situation): Advice {
  const { agent, now, settings } = given
  const { assignment, lifecycle } = agent
  if (assignment === undefined) return NO_ADVICE
  const { id, generation } = agent
  // Whatever it does before it was told of it is other work.
  if (recoveredSince(agent, assignment.lastNudgeAt ?? Infinity)) {
    return { ...NO_ADVICE, drafts: [{ type: 'work.begun', agent: id, generation, why: 'it went to work' }] }
  }
  const isNudged = lifecycle === 'idle' && settings.nudgeAssigned
  const isWoken = lifecycle === 'suspended' && settings.lifecycle.autoResume && agent.sessionId !== undefined
  if ((!isNudged && !isWoken) || agent.act !== undefined || agent.limit !== undefined) return NO_ADVICE
  if (isLeftToPerson(agent)) {
    const askAt = agent.lifecycleAt + COOLDOWN_MS
    return now < askAt ? { ...NO_ADVICE, wakeAt: askAt } : NO_ADVICE
  }
  const readyAt = Math.max(
    isNudged ? Math.max(agent.lifecycleAt, assignment.at, given.graceAt) + PATIENCE_MS : assignment.at,
    (assignment.lastNudgeAt ?? -Infinity) + COOLDOWN_MS,
  )
  if (now < readyAt) return { ...NO_ADVICE, wakeAt: readyAt }
  if (assignment.nudges >= MAX_NUDGES) return NO_ADVICE
  return { ...NO_ADVICE, proposal: reminder(given, assignment), wakeAt: now + 30 * SECOND }
}

/** A person stopped it after it had been given the work, and knows what is to come of that. */
export function isLeftToPerson(agent: AgentRecord): boolean {
  return isStoppedByPerson(agent) && (agent.assignment?.at ?? Infinity) <= agent.lifecycleAt
}

/** Told of it as often as it may be, or left to the person who stopped it, and still not begun. */
export function isNudgedOut(agent: AgentRecord, now: number): boolean {
  const { assignment } = agent
  if (assignment === undefined) return false
  if (isLeftToPerson(agent)) return now >= agent.lifecycleAt + COOLDOWN_MS
  return assignment.nudges >= MAX_NUDGES && now >= (assignment.lastNudgeAt ?? now) + COOLDOWN_MS
}

function reminder({ agent, now }: Situation, { what, by }: Assignment): Proposal {
  const proposal = {
    precedence: 'routing',
    by: 'waiting work',
    reason: `work by ${by} waits: ${what.slice(0, 200).replace(/[\s.]+$/, '')}`,
    citations: citationsOf(agent, now),
    text: nudgeText(what),
    experiment: { judgeAt: now + COOLDOWN_MS },
  } as const
  if (agent.lifecycle === 'idle' || agent.sessionId === undefined) return { ...proposal, kind: 'nudge' }
  return { ...proposal, kind: 'resume', session: { id: agent.sessionId, summary: summaryText(agent) } }
}
