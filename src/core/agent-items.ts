/** What only a person can settle about one agent: raised while it is so, settled when it no longer is. */
import type { Question } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Cause, CauseKind } from '../contract/verdict.ts'
import { ended, MINUTE } from './durations.ts'
import { isStoppedByPerson } from './finished.ts'
import { currentDoing, deathOf, isLost, type Judgement, type Moment } from './health/judge.ts'
import { causeInWords } from './health/words.ts'
import { keep } from './needs-you.ts'
import { hasFailed } from './policies/crash.ts'
import { isRemindedOut } from './policies/open-tasks.ts'
import { isNudgedOut } from './policies/waiting-work.ts'
import { openTasksOf, remindersOf, tasksInWords } from './tasks/open-tasks.ts'
import type { Turn } from './turn.ts'
import { keepWorkspace } from './workspace-item.ts'

const PERSON_WAITS: readonly CauseKind[] = ['waiting_permission', 'waiting_user', 'startup_blocked', 'auth_needed']

export function keepItems(turn: Turn, agent: AgentRecord, judgement: Judgement): void {
  const { id } = agent
  const doing = currentDoing(agent)?.doing
  const asks = doing?.kind === 'permission' || doing?.kind === 'question' ? doing : undefined
  const answerable = asks?.ask !== undefined && agent.adopted === undefined
  const questions = asks?.kind === 'question' ? asks.questions : undefined
  const isPermission = answerable && asks.kind === 'permission'
  const options = isPermission ? ['allow', 'deny'] : labelsOf(questions ?? [])
  keep(turn, waitsForPerson(judgement), {
    kind: 'waiting',
    agent: id,
    sentence: ended(`${id} ${waitInWords(judgement.cause)}`),
    hint: howToAnswer(agent, answerable),
    ...(options === undefined ? {} : { options }),
    ...(questions === undefined ? {} : { questions }),
    ...(asks?.ask === undefined ? {} : { ask: asks.ask.id }),
    ...(answerable ? { answerable } : {}),
  })
  keepDead(turn, agent, judgement.cause.kind === 'dead' && !isSeenTo(turn, agent))
  keepRestarts(turn, agent)
  keepWork(turn, agent)
  keepTasks(turn, agent)
  keepLost(turn, agent, isLost(agent))
  keepWorkspace(turn, agent)
  const isHeld = isLimitHeld(agent) || isToEnd(judgement, turn.input.wallAt) || waitsForPerson(judgement)
  keep(
    turn,
    !isLost(agent) && !isHeld && isQuiet(judgement, quietMs(agent, judgement, turn.world.settings.thresholds)),
    {
      kind: 'quiet',
      agent: id,
      sentence: `${id} gives no sign of work: ${causeInWords(judgement.cause)}.`,
      hint: `See why with \`pan explain ${id}\`. Nothing is done to it by itself.`,
    },
  )
}

function waitsForPerson({ cause }: Judgement): boolean {
  return PERSON_WAITS.includes(cause.kind) || (cause.kind === 'rate_limited' && cause.spent === true)
}

/** Without its age: an item whose sentence changed is another one. */
function waitInWords(cause: Cause): string {
  return cause.kind === 'auth_needed' ? causeInWords(cause) : `is ${causeInWords(cause)}`
}

function howToAnswer({ id, adopted }: AgentRecord, answerable: boolean): string {
  if (adopted !== undefined) return 'Answer it in its own terminal.'
  return answerable
    ? 'It can be answered in its terminal, too.'
    : `Attach to it with \`pan agents attach ${id}\` and answer.`
}

/** Where it asks several things at once, no single choice is an answer. */
function labelsOf(questions: readonly Question[]): string[] | undefined {
  const [only, more] = questions
  if (only === undefined || more !== undefined || only.options.length === 0) return undefined
  return only.options.map(({ label }) => label)
}

/** One that is started again by itself needs nobody yet; of one that ended too often another item tells. */
function isSeenTo({ world, now }: Turn, agent: AgentRecord): boolean {
  const { restarts, verdict } = agent
  const isNew = now - (verdict?.sinceAt ?? now) < CERTAIN_MS
  const isPlanned = restarts?.dueAt !== undefined && now < restarts.dueAt + CERTAIN_MS
  return isPlanned || restarts?.exhausted === true || (isNew && hasFailed(agent, world.settings))
}

/** By then it is certain that one who was seen dead is gone. */
const CERTAIN_MS = 2 * MINUTE

/** What no rule pokes and no clock calls stuck: it asks for attention all the same when it lasts. */
const PATIENT: readonly CauseKind[] = ['rate_limited', 'api_error', 'waiting_background', 'working_tool', 'unknown']

/** A limit ends by itself; one that begins again and again may be another thing than it seems. */
const MANY_ROUNDS = 3

function isLimitHeld({ limit }: AgentRecord): boolean {
  return limit !== undefined && limit.round < MANY_ROUNDS
}

/** It is limited until a moment that is yet to come, or has just come. */
function isToEnd({ cause }: Judgement, wallAt: number): boolean {
  return cause.kind === 'rate_limited' && cause.untilWallAt !== undefined && wallAt < cause.untilWallAt + MINUTE
}

function isQuiet({ health, cause, silentMs }: Judgement, afterMs: number): boolean {
  return health !== 'active' && PATIENT.includes(cause.kind) && silentMs >= afterMs
}

/** A service that fails is trouble from the warning on, and no rule helps while the agent's program tries by itself. */
function quietMs({ limit }: AgentRecord, { cause }: Judgement, { warningMs, stuckMs }: Moment['thresholds']): number {
  return cause.kind === 'api_error' && limit === undefined ? warningMs : stuckMs
}

/** When time alone makes it so. */
export function quietAt(
  agent: AgentRecord,
  judgement: Judgement,
  { now, thresholds, wallAt }: Moment & { wallAt: number },
): number | undefined {
  const { cause, silentMs } = judgement
  if (isToEnd(judgement, wallAt) && cause.kind === 'rate_limited') {
    return now + ((cause.untilWallAt ?? wallAt) + MINUTE - wallAt)
  }
  const afterMs = quietMs(agent, judgement, thresholds)
  const isLater = PATIENT.includes(cause.kind) && silentMs < afterMs
  return isLater ? now - silentMs + afterMs : undefined
}

export function keepDead(turn: Turn, { id, workspace, evidence }: AgentRecord, isDead: boolean): void {
  const work =
    evidence.git?.missing === true
      ? `Its workspace ${workspace} is gone.`
      : `Its work lies in ${workspace} as it left it.`
  keep(turn, isDead, {
    kind: 'dead',
    agent: id,
    sentence: `The process of ${id} is gone.`,
    hint: `${work} \`pan agents spawn ${id}\` starts it again, with that work saved and what it left running ended first.`,
  })
}

export function keepLost(turn: Turn, { id, evidence }: AgentRecord, lost: boolean): void {
  keep(turn, lost, {
    kind: 'no_terminal',
    agent: id,
    sentence:
      evidence.process?.alive === true
        ? `The process of ${id} lives but has no terminal.`
        : `${id} has no terminal, and nobody saw its process end.`,
    hint: `Nobody can see it or type to it. \`pan agents kill ${id}\` saves its work and ends it; then spawn it again.`,
  })
}

export function keepAttention(turn: Turn, agent: AgentRecord): void {
  const { id, episode } = agent
  const { pokes = 0, heldFor = 'automatic pokes are off' } = episode ?? {}
  keep(turn, episode?.exhausted === true && episode.acknowledged !== true, {
    kind: 'attention',
    agent: id,
    sentence:
      pokes === 0
        ? `${id} is stuck and was not poked: ${heldFor}.`
        : `${id} was poked ${pokes === 1 ? 'once' : `${pokes} times`} and made no progress.`,
    hint: `See why with \`pan explain ${id}\`, then message it, or kill it and start it again.`,
  })
}

export function keepRestarts(turn: Turn, agent: AgentRecord): void {
  const { id, workspace, restarts, wanted } = agent
  keep(turn, restarts?.exhausted === true && wanted === 'run', {
    kind: 'crash_loop',
    agent: id,
    sentence: `${id} ended ${restarts?.inARow ?? 0} times in a row (${causeInWords(deathOf(agent))}) and is not started again by itself.`,
    hint: `See what it said with \`pan agents logs ${id}\` and look at ${workspace}; then start it with \`pan agents spawn ${id}\`.`,
  })
}

export function keepWork(turn: Turn, agent: AgentRecord): void {
  const { id, assignment } = agent
  keep(turn, isNudgedOut(agent, turn.now), {
    kind: 'work_waiting',
    agent: id,
    sentence: isStoppedByPerson(agent)
      ? `${id} was interrupted by a person, and work waits for it: ${summaryOf(assignment?.what ?? '')}.`
      : `${id} was told ${assignment?.nudges ?? 0} times of the work that waits for it and does not begin.`,
    hint: `Talk to it with \`pan agents attach ${id}\`, or give the work to another agent.`,
  })
}

/** Of what it was given, in a few words. */
function summaryOf(what: string): string {
  return what.slice(0, 200).replace(/[\s.]+$/, '')
}

/** It rests, its issue has tasks that it could do, and nobody reminds it any more. */
export function keepTasks(turn: Turn, agent: AgentRecord): void {
  const { id } = agent
  const { settings, observer } = turn.world
  const tasks = openTasksOf(agent)
  const { times } = remindersOf(agent)
  const told = times === 0 ? 'reminders are off' : `it was reminded ${times === 1 ? 'once' : `${times} times`}`
  keep(turn, isRemindedOut(agent, { now: turn.now, graceAt: observer.graceAt, isOff: !settings.nudgeAssigned }), {
    kind: 'tasks_waiting',
    agent: id,
    sentence: `${id} rests while ${tasks.length === 1 ? 'a task' : `${tasks.length} tasks`} of its issue ${tasks.length === 1 ? 'is' : 'are'} open (${told}): ${tasksInWords(tasks)}.`,
    hint: `Talk to it with \`pan agents attach ${id}\`, or close the tasks that are done.`,
  })
}
