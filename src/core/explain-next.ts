/** What the policies will do to an agent if nothing moves; asked of the policies themselves. */
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { ExplainView } from '../contract/views.ts'
import type { Hold, LimitHold } from '../contract/standing.ts'
import { isLimited } from './desired.ts'
import { duration, exactly } from './durations.ts'
import { deadWitness, judge, type Judgement } from './health/judge.ts'
import { nextRung, rungAt } from './help.ts'
import { momentOf } from './moment-of.ts'
import { afterwards, MAX_POKES, SETTLE_MS } from './policies/attention.ts'
import { hasFailed } from './policies/crash.ts'
import { suspendAt, whatItDoes, whyAwake } from './policies/idle.ts'
import { OUTAGE_ROUNDS } from './policies/limits.ts'
import { isLeftToPerson, MAX_NUDGES, waitingWork } from './policies/waiting-work.ts'
import { waitMs } from './restarts.ts'
import { resumeInWords, resumeOf } from './resume-price.ts'
import type { World } from './world.ts'

type Next = ExplainView['next']

/** What is ahead; of what a rule would do it is known, so that none is promised while rules may not. */
export type Ahead = Next[number] & { isAct?: true }

export interface Rung {
  inMs: number
  what: string
  at: number
  judgement: Judgement
}

export function firstPoke(world: World, agent: AgentRecord, rungs: readonly Rung[]): Ahead[] {
  const now = world.house.observedAt
  const current = { at: now, inMs: 0, judgement: judge(agent, momentOf(world)) }
  const trouble = [current, ...rungs].find(({ judgement, at }) => isPokeable(world, agent, { judgement, now: at }))
  if (trouble === undefined) return []
  if (!world.settings.pokeOnWarning) return [{ inMs: trouble.inMs, what: POKES_OFF }]
  return [{ inMs: trouble.inMs + SETTLE_MS, what: `poke 1 of ${MAX_POKES}, if nothing moves`, isAct: true }]
}

const POKES_OFF = 'no poke: auto_actions.poke_on_warning is off; a person is asked'

/** Would it open an episode? */
function isPokeable(world: World, agent: AgentRecord, at: { judgement: Judgement; now: number }): boolean {
  const { episode: _, ...fresh } = agent
  return rungAt(world, fresh, at).drafts.length > 0
}

export function attentionAhead(world: World, agent: AgentRecord): Ahead[] {
  const { episode } = agent
  const moment = momentOf(world)
  const { now } = moment
  if (episode === undefined) return []
  const judgement = judge(agent, moment)
  if (!episode.exhausted && !isPokeable(world, agent, { judgement, now })) return []
  if (!episode.exhausted && !world.settings.pokeOnWarning) return [{ inMs: 0, what: POKES_OFF }]
  const { at, proposal, drafts } = nextRung(world, agent)
  const inMs = Math.max(0, at - now)
  if (proposal?.kind === 'poke') {
    return [{ inMs, what: pokeOf(episode.pokes + 1), isAct: true }]
  }
  if (proposal?.kind === 'interrupt') {
    return [{ inMs, what: `its turn is cut short, since ${MAX_POKES} pokes brought no progress`, isAct: true }]
  }
  if (proposal?.kind === 'kill')
    return [{ inMs, what: 'its work is saved and it is ended (auto_actions.kill_on_stuck)', isAct: true }]
  if (drafts.some(({ type }) => type === 'episode.exhausted')) {
    const longMs = at - episode.openedAt
    return [{ inMs, what: `a person is asked, since ${MAX_POKES} pokes brought no progress in ${duration(longMs)}` }]
  }
  return episode.exhausted ? [{ inMs: 0, what: 'nothing more by itself: a person was asked' }] : []
}

function pokeOf(n: number): string {
  return `poke ${n} of ${MAX_POKES}, if there is no progress`
}

/** Of one that was in trouble and rests. */
function restAhead({ settings, house }: World, agent: AgentRecord): Ahead[] {
  const { episode } = agent
  if (episode === undefined) return []
  if (episode.exhausted) return [{ inMs: 0, what: 'nothing more by itself: a person was asked' }]
  const now = house.observedAt
  const at = afterwards({ agent, now, settings }).wakeAt ?? now
  const { proposal, drafts } = afterwards({ agent, now: at, settings })
  const inMs = Math.max(0, at - now)
  if (proposal?.kind === 'poke') return [{ inMs, what: pokeOf(episode.pokes + 1), isAct: true }]
  if (proposal !== undefined) return [{ inMs, what: 'it is told why its turn was cut short', isAct: true }]
  const isAsked = drafts.some(({ type }) => type === 'episode.exhausted')
  return isAsked ? [{ inMs, what: 'a person is asked, since it rests and made no progress' }] : []
}

/** What has a row and a deadline of its own. */
export function standingAhead(world: World, agent: AgentRecord): Ahead[] {
  const { house } = world
  const now = house.observedAt
  const { hold, limit, restarts, experiments = [], lifecycle } = agent
  const next: Ahead[] = []
  const add = (at: number | undefined, what: string, isAct = false) => {
    if (at !== undefined) next.push({ inMs: Math.max(0, at - now), what, ...(isAct ? { isAct } : {}) })
  }
  if (hold !== undefined) add(hold.untilAt, `the hold by ${hold.by} ends`)
  if (limit !== undefined) add(...goingOn(limit, hold, house))
  add(restarts?.dueAt, `it is started again (start ${restarts?.inARow ?? 1} in a row)`, true)
  if (restarts?.dueAt === undefined) add(...restartAhead(world, agent))
  for (const { act, n, judgeAt } of experiments) {
    add(judgeAt, `${act}${n === undefined ? '' : ` ${n}`} is judged: did it help?`)
  }
  if (lifecycle === 'idle' && deadWitness(agent) === undefined) {
    next.push(...restAhead(world, agent))
    add(...sleepAhead(world, agent))
  }
  const work = workAhead(world, agent)
  if (work !== undefined) add(work, `it is told of the work that waits, at most ${MAX_NUDGES} times`, true)
  return next
}

/** When, what, and whether a rule does it. */
type Line = [at: number | undefined, what: string, isAct?: true]

/** A person's hold that lasts longer comes first; one without an end says nothing of what comes after it. */
function goingOn(limit: LimitHold, hold: Hold | undefined, house: HouseRecord): Line {
  const { of, round, untilAt, continuedAt } = limit
  if (isLimited(limit, house)) {
    const at = hold === undefined ? untilAt : hold.untilAt && Math.max(untilAt, hold.untilAt)
    return [at, `it is told to go on, once${of === 'outage' ? tryOf(round) : ''}`, true]
  }
  if (continuedAt === undefined) return [house.observedAt, 'it is told to go on, as soon as rules may act on it']
  const isLast = of === 'outage' && round >= OUTAGE_ROUNDS
  return [
    isLast ? house.observedAt : undefined,
    `nothing more by itself after ${OUTAGE_ROUNDS} tries: a person is asked`,
  ]
}

function tryOf(round: number): string {
  return ` (try ${round} of ${OUTAGE_ROUNDS})`
}

/** What comes of a program that ended, as long as no restart is planned; why none comes is said, too. */
function restartAhead({ settings, house }: World, agent: AgentRecord): Line {
  const { lifecycle, restarts, wanted, assignment } = agent
  const now = house.observedAt
  if (restarts?.exhausted === true && lifecycle !== 'suspended') {
    return [now, `nothing by itself: it ended ${restarts.inARow} times in a row; a person was asked`]
  }
  if (lifecycle === 'stopped') return [wanted === 'stop' ? now : undefined, 'no restart: a person stopped it']
  const isWatched = lifecycle !== 'suspended' && agent.adopted === undefined
  if (deadWitness(agent) === undefined || !isWatched) return [undefined, '']
  if (lifecycle === 'idle' && assignment === undefined) return [now, 'no restart: it rested and no work waits for it']
  const { exitCode } = deadWitness(agent) ?? {}
  if (hasFailed(agent, settings)) {
    const wait = exactly(waitMs((restarts?.inARow ?? 0) + 1))
    return [now, `it is started again about ${wait} after two looks found nothing left of it`, true]
  }
  const why = !settings.restartOnCrash
    ? 'auto_actions.restart_on_crash is off'
    : `nobody knows that its program failed (${exitCode === undefined ? 'no exit code was seen' : `exit code ${exitCode}`})`
  return [now, `no restart: ${why}`]
}

function sleepAhead(world: World, agent: AgentRecord): Line {
  const { settings, observer, house } = world
  const resume = resumeOf(world, agent)
  const awake = whyAwake(agent, settings, resume) ?? whatItDoes(agent, settings)
  if (awake !== undefined) return [house.observedAt, `it stays awake: ${awake}`]
  const at = suspendAt({ agent, graceAt: observer.graceAt, settings })
  return [at, `it is suspended, if it verifiably rests until then; ${resumeInWords(resume)}`, true]
}

function workAhead({ settings, observer, house }: World, agent: AgentRecord): number | undefined {
  const { assignment } = agent
  if (assignment === undefined || assignment.nudges >= MAX_NUDGES || isLeftToPerson(agent)) return undefined
  const { observedAt: now, wallAt } = house
  return waitingWork({ agent, now, wallAt, graceAt: observer.graceAt, settings, chance: () => 0 }).wakeAt
}
