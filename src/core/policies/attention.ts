/**
 * Trouble gets attention, within limits. An episode runs from the first warning to verified progress; in it
 * at most MAX_POKES pokes are sent, COOLDOWN_MS apart, each judged before the next. Then a person is asked.
 * Output alone ends nothing: only progress (a commit, a closed task, a novel call) resets the counters.
 */
import type { AgentRecord, Episode } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import type { CauseKind } from '../../contract/verdict.ts'
import { MINUTE, SECOND } from '../durations.ts'
import type { Judgement } from '../health/judge.ts'
import { citationsOf, reasonFor } from '../health/words.ts'
import { pokeText } from '../prompts.ts'
import type { Advice, Proposal } from '../proposals.ts'
import type { Draft } from '../turn.ts'

export const MAX_POKES = 3
export const COOLDOWN_MS = 15 * MINUTE
/** No act on a verdict younger than this: a common cause must have the time to show. */
export const SETTLE_MS = 30 * SECOND
/** Echo of our own text, and the agent's first words, are no answer yet. */
const ANSWER_AFTER_MS = 10 * SECOND

const POKEABLE: readonly CauseKind[] = ['thinking', 'compacting', 'hung', 'looping']

export interface Case {
  agent: AgentRecord
  judgement: Judgement
  now: number
  /** Good looks since the verdict began; the verdict of one look alone is not enough. */
  looksSince: number
  settings: Pick<Settings, 'pokeOnWarning'>
}

export function attention(given: Case): Advice {
  const { agent } = given
  const inTrouble = isPokeable(given.judgement)
  if (agent.episode !== undefined && agent.progressedAt > agent.episode.openedAt) {
    // Progress without output: still in trouble, so a new episode begins at the next moment.
    return { ...recovered(agent, agent.episode), wakeAt: inTrouble ? given.now + SECOND : undefined }
  }
  if (agent.episode === undefined) {
    return inTrouble ? { ...nothing, drafts: [opened(given)], wakeAt: given.now + SETTLE_MS } : nothing
  }
  const drafts = judgedPoke(given, agent.episode)
  if (!inTrouble) return { ...nothing, drafts, wakeAt: drafts.length > 0 ? undefined : agent.episode.judgeAt }
  const advice = intervene(given, agent.episode)
  return { ...advice, drafts: [...drafts, ...advice.drafts] }
}

const nothing: Advice = { drafts: [], proposal: undefined, wakeAt: undefined }

function isPokeable({ health, cause }: Judgement): boolean {
  return (health === 'warning' || health === 'stuck') && POKEABLE.includes(cause.kind)
}

function opened({ agent, judgement }: Case): Draft {
  const { id, generation } = agent
  return { type: 'episode.opened', agent: id, generation, health: judgement.health, reason: reasonFor(judgement) }
}

function recovered({ id, generation }: AgentRecord, { pokes, judgeAt }: Episode): Advice {
  const closed: Draft = { type: 'episode.closed', agent: id, generation, pokes, why: 'progress' }
  const judged: Draft = { type: 'episode.poke-judged', agent: id, generation, n: pokes, result: 'recovered' }
  return { ...nothing, drafts: judgeAt === undefined ? [closed] : [judged, closed] }
}

/** A poke is an experiment with a deadline: did the agent answer, though it made no progress yet? */
function judgedPoke({ agent, now }: Case, { judgeAt, pokes, lastPokeAt }: Episode): Draft[] {
  if (judgeAt === undefined || now < judgeAt) return []
  const answered = agent.producedAt > (lastPokeAt ?? now) + ANSWER_AFTER_MS
  const { id, generation } = agent
  return [
    { type: 'episode.poke-judged', agent: id, generation, n: pokes, result: answered ? 'answered' : 'not_recovered' },
  ]
}

function intervene(given: Case, episode: Episode): Advice {
  const { agent, judgement, now, settings } = given
  const since = agent.verdict?.sinceAt ?? now
  const readyAt = Math.max(since + SETTLE_MS, (episode.lastPokeAt ?? -Infinity) + COOLDOWN_MS)
  const spent = episode.pokes >= MAX_POKES || (!settings.pokeOnWarning && judgement.health === 'stuck')
  if (episode.exhausted || (!settings.pokeOnWarning && !spent)) return nothing
  if (now < readyAt || given.looksSince < 1) return { ...nothing, wakeAt: Math.max(readyAt, now + SECOND) }
  if (spent) {
    const { id, generation } = agent
    return { ...nothing, drafts: [{ type: 'episode.exhausted', agent: id, generation, pokes: episode.pokes }] }
  }
  return { ...nothing, proposal: poke(given, episode), wakeAt: now + SETTLE_MS }
}

function poke({ agent, judgement, now }: Case, episode: Episode): Proposal {
  const n = episode.pokes + 1
  return {
    kind: 'poke',
    precedence: 'stuck',
    by: 'attention',
    reason: reasonFor(judgement),
    citations: citationsOf(agent, now),
    text: pokeText(agent, judgement),
    poke: { n, judgeAt: now + COOLDOWN_MS },
  }
}
