/**
 * `pan explain`: the verdict taken apart. Which rule fired and on what evidence, what would change it, and what
 * comes next if nothing does. It asks the same functions that judge and decide, so that it cannot tell another story.
 */
import { WITNESSES } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { CauseKind } from '../contract/verdict.ts'
import type { ExplainView } from '../contract/views.ts'
import { arbitrate } from './arbitrate.ts'
import { desiredOf } from './desired.ts'
import { cycleAhead } from './handoffs/cycle-view.ts'
import { handoffAhead } from './handoffs/explain-hand-off.ts'
import { attentionAhead, firstPoke, momentOf, standingAhead, type Rung } from './explain-next.ts'
import { changesFor, ruleFor } from './explain-words.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import { currentDoing, judge, type Moment } from './health/judge.ts'
import { causeInWords, citationsOf, reasonFor } from './health/words.ts'
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
    ...withRelease(world, agent, isWatched(agent) ? judged(world, agent) : unjudged(agent)),
    ...lasted(world, agent),
    ...seenAlive(world, agent),
    silentMs: now - agent.producedAt,
    unprogressedMs: now - agent.progressedAt,
    witnesses: witnessesOf(world, agent),
    next: nextOf(world, agent),
    desired: desiredOf(agent, world.house),
    ...resumeFor(world, agent),
    ...(held === undefined ? {} : { held }),
    pokes: agent.episode?.pokes ?? 0,
    needsYou: agent.needsYou,
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
  const { kind } = currentJudgement(world, agent).cause
  const causeAt = JUDGED.includes(kind) ? verdict.sinceAt : (currentDoing(agent)?.at ?? verdict.sinceAt)
  return { forMs: now - (verdict.healthAt ?? verdict.sinceAt), causeMs: now - causeAt }
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

type Told = Pick<ExplainView, 'health' | 'cause' | 'reason' | 'rule' | 'wouldChange'>

function judged(world: World, agent: AgentRecord): Told {
  const judgement = currentJudgement(world, agent)
  return {
    health: judgement.health,
    cause: judgement.cause,
    reason: reasonFor(judgement),
    rule: ruleFor(judgement.cause, world.settings.thresholds),
    wouldChange: changesFor(judgement.cause, agent.id),
  }
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
    reason: 'it finished its turn and waits at its prompt',
    change: (id) => `Give it work: \`pan agents message ${id} "…"\`.`,
  },
  suspended: {
    reason: 'it sleeps with its session saved',
    change: (id) => `A message wakes it: \`pan agents message ${id} "…"\`; so does \`pan agents resume ${id}\`.`,
  },
  stopped: { reason: 'it was stopped', change: (id) => `Start it again with \`pan agents spawn ${id}\`.` },
}

const YOURS = 'It was adopted: start it yourself, and adopt it anew.'

function unjudged(agent: AgentRecord): Told {
  const { id, lifecycle } = agent
  const { reason, change } = RESTING[lifecycle === 'active' ? 'idle' : lifecycle]
  return {
    reason: whyResting(agent) ?? reason,
    rule: 'Health is judged only while an agent is active: one that rests cannot be stuck.',
    wouldChange: [agent.adopted === undefined || lifecycle !== 'stopped' ? change(id) : YOURS],
  }
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
  const next = [...actDue(world, agent), ...standingAhead(world, agent)]
  if (isWatched(agent) && distrust(world.observer) === undefined && world.house.monitoring === 'running') {
    const moment = momentOf(world)
    const rungs = rungsAhead(agent, moment)
    next.push(...rungs.map(({ inMs, what }) => ({ inMs, what })))
    const pokes = agent.episode === undefined ? firstPoke(world, agent, rungs) : attentionAhead(world, agent)
    next.push(...(handoffUnderWay(agent) === undefined ? pokes : []), ...handoffAhead(world, agent))
    if (agent.handoff === undefined) next.push(...cycleAhead(world, agent))
  } else if (agent.handoff !== undefined) next.push(...handoffAhead(world, agent))
  return next.toSorted((a, b) => a.inMs - b.inMs)
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
    if (judgement.health !== before.health || judgement.cause.kind !== before.cause.kind) {
      rungs.push({
        at,
        judgement,
        inMs: at - moment.now,
        what: `${judgement.health} (${causeInWords(judgement.cause)}), if nothing moves`,
      })
    }
    if (judgement.nextAt === undefined || judgement.nextAt <= at) break
    before = judgement
  }
  return rungs
}
