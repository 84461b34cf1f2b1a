/**
 * A usage limit holds an agent until it ends; then the agent is told to go on, exactly once. Its end is what the program
 * said, and a minute more; where that cannot be read it is guessed within bounds. Agents of one limit go on one after
 * the other. What the agent does meanwhile by itself ends the hold.
 * An outage of the model's service that ended a turn holds in the same way. Nobody says when it ends: it is tried after
 * a while that doubles, at most OUTAGE_ROUNDS times; then it stays with a person, who is asked because it is quiet.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { LimitHold } from '../../contract/standing.ts'
import { isLimited } from '../desired.ts'
import { HOUR, LONGEST_LIMIT_MS, MINUTE, SECOND } from '../durations.ts'
import { currentDoing } from '../health/judge.ts'
import { stoppedTurn } from '../health/stopped-turn.ts'
import { citationsOf } from '../health/words.ts'
import { continueText } from '../prompts.ts'
import { NO_ADVICE, type Advice, type Proposal, type Situation } from '../proposals.ts'
import type { Draft } from '../turn.ts'

/** Programs tell the minute, and services are late with it. */
export const SLACK_MS = MINUTE
/** Within this time after the end, each agent at an instant of its own. */
export const STAGGER_MS = 3 * MINUTE
/** A night's sleep of the machine or the daemon; a day's would be an hour of today read as one of yesterday. */
const MISSED_MS = 12 * HOUR
/** Where nobody can read the end: doubled with each round, up to the longest. */
export const GUESS_MS = 15 * MINUTE
export const LONGEST_GUESS_MS = 2 * HOUR
/** A service that fails is mostly back soon. */
export const OUTAGE_GUESS_MS = 2 * MINUTE
export const LONGEST_OUTAGE_GUESS_MS = 30 * MINUTE
export const OUTAGE_ROUNDS = 8
/** A limit that is not over shows after the first try. */
const SURE_MS = 3 * MINUTE
/** So long it may take to show that it goes on. */
export const JUDGED_AFTER_MS = 10 * MINUTE

export function limits(given: Situation): Advice {
  const { agent, now, wallAt } = given
  const limited = stoppedTurn(agent)
  const { limit } = agent
  if (limit === undefined) return limited === undefined ? NO_ADVICE : began(given, 1)
  if (limit.continuedAt !== undefined) return afterContinue(given, limit)
  if (worksSince(agent, limit.sinceAt)) return ended(given, 'it works again')
  const isNewlyRead = limited?.untilWallAt !== undefined && !limit.isRead && limited.at > limit.sinceAt
  if (isNewlyRead) return began(given, limit.round)
  const at = { observedAt: now, wallAt }
  if (isLimited(limit, at)) return { ...NO_ADVICE, wakeAt: nextLook(limit, given) }
  return { ...NO_ADVICE, proposal: goOn(given), wakeAt: now + given.settings.lookEveryMs }
}

/** Limited again, or still: another round. Whoever does nothing at all is given up as limited, and judged as ever. */
function afterContinue(given: Situation, { continuedAt = 0, round, of }: LimitHold): Advice {
  const { agent, now } = given
  if (agent.act?.kind === 'continue') return NO_ADVICE
  const limited = stoppedTurn(agent)
  const judgeAt = continuedAt + JUDGED_AFTER_MS
  if (worksSince(agent, continuedAt)) {
    const sureAt = continuedAt + SURE_MS
    return now < sureAt ? { ...NO_ADVICE, wakeAt: sureAt } : ended(given, 'it works again')
  }
  if (limited !== undefined && (limited.at > continuedAt || now >= judgeAt)) {
    if (limited.of === of) return of === 'outage' && round >= OUTAGE_ROUNDS ? NO_ADVICE : began(given, round + 1)
    return began(given, 1)
  }
  if (agent.lifecycle === 'idle' && agent.lifecycleAt > continuedAt)
    return ended(given, 'it went on and finished its turn')
  // Its program still tries by itself.
  if (currentDoing(agent)?.doing.kind === 'api_error') return { ...NO_ADVICE, wakeAt: Math.max(judgeAt, now + MINUTE) }
  return now < judgeAt ? { ...NO_ADVICE, wakeAt: judgeAt } : ended(given, 'it was told to go on')
}

const NO_WORK: readonly string[] = ['limited', 'idle', 'starting', 'api_error', 'auth_needed']

function worksSince(agent: AgentRecord, since: number): boolean {
  const current = currentDoing(agent)
  return current !== undefined && current.at > since && !NO_WORK.includes(current.doing.kind)
}

function began(given: Situation, round: number): Advice {
  const { agent, now, wallAt } = given
  const { id, generation } = agent
  const of = stoppedTurn(agent)?.of
  const { isRead, endsInMs } = of === 'outage' ? outageEnd(round) : endOf(given, round)
  const waitMs = endsInMs + Math.round(STAGGER_MS * given.chance())
  const limit: LimitHold = {
    ...(of === undefined ? {} : { of }),
    sinceAt: now,
    sinceWallAt: wallAt,
    untilAt: now + waitMs,
    untilWallAt: wallAt + waitMs,
    isRead,
    round,
    tries: 0,
  }
  const drafts: Draft[] = [{ type: 'limit.began', agent: id, generation, limit }]
  return { ...NO_ADVICE, drafts, wakeAt: nextLook(limit, given) }
}

/**
 * An end too far away to be true was not read, nor was one long past. One that is just past was reached while nobody
 * looked, and is believed once.
 */
function endOf({ agent, wallAt }: Situation, round: number): { isRead: boolean; endsInMs: number } {
  const earliest = wallAt - (round === 1 ? MISSED_MS : SLACK_MS)
  const told = [stoppedTurn(agent)?.untilWallAt, ...usedUp(agent)].find(
    (at) => at !== undefined && at > earliest && at < wallAt + LONGEST_LIMIT_MS,
  )
  if (told !== undefined) return { isRead: true, endsInMs: Math.max(0, told - wallAt) + SLACK_MS }
  return { isRead: false, endsInMs: Math.min(LONGEST_GUESS_MS, GUESS_MS * 2 ** (round - 1)) }
}

function outageEnd(round: number): { isRead: boolean; endsInMs: number } {
  return { isRead: false, endsInMs: Math.min(LONGEST_OUTAGE_GUESS_MS, OUTAGE_GUESS_MS * 2 ** (round - 1)) }
}

function usedUp({ gauges }: AgentRecord): number[] {
  return (gauges?.limits ?? []).flatMap(({ share, resetsWallAt = 0 }) => (share >= 1 ? resetsWallAt : []))
}

/** The wall clock may jump while observed time does not, so that it is asked now and then. */
function nextLook({ untilAt }: LimitHold, { now }: Situation): number {
  return Math.min(untilAt, now + MINUTE)
}

/** Others waited for that, and are asked again. */
function ended({ agent: { id, generation, limit }, now }: Situation, why: string): Advice {
  const of = limit?.of === undefined ? {} : { of: limit.of }
  return { ...NO_ADVICE, drafts: [{ type: 'limit.ended', agent: id, generation, why, ...of }], wakeAt: now + SECOND }
}

function goOn({ agent, now }: Situation): Proposal {
  const of = agent.limit?.of
  return {
    kind: 'continue',
    precedence: 'stuck',
    by: 'limits',
    reason: of === 'outage' ? 'the service that failed may be back' : 'its usage limit should be over',
    citations: citationsOf(agent, now),
    text: continueText(of),
    experiment: { judgeAt: now + JUDGED_AFTER_MS },
  }
}
