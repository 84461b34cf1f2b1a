/** What the policies will do to an agent if nothing moves; asked of the policies themselves. */
import type { AgentRecord, HouseRecord } from '../contract/records.ts'
import type { ExplainView } from '../contract/views.ts'
import type { Hold, LimitHold } from '../contract/standing.ts'
import { isLimited } from './desired.ts'
import { duration, exactly } from './durations.ts'
import { deadWitness, judge, type Judgement, type Moment } from './health/judge.ts'
import { attention, MAX_POKES, SETTLE_MS } from './policies/attention.ts'
import { hasFailed } from './policies/crash.ts'
import { suspendAt, whatItDoes, whyAwake } from './policies/idle.ts'
import { OUTAGE_ROUNDS } from './policies/limits.ts'
import { MAX_NUDGES, waitingWork } from './policies/waiting-work.ts'
import { waitMs } from './restarts.ts'
import { resumeInWords, resumeOf } from './resume-price.ts'
import { can, type World } from './world.ts'

type Next = ExplainView['next']

export interface Rung {
  inMs: number
  what: string
  at: number
  judgement: Judgement
}

export function momentOf({ house, observer, settings }: World): Moment {
  return { now: house.observedAt, graceAt: observer.graceAt, thresholds: settings.thresholds }
}

export function firstPoke(world: World, agent: AgentRecord, rungs: readonly Rung[]): Next {
  const now = world.house.observedAt
  const current = { at: now, inMs: 0, judgement: judge(agent, momentOf(world)) }
  const trouble = [current, ...rungs].find(({ judgement, at }) => isPokeable(world, agent, { judgement, now: at }))
  if (trouble === undefined) return []
  if (!world.settings.pokeOnWarning) return [{ inMs: trouble.inMs, what: POKES_OFF }]
  return [{ inMs: trouble.inMs + SETTLE_MS, what: `poke 1 of ${MAX_POKES}, if nothing moves` }]
}

const POKES_OFF = 'no poke: auto_actions.poke_on_warning is off; a person is asked when it is stuck'

/** Would it open an episode? */
function isPokeable(world: World, agent: AgentRecord, at: { judgement: Judgement; now: number }): boolean {
  const { episode: _, ...fresh } = agent
  return advised(world, fresh, at).drafts.length > 0
}

function advised(world: World, agent: AgentRecord, { judgement, now }: { judgement: Judgement; now: number }) {
  const { settings } = world
  return attention({ agent, judgement, now, looksSince: 2, settings, canInterrupt: can(world, agent, 'interrupt') })
}

export function attentionAhead(world: World, agent: AgentRecord): Next {
  const { episode } = agent
  const moment = momentOf(world)
  const { now } = moment
  if (episode === undefined) return []
  const judgement = judge(agent, moment)
  if (!episode.exhausted && !isPokeable(world, agent, { judgement, now })) return []
  if (!episode.exhausted && !world.settings.pokeOnWarning) return [{ inMs: 0, what: POKES_OFF }]
  const first = advised(world, agent, { judgement, now })
  const at = first.proposal === undefined && first.drafts.length === 0 ? (first.wakeAt ?? now) : now
  const { proposal, drafts } = advised(world, agent, { judgement: judge(agent, { ...moment, now: at }), now: at })
  const inMs = Math.max(0, at - now)
  if (proposal?.kind === 'poke') {
    return [{ inMs, what: `poke ${episode.pokes + 1} of ${MAX_POKES}, if there is no progress` }]
  }
  if (proposal?.kind === 'interrupt') {
    return [{ inMs, what: `its turn is cut short, since ${MAX_POKES} pokes brought no progress` }]
  }
  if (proposal?.kind === 'kill')
    return [{ inMs, what: 'its work is saved and it is ended (auto_actions.kill_on_stuck)' }]
  if (drafts.some(({ type }) => type === 'episode.exhausted')) {
    const longMs = at - episode.openedAt
    return [{ inMs, what: `a person is asked, since ${MAX_POKES} pokes brought no progress in ${duration(longMs)}` }]
  }
  return episode.exhausted ? [{ inMs: 0, what: 'nothing more by itself: a person was asked' }] : []
}

/** What has a row and a deadline of its own. */
export function standingAhead(world: World, agent: AgentRecord): Next {
  const { house } = world
  const now = house.observedAt
  const { hold, limit, restarts, experiments = [], lifecycle } = agent
  const next: Next = []
  const add = (at: number | undefined, what: string) => {
    if (at !== undefined) next.push({ inMs: Math.max(0, at - now), what })
  }
  if (hold !== undefined) add(hold.untilAt, `the hold by ${hold.by} ends`)
  if (limit !== undefined) add(...goingOn(limit, hold, house))
  add(restarts?.dueAt, `it is started again (start ${restarts?.inARow ?? 1} in a row)`)
  if (restarts?.dueAt === undefined) add(...restartAhead(world, agent))
  for (const { act, n, judgeAt } of experiments) {
    add(judgeAt, `${act}${n === undefined ? '' : ` ${n}`} is judged: did it help?`)
  }
  if (lifecycle === 'idle' && deadWitness(agent) === undefined) add(...sleepAhead(world, agent))
  const work = workAhead(world, agent)
  if (work !== undefined) add(work, `it is told of the work that waits, at most ${MAX_NUDGES} times`)
  return next
}

/** A person's hold that lasts longer comes first; one without an end says nothing of what comes after it. */
function goingOn(limit: LimitHold, hold: Hold | undefined, house: HouseRecord): [number | undefined, string] {
  const { of, round, untilAt, continuedAt } = limit
  if (isLimited(limit, house)) {
    const at = hold === undefined ? untilAt : hold.untilAt && Math.max(untilAt, hold.untilAt)
    return [at, `it is told to go on, once${of === 'outage' ? tryOf(round) : ''}`]
  }
  const isLast = of === 'outage' && round >= OUTAGE_ROUNDS && continuedAt !== undefined
  return [
    isLast ? house.observedAt : undefined,
    `nothing more by itself after ${OUTAGE_ROUNDS} tries: a person is asked`,
  ]
}

function tryOf(round: number): string {
  return ` (try ${round} of ${OUTAGE_ROUNDS})`
}

/** What comes of a program that ended, as long as no restart is planned; why none comes is said, too. */
function restartAhead({ settings, house }: World, agent: AgentRecord): [number | undefined, string] {
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
    return [now, `it is started again about ${wait} after two looks found nothing left of it`]
  }
  const why = !settings.restartOnCrash
    ? 'auto_actions.restart_on_crash is off'
    : `nobody knows that its program failed (${exitCode === undefined ? 'no exit code was seen' : `exit code ${exitCode}`})`
  return [now, `no restart: ${why}`]
}

function sleepAhead(world: World, agent: AgentRecord): [number, string] {
  const { settings, observer, house } = world
  const resume = resumeOf(world, agent)
  const awake = whyAwake(agent, settings, resume) ?? whatItDoes(agent)
  if (awake !== undefined) return [house.observedAt, `it stays awake: ${awake}`]
  const at = suspendAt({ agent, graceAt: observer.graceAt, settings })
  return [at, `it is suspended, if it verifiably rests until then; ${resumeInWords(resume)}`]
}

function workAhead({ settings, observer, house }: World, agent: AgentRecord): number | undefined {
  if (agent.assignment === undefined || agent.assignment.nudges >= MAX_NUDGES) return undefined
  const { observedAt: now, wallAt } = house
  return waitingWork({ agent, now, wallAt, graceAt: observer.graceAt, settings, chance: () => 0 }).wakeAt
}
