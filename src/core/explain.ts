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
import { duration } from './durations.ts'
import { changesFor, ruleFor } from './explain-words.ts'
import { currentDoing, judge, type Judgement, type Moment } from './health/judge.ts'
import { causeInWords, citationsOf, reasonFor } from './health/words.ts'
import { attention, COOLDOWN_MS, MAX_POKES, SETTLE_MS } from './policies/attention.ts'
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
    ...(isWatched(agent) ? judged(world, agent) : unjudged(agent)),
    ...lasted(world, agent),
    silentMs: now - agent.producedAt,
    unprogressedMs: now - agent.progressedAt,
    witnesses: witnessesOf(world, agent),
    next: nextOf(world, agent),
    ...(held === undefined ? {} : { held }),
    pokes: agent.episode?.pokes ?? 0,
    needsYou: agent.needsYou,
  }
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

/** Why no rule would act now: asked of the arbitration itself, with a poke in hand. */
function heldFor(world: World, agent: AgentRecord): string | undefined {
  if (!isWatched(agent)) return undefined
  const poke = { kind: 'poke', precedence: 'stuck', by: 'explain', reason: 'asked', citations: [], text: '' } as const
  const ruling = arbitrate(world, agent, { ...poke, citations: [] })
  return ruling.go ? undefined : ruling.refusal.sentence
}

type Next = ExplainView['next']

function nextOf(world: World, agent: AgentRecord): Next {
  const next = [...actDue(world, agent)]
  if (isWatched(agent) && distrust(world.observer) === undefined && world.house.monitoring === 'running') {
    const moment = momentOf(world)
    const rungs = rungsAhead(agent, moment)
    next.push(...rungs.map(({ inMs, what }) => ({ inMs, what })))
    next.push(...(agent.episode === undefined ? firstPoke(world, agent, rungs) : attentionAhead(world, agent)))
  }
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

function momentOf({ house, observer, settings }: World): Moment {
  return { now: house.observedAt, graceAt: observer.graceAt, thresholds: settings.thresholds }
}

interface Rung {
  inMs: number
  what: string
  at: number
  judgement: Judgement
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

function firstPoke(world: World, agent: AgentRecord, rungs: readonly Rung[]): Next {
  const now = world.house.observedAt
  const current = { at: now, inMs: 0, judgement: judge(agent, momentOf(world)) }
  const trouble = [current, ...rungs].find(({ judgement, at }) => isPokeable(world, agent, { judgement, now: at }))
  if (trouble === undefined) return []
  if (!world.settings.pokeOnWarning) return [{ inMs: trouble.inMs, what: POKES_OFF }]
  return [{ inMs: trouble.inMs + SETTLE_MS, what: `poke 1 of ${MAX_POKES}, if nothing moves` }]
}

const POKES_OFF = 'no poke: auto_actions.poke_on_warning is off; a person is asked when it is stuck'

/** Asked of the policy itself: would it open an episode? */
function isPokeable(world: World, agent: AgentRecord, { judgement, now }: { judgement: Judgement; now: number }) {
  const { episode: _, ...fresh } = agent
  return attention({ agent: fresh, judgement, now, looksSince: 1, settings: world.settings }).drafts.length > 0
}

function attentionAhead(world: World, agent: AgentRecord): Next {
  const { episode } = agent
  const now = world.house.observedAt
  if (episode === undefined) return []
  if (episode.exhausted) return [{ inMs: 0, what: 'nothing more by itself: a person was asked' }]
  const next: Next = []
  if (episode.judgeAt !== undefined) {
    next.push({ inMs: Math.max(0, episode.judgeAt - now), what: `poke ${episode.pokes} is judged: did it help?` })
  }
  if (!isPokeable(world, agent, { judgement: judge(agent, momentOf(world)), now })) return next
  if (!world.settings.pokeOnWarning) return [...next, { inMs: 0, what: POKES_OFF }]
  const readyAt = Math.max(
    (agent.verdict?.sinceAt ?? now) + SETTLE_MS,
    (episode.lastPokeAt ?? -Infinity) + COOLDOWN_MS,
    now,
  )
  const what =
    episode.pokes < MAX_POKES
      ? `poke ${episode.pokes + 1} of ${MAX_POKES}, if there is no progress`
      : `a person is asked, since ${MAX_POKES} pokes brought no progress in ${duration(readyAt - episode.openedAt)}`
  return [...next, { inMs: readyAt - now, what }]
}
