/**
 * Finished is seen. An agent that ended its turn by itself and for which nothing is left (no work that waits, no message,
 * no procedure, no loan, no open task of its issue) is kept in a list until somebody looks, through its sleep and
 * through restarts of ours. New work takes it off the list. Specialists are called and dismissed by others, and a
 * session that a person started is looked at in that person's own terminal: neither is listed.
 */
import type { Sighting } from '../contract/evidence.ts'
import type { FinishedBrief } from '../contract/finished.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Settings } from '../contract/settings.ts'
import { NOTHING_OPEN } from './evidence/open-work.ts'
import { isInterrupted } from './evidence/weigh.ts'
import { currentDoing, openDialog } from './health/judge.ts'
import { isoTime } from './iso-time.ts'
import { recoveredSince, wasToldSince } from './own-words.ts'
import { MAX_REMINDERS, openTasksOf, remindersOf } from './tasks/open-tasks.ts'

/** How an agent comes to rest, in the words of `agent.lifecycle-changed`: only the first is a finish. */
export const TURN_ENDED = 'it finished its turn'
export const FIRST_PROMPT = 'it waits for its first prompt'
const CUT_SHORT = 'its turn was cut short'
export const BY_PERSON = 'a person interrupted it'

/** What ends a turn from outside: a limit, an error, a dialog; and a person who made room in its context. */
const NO_END_OF_ITS_OWN: readonly (string | undefined)[] = [
  'limited',
  'api_error',
  'auth_needed',
  'startup_blocked',
  'compacting',
]

/** Why it rests, by what it did before and who says so; `after` has taken in what was said. */
export function whyItRests(
  before: AgentRecord,
  after: AgentRecord,
  sighting: Pick<Sighting, 'objects'> & { wallAt: number },
): string {
  const { act, evidence } = before
  if (act?.kind === 'interrupt') return act.precedence === 'human' ? BY_PERSON : 'it was interrupted'
  if (act?.kind === 'rest') return 'it came to rest as ordered'
  const did = currentDoing(before)?.doing.kind
  if (isInterrupted(after.open ?? NOTHING_OPEN, sighting.wallAt)) return BY_PERSON
  // Where its hooks speak, one that ended its turn has said so itself.
  const isUnsaid = sighting.objects === true && evidence.hook?.doing !== undefined
  if (isUnsaid || NO_END_OF_ITS_OWN.includes(did)) return CUT_SHORT
  return did === undefined || did === 'starting' ? whyItRestsAtOnce(after) : TURN_ENDED
}

/**
 * It rests because a person wanted it to: no rule says anything to it until somebody has. That its turn was cut short may
 * be known before it is known by whom.
 */
export function isStoppedByPerson({ lifecycle, lifecycleWhy, open }: AgentRecord): boolean {
  if (lifecycle !== 'idle') return false
  return lifecycleWhy === BY_PERSON || (lifecycleWhy === CUT_SHORT && open !== undefined && isInterrupted(open))
}

/** Of one that was not seen to work: it was told something, or waits for that. */
export function whyItRestsAtOnce({ trail }: AgentRecord): string {
  return trail?.turnAt !== undefined || (trail?.steps.length ?? 0) > 0 ? TURN_ENDED : FIRST_PROMPT
}

/** It rests after a turn that it ended itself, and nothing of anybody's is under way with it. */
export function isBetweenTurns(agent: AgentRecord): boolean {
  return agent.lifecycleWhy === TURN_ENDED && agent.act === undefined && !isOccupied(agent)
}

function isOccupied(agent: AgentRecord): boolean {
  const { limit, assignment, lent, handoff, needsYou, messages = [] } = agent
  if (limit !== undefined || assignment !== undefined || lent !== undefined || handoff !== undefined) return true
  if (needsYou.some(({ kind }) => kind === 'handoff') || openDialog(agent) !== undefined) return true
  if (isAttended(agent)) return true
  return messages.some(({ state }) => state === 'queued' || state === 'typed')
}

/** It was in trouble, and what it answered to a poke or an interrupt is no recovery: that goes on, up to a person. */
function isAttended(agent: AgentRecord): boolean {
  const { episode } = agent
  if (episode === undefined || recoveredSince(agent, episode.openedAt)) return false
  if (episode.exhausted || episode.interruptedAt !== undefined) return true
  return episode.lastPokeAt !== undefined && episode.pokes > 0 && !wasToldSince(agent, episode.lastPokeAt)
}

/** All that can be said without a clock; that it is so for a look is waited for. */
export function isFinished(agent: AgentRecord): boolean {
  return agent.lifecycle === 'idle' && isListed(agent) && isBetweenTurns(agent) && !isUndone(agent)
}

function isListed({ kind, adopted }: AgentRecord): boolean {
  return kind !== 'specialist' && adopted === undefined
}

/** Of its open tasks it is reminded, or a person is. */
function isUndone(agent: AgentRecord): boolean {
  return openTasksOf(agent).length > 0
}

/** It will be told of its open tasks, or was just told. */
export function isReminded(agent: AgentRecord, { nudgeAssigned }: Pick<Settings, 'nudgeAssigned'>): boolean {
  if (!nudgeAssigned || agent.lifecycleWhy !== TURN_ENDED || !isUndone(agent)) return false
  const { times, acknowledged } = remindersOf(agent)
  return (
    acknowledged !== true && (times < MAX_REMINDERS || !agent.needsYou.some(({ kind }) => kind === 'tasks_waiting'))
  )
}

/** Finished, and nobody has looked yet. */
export function isToBeSeen(agent: AgentRecord): boolean {
  return agent.finished?.seen === undefined && finishedBrief(agent) !== undefined
}

/** Also when somebody has looked: what there is to see is still there. What came up since counts. */
export function finishedBrief(agent: AgentRecord): FinishedBrief | undefined {
  const { id, issue, title, finished, lifecycle, model, evidence, signals } = agent
  if (finished === undefined || isOccupied(agent) || isUndone(agent)) return undefined
  const branch = evidence.git?.branch ?? ''
  const tests = signals?.tests?.at(-1)
  return {
    agent: id,
    ...(issue === undefined ? {} : { issue }),
    ...(title === undefined ? {} : { title }),
    wallAt: finished.wallAt,
    finishedAt: isoTime(finished.wallAt),
    ...(finished.seen === undefined ? {} : { seen: finished.seen }),
    lifecycle,
    model,
    ...(branch === '' ? {} : { branch }),
    ...(tests === undefined ? {} : { tests }),
  }
}
