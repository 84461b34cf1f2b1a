/**
 * `pan explain`: the verdict taken apart. Which rule fired and on what evidence, what would change it, and what
 * comes next if nothing does. It asks the same functions that judge and decide, so that it cannot tell another story.
 */
import { WITNESSES } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { shownActive, shownOf } from '../contract/shown.ts'
import type { Cause, CauseKind } from '../contract/verdict.ts'
import type { ExplainView } from '../contract/views.ts'
import { arbitrate } from './arbitrate.ts'
import { desiredOf, shownDesired } from './desired.ts'
import { FIRST_PROMPT, TURN_ENDED } from './finished.ts'
import { cycleAhead } from './handoffs/cycle-view.ts'
import { handoffAhead } from './handoffs/explain-hand-off.ts'
import { attentionAhead, firstPoke, standingAhead, type Ahead, type Rung } from './explain-next.ts'
import { afterLimit, changesFor, ruleFor } from './explain-words.ts'
import { limitOver } from './limit-words.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import { currentDoing, judge, type Moment } from './health/judge.ts'
import { causeInWords, citationsOf, reasonFor } from './health/words.ts'
import { whyKeptOff, whyUnhelped } from './help.ts'
import { startable } from './last-stop.ts'
import { momentOf } from './moment-of.ts'
import { itemsAbout } from './needs-you-view.ts'
import { restartOf } from './restart-steps.ts'
import { resumeOf } from './resume-price.ts'
import { currentJudgement, whyResting } from './views.ts'
import { distrust, isWatched, type World } from './world.ts'

export function explainView(world: World, id: AgentId): ExplainView | undefined {
  const agent = world.agents.get(id)
  if (agent === undefined) return undefined
  const now = world.house.observedAt
  const held = heldFor(world, agent)
  return {
    agent: id,
    generation: agent.generation,
    lifecycle: agent.lifecycle,
    ...withRelease(world, agent, isWatched(agent) ? judged(world, agent) : unjudged(world, agent)),
    ...lasted(world, agent),
    ...seenAlive(world, agent),
    silentMs: now - agent.producedAt,
    unprogressedMs: now - agent.progressedAt,
    witnesses: witnessesOf(world, agent),
    next: nextOf(world, agent),
    desired: shownDesired(agent, world.house),
    ...resumeFor(world, agent),
    ...(held === undefined ? {} : { held }),
    pokes: agent.episode?.pokes ?? 0,
    needsYou: itemsAbout(world, agent),
  }
}

function resumeFor(world: World, agent: AgentRecord): Pick<ExplainView, 'resume'> {
  const resume = agent.lifecycle === 'idle' || agent.lifecycle === 'suspended' ? resumeOf(world, agent) : undefined
  return resume === undefined ? {} : { resume }
}

/** What it does may have begun long after it became active. */
function lasted(world: World, agent: AgentRecord): Pick<ExplainView, 'forMs' | 'causeMs'> {
  const now = world.house.observedAt
  const { verdict, lifecycleAt } = agent
  if (!isWatched(agent) || verdict === undefined) return { forMs: now - lifecycleAt }
  const { health, cause } = currentJudgement(world, agent)
  const causeAt = JUDGED.includes(cause.kind) ? verdict.sinceAt : (currentDoing(agent)?.at ?? verdict.sinceAt)
  const isByCause = shownActive(health, cause.kind) !== health
  return { forMs: now - (isByCause ? causeAt : (verdict.healthAt ?? verdict.sinceAt)), causeMs: now - causeAt }
}

/** A look tells only what changed: who was alive at the last word of a witness was so at the last good look. */
function seenAlive({ house, observer }: World, { evidence }: AgentRecord): Pick<ExplainView, 'aliveMs'> {
  const { process, terminal, hook } = evidence
  const isAlive = process?.alive === true || (terminal?.alive === true && terminal.lost !== true)
  const at = Math.max(hook?.changedAt ?? -Infinity, isAlive ? observer.lastLookAt : -Infinity)
  return at === -Infinity ? {} : { aliveMs: Math.max(0, house.observedAt - at) }
}

/** What nobody reports: it begins when it is judged. */
const JUDGED: readonly CauseKind[] = ['hung', 'dead', 'startup_blocked', 'unknown']

type Told = Pick<ExplainView, 'health' | 'cause' | 'shown' | 'reason' | 'rule' | 'wouldChange'>

function judged(world: World, agent: AgentRecord): Told {
  const judgement = currentJudgement(world, agent)
  const { health, cause } = judgement
  const over = limitOver(world, agent, cause)
  return {
    health,
    cause,
    shown: shownActive(health, cause.kind),
    reason: over ?? reasonFor(judgement),
    rule: ruleFor(cause, world.settings.thresholds),
    wouldChange: over === undefined ? changes(world, agent, cause) : [afterLimit(agent.id)],
  }
}

/** Where nobody is judged, the agent is not what has to change. */
function changes({ house, observer }: World, { id }: AgentRecord, cause: Cause): string[] {
  if (cause.kind !== 'unknown') return changesFor(cause, id)
  if (house.monitoring === 'paused')
    return ['Cloister is paused and judges nobody: `pan cloister start` starts it again.']
  return distrust(observer) === undefined ? changesFor(cause, id) : ['The next good look at it.']
}

/** Whoever is held can be let go, by whatever it is held. */
function withRelease({ house }: World, agent: AgentRecord, told: Told): Told {
  const { state, by } = desiredOf(agent, house)
  if (state !== 'hold' && state !== 'frozen') return told
  const what = by === 'limits' ? 'tells it to go on now' : 'lets rules act on it again'
  return { ...told, wouldChange: [...told.wouldChange, `\`pan agents release ${agent.id}\` ${what}.`] }
}

const RESTING: Record<
  Exclude<AgentRecord['lifecycle'], 'active'>,
  { reason: string; change: (id: string) => string }
> = {
  uninitialized: {
    reason: 'it was never started',
    change: (id) => `Start it with \`pan agents spawn ${id}\`.`,
  },
  idle: {
    reason: `${TURN_ENDED} and waits at its prompt`,
    change: (id) => `Give it work: \`pan agents message ${id} "…"\`.`,
  },
  suspended: {
    reason: 'it sleeps with its session saved',
    change: (id) => `A message wakes it: \`pan agents message ${id} "…"\`; so does \`pan agents resume ${id}\`.`,
  },
  stopped: { reason: 'it was stopped', change: (id) => `Start it again with \`pan agents spawn ${id}\`.` },
}

const YOURS = 'It was adopted: start it yourself, and adopt it anew.'

function unjudged(world: World, agent: AgentRecord): Told {
  const { lifecycle } = agent
  const { reason } = RESTING[lifecycle === 'active' ? 'idle' : lifecycle]
  return {
    shown: shownOf(agent),
    reason: whyResting(agent) ?? (lifecycle === 'idle' ? whyIdle(agent) : reason),
    rule: 'Health is judged only while an agent is active: one that rests cannot be stuck.',
    wouldChange: [changeOf(world, agent)],
  }
}

/** One that was told nothing yet has finished nothing. */
function whyIdle({ lifecycleWhy }: AgentRecord): string {
  if (lifecycleWhy === FIRST_PROMPT) return `${FIRST_PROMPT}: nobody has told it anything since it was started`
  if (lifecycleWhy === undefined || lifecycleWhy === TURN_ENDED) return RESTING.idle.reason
  return `${lifecycleWhy}, and it waits at its prompt`
}

function changeOf(world: World, agent: AgentRecord): string {
  const { id, lifecycle, adopted } = agent
  if (adopted !== undefined && lifecycle === 'stopped') return YOURS
  if (world.house.emergency.state === 'armed') return RESTING[lifecycle === 'active' ? 'idle' : lifecycle].change(id)
  const inForce = 'An emergency stop is in force, and nothing is started or typed'
  if (!startable(world).includes(id)) return `${inForce}: \`pan cloister resume\` takes it back.`
  return `${inForce}: \`pan cloister resume --start ${id}\` takes it back and starts this one again.`
}

function witnessesOf({ settings, house }: World, agent: AgentRecord): ExplainView['witnesses'] {
  const cited = new Map(citationsOf(agent, house.observedAt).map((citation) => [citation.witness, citation]))
  return WITNESSES.map((witness) => {
    if (settings.witnessesOff.includes(witness)) {
      return { witness, state: 'off', value: 'switched off in monitoring.heartbeat_sources' }
    }
    const citation = cited.get(witness)
    return citation === undefined ? { witness, state: 'silent', value: 'nothing yet' } : { ...citation, state: 'heard' }
  })
}

/** Why no rule would act now: asked of the arbitration itself, with a poke in hand, or with the restart that is due. */
function heldFor(world: World, agent: AgentRecord): string | undefined {
  if (agent.restarts?.dueAt !== undefined && agent.lifecycle === 'stopped') {
    const restart = arbitrate(world, agent, restartOf(world, agent, world.house.observedAt))
    return restart.go ? undefined : restart.refusal.sentence
  }
  if (!isWatched(agent)) return undefined
  const poke = { kind: 'poke', precedence: 'stuck', by: 'explain', reason: 'asked', citations: [], text: '' } as const
  const ruling = arbitrate(world, agent, { ...poke, citations: [] })
  return ruling.go ? undefined : ruling.refusal.sentence
}

type Next = ExplainView['next']

function nextOf(world: World, agent: AgentRecord): Next {
  const next: Ahead[] = [...actDue(world, agent), ...standingAhead(world, agent)]
  const unhelped = whyUnhelped(world, agent)
  if (isWatched(agent) && distrust(world.observer) === undefined && world.house.monitoring === 'running') {
    const moment = momentOf(world)
    const rungs = rungsAhead(agent, moment)
    next.push(...rungs.map(({ inMs, what }) => ({ inMs, what })))
    const pokes = agent.episode === undefined ? firstPoke(world, agent, rungs) : attentionAhead(world, agent)
    const isLeft = handoffUnderWay(agent) === undefined && unhelped === undefined
    next.push(...(isLeft ? pokes : []), ...handoffAhead(world, agent))
    if (agent.handoff === undefined) next.push(...cycleAhead(world, agent))
  } else if (agent.handoff !== undefined) next.push(...handoffAhead(world, agent))
  if (unhelped !== undefined) next.push({ inMs: 0, what: `no rule helps it: ${unhelped}; a person is asked` })
  return honest(next, whyKeptOff(world, agent)).toSorted((a, b) => a.inMs - b.inMs)
}

/** What rules may not do now is not promised. */
function honest(next: readonly Ahead[], why: string | undefined): Next {
  return next.map(({ inMs, what, isAct }) =>
    isAct === undefined || why === undefined ? { inMs, what } : { inMs, what: `held back (${why}): ${what}` },
  )
}

function actDue({ house }: World, { act }: AgentRecord): Next {
  if (act === undefined) return []
  const step = act.step === 'doing' ? '' : `, now ${act.step}`
  return [
    {
      inMs: Math.max(0, act.deadlineAt - house.observedAt),
      what: `the ${act.kind} by ${act.by} must have its outcome${step}`,
    },
  ]
}

/** Time alone may make at most this many changes: the ladder is shorter. */
const MOST_RUNGS = 6

/** What the judge will say if nothing moves: asked of the judge itself, at the instants that it names. */
function rungsAhead(agent: AgentRecord, moment: Moment): Rung[] {
  const rungs: Rung[] = []
  let before = judge(agent, moment)
  for (let n = 0; n < MOST_RUNGS; n += 1) {
    const at = before.nextAt
    if (at === undefined || at <= moment.now) break
    const judgement = judge(agent, { ...moment, now: at })
    const { health, cause } = judgement
    const shown = shownActive(health, cause.kind)
    if (shown !== shownActive(before.health, before.cause.kind) || cause.kind !== before.cause.kind) {
      rungs.push({
        at,
        judgement,
        inMs: at - moment.now,
        what: `${shown} (${causeInWords(cause)}), if nothing moves`,
      })
    }
    if (judgement.nextAt === undefined || judgement.nextAt <= at) break
    before = judgement
  }
  return rungs
}
