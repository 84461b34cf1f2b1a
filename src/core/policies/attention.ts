/**
 * Trouble gets attention, rung by rung and within limits. An episode runs from the first warning to verified progress.
 *
 *   pokes (MAX_POKES, COOLDOWN_MS apart) → interrupt, and a word why → escalate: a person is asked, the work is offered
 *   to whoever can take it over → kill, where the settings want it
 *
 * Each rung is tried once the one before had its time and did not help. Pokes need a warning that lasted; what comes
 * after them needs an agent that positively hangs or loops, and the kill two witnesses of different kinds in two looks.
 * Output alone ends nothing: only progress (a commit, a closed task, a novel call) resets the counters. One that was
 * poked, answers in words and rests goes on up to a person; no rung ends or replaces one that rests.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Episode } from '../../contract/acts.ts'
import type { Settings } from '../../contract/settings.ts'
import type { CauseKind } from '../../contract/verdict.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { isStoppedByPerson } from '../finished.ts'
import type { Judgement } from '../health/judge.ts'
import { citationsOf, reasonFor } from '../health/words.ts'
import { wasToldSince } from '../own-words.ts'
import { interruptedText, pokeText, wordsText } from '../prompts.ts'
import { NO_ADVICE, type Advice, type Proposal } from '../proposals.ts'
import type { Draft } from '../turn.ts'

export const MAX_POKES = 3
export const COOLDOWN_MS = 15 * MINUTE
/** No act on a verdict younger than this: a common cause must have the time to show. */
export const SETTLE_MS = 30 * SECOND

const POKEABLE: readonly CauseKind[] = ['thinking', 'compacting', 'hung', 'looping']
/** Trouble that somebody positively sees, and not only silence. */
const SEEN: readonly CauseKind[] = ['hung', 'looping']

export interface Case {
  agent: AgentRecord
  judgement: Judgement
  now: number
  /** Good looks since the verdict began; the verdict of one look alone is not enough. */
  looksSince: number
  settings: Pick<Settings, 'pokeOnWarning' | 'pokeText' | 'interruptOnStuck' | 'killOnStuck' | 'thresholds'>
  canInterrupt: boolean
}

export function attention(given: Case): Advice {
  const { agent, now } = given
  const { episode } = agent
  const inTrouble = isPokeable(given.judgement)
  if (episode !== undefined && agent.progressedAt > episode.openedAt) {
    const { id, generation } = agent
    const closed: Draft = { type: 'episode.closed', agent: id, generation, pokes: episode.pokes, why: 'progress' }
    // Progress without output: still in trouble, so a new episode begins at the next moment.
    return { ...NO_ADVICE, drafts: [closed], wakeAt: inTrouble ? now + SECOND : undefined }
  }
  if (episode === undefined) {
    return inTrouble ? { ...NO_ADVICE, drafts: [opened(given)], wakeAt: now + SETTLE_MS } : NO_ADVICE
  }
  return inTrouble ? intervene(given, episode) : NO_ADVICE
}

type Resting = Pick<Case, 'agent' | 'now'> & { settings: Pick<Settings, 'pokeOnWarning' | 'pokeText'> }

/** Of one that was in trouble and rests: that it does is no recovery. */
export function afterwards(given: Resting): Advice {
  const { episode, act, progressedAt, id, generation } = given.agent
  if (episode === undefined) return NO_ADVICE
  if (progressedAt > episode.openedAt) {
    const closed: Draft = { type: 'episode.closed', agent: id, generation, pokes: episode.pokes, why: 'progress' }
    return { ...NO_ADVICE, drafts: [closed], wakeAt: given.now + SECOND }
  }
  if (episode.exhausted || act !== undefined || isStoppedByPerson(given.agent)) return NO_ADVICE
  return episode.interruptedAt === undefined ? afterPoke(given, episode) : afterInterrupt(given, episode)
}

/** It answered in words, or its turn just ended. Whoever talks to it by now sees that, too. */
function afterPoke({ agent, now, settings }: Resting, episode: Episode): Advice {
  const { id, generation } = agent
  const { pokes, lastPokeAt } = episode
  // One that is limited is told to go on when that is over.
  if (lastPokeAt === undefined || pokes === 0 || agent.limit !== undefined) return NO_ADVICE
  if (wasToldSince(agent, lastPokeAt)) return NO_ADVICE
  const readyAt = Math.max(lastPokeAt + COOLDOWN_MS, agent.lifecycleAt + SETTLE_MS)
  if (now < readyAt) return { ...NO_ADVICE, wakeAt: readyAt }
  if (pokes >= MAX_POKES || !settings.pokeOnWarning) {
    return { ...NO_ADVICE, drafts: [{ type: 'episode.exhausted', agent: id, generation, pokes }] }
  }
  const reason = 'it was poked, answered in words and rests'
  const proposal = { kind: 'poke', precedence: 'stuck', by: 'attention', reason } as const
  const experiment = { n: pokes + 1, judgeAt: now + COOLDOWN_MS }
  const text = wordsText(settings.pokeText)
  return {
    ...NO_ADVICE,
    proposal: { ...proposal, citations: citationsOf(agent, now), text, experiment },
    wakeAt: now + SETTLE_MS,
  }
}

/** Its turn was cut short by us and it rests: it is told why, once. When it does not go on then, a person is asked. */
function afterInterrupt({ agent, now }: Resting, episode: Episode): Advice {
  if (episode.toldAt !== undefined) {
    const askAt = episode.toldAt + COOLDOWN_MS
    if (now < askAt) return { ...NO_ADVICE, wakeAt: askAt }
    const { id, generation, model } = agent
    const { pokes } = episode
    const reason = 'its turn was cut short, it was told why, and it rests'
    const escalated: Draft = { type: 'episode.escalated', agent: id, generation, reason, model, pokes }
    return { ...NO_ADVICE, drafts: [escalated, { type: 'episode.exhausted', agent: id, generation, pokes }] }
  }
  const reason = 'its turn was cut short because it was stuck'
  const proposal = { kind: 'nudge', precedence: 'stuck', by: 'attention', reason, text: interruptedText() } as const
  return {
    ...NO_ADVICE,
    proposal: { ...proposal, citations: citationsOf(agent, now), experiment: { judgeAt: now + COOLDOWN_MS } },
    wakeAt: now + SETTLE_MS,
  }
}

export function isPokeable({ health, cause }: Judgement): boolean {
  return (health === 'warning' || health === 'stuck') && POKEABLE.includes(cause.kind)
}

function opened({ agent, judgement }: Case): Draft {
  const { id, generation } = agent
  return { type: 'episode.opened', agent: id, generation, health: judgement.health, reason: reasonFor(judgement) }
}

function intervene(given: Case, episode: Episode): Advice {
  const { agent, judgement, now, settings } = given
  const since = agent.verdict?.sinceAt ?? now
  const readyAt = Math.max(since + SETTLE_MS, lastRungAt(episode) + COOLDOWN_MS)
  const spent = episode.pokes >= MAX_POKES || (!settings.pokeOnWarning && judgement.health === 'stuck')
  if (!settings.pokeOnWarning && !spent) return NO_ADVICE
  const isEscalated = episode.escalatedAt !== undefined || !isSeen(given, episode)
  if (episode.exhausted && isEscalated && !isKillAhead(given, episode)) return NO_ADVICE
  if (now < readyAt || given.looksSince < 1) return { ...NO_ADVICE, wakeAt: Math.max(readyAt, now + SECOND) }
  if (!spent) return { ...NO_ADVICE, proposal: poke(given, episode), wakeAt: now + SETTLE_MS }
  if (episode.exhausted && isEscalated) return kill(given)
  if (isInterruptAhead(given, episode)) return { ...NO_ADVICE, proposal: interrupt(given), wakeAt: now + SETTLE_MS }
  return { ...NO_ADVICE, drafts: escalated(given, episode), wakeAt: now + COOLDOWN_MS }
}

function lastRungAt({ lastPokeAt, interruptedAt, toldAt, escalatedAt }: Episode): number {
  return Math.max(...[lastPokeAt, interruptedAt, toldAt, escalatedAt].map((at) => at ?? -Infinity))
}

/** What comes after the pokes needs all of them, and trouble that is more than silence. */
function isSeen({ judgement }: Pick<Case, 'judgement'>, { pokes }: Episode): boolean {
  return pokes >= MAX_POKES && judgement.health === 'stuck' && SEEN.includes(judgement.cause.kind)
}

function isInterruptAhead(given: Case, episode: Episode): boolean {
  const isWanted = given.settings.interruptOnStuck && given.canInterrupt
  return isWanted && episode.interruptedAt === undefined && isSeen(given, episode)
}

function isKillAhead(given: Case, episode: Episode): boolean {
  const isNext = episode.escalatedAt !== undefined && episode.killedAt === undefined
  return given.settings.killOnStuck && isNext && isSeen(given, episode)
}

function poke(given: Case, episode: Episode): Proposal {
  const { agent, judgement, now, settings } = given
  return {
    kind: 'poke',
    precedence: 'stuck',
    by: 'attention',
    reason: reasonFor(judgement),
    citations: citationsOf(agent, now),
    text: pokeText(judgement, settings.pokeText),
    experiment: { n: episode.pokes + 1, judgeAt: now + COOLDOWN_MS },
  }
}

function interrupt({ agent, judgement, now }: Case): Proposal {
  return {
    kind: 'interrupt',
    precedence: 'stuck',
    by: 'attention',
    reason: `${MAX_POKES} pokes did not help: ${reasonFor(judgement)}`,
    citations: citationsOf(agent, now),
    experiment: { judgeAt: now + COOLDOWN_MS },
  }
}

function escalated(given: Case, episode: Episode): Draft[] {
  const { id, generation, model } = given.agent
  const { pokes } = episode
  const reason = reasonFor(given.judgement)
  const drafts: Draft[] = []
  if (isSeen(given, episode)) drafts.push({ type: 'episode.escalated', agent: id, generation, reason, model, pokes })
  if (!episode.exhausted) drafts.push({ type: 'episode.exhausted', agent: id, generation, pokes })
  return drafts
}

/** Ending is the last rung: two looks in a row, and two witnesses that have nothing to do with each other. */
function kill(given: Case): Advice {
  const { agent, judgement, now } = given
  const wakeAt = now + MINUTE
  const against = witnessesAgainst(given)
  if (given.looksSince < 2 || against.length < 2) return { ...NO_ADVICE, wakeAt }
  const reason = `nothing helped: ${reasonFor(judgement)} (seen by ${against.join(' and ')})`
  const proposal = { kind: 'kill', precedence: 'stuck', by: 'attention', reason } as const
  const experiment = { judgeAt: now + 2 * COOLDOWN_MS }
  return { ...NO_ADVICE, proposal: { ...proposal, citations: citationsOf(agent, now), experiment }, wakeAt }
}

/** Who positively says that nothing comes of it: who only heard nothing for a moment is none. */
export function witnessesAgainst({ agent, judgement, now, settings }: Omit<Case, 'looksSince' | 'canInterrupt'>) {
  const { process, terminal, transcript, git, hook } = agent.evidence
  const isOld = (at: number | undefined) => at !== undefined && now - at >= settings.thresholds.stuckMs
  if (judgement.cause.kind === 'looping') {
    const repeats = [hook, transcript].some((each) => each !== undefined) ? ['its own reports'] : []
    const stands = git !== undefined && isOld(Math.max(git.progressAt ?? 0, git.changedAt)) ? ['its work tree'] : []
    return [...repeats, ...stands]
  }
  const rests = process?.busy === false && process.alive !== false && isOld(process.busyAt ?? agent.startedAt)
  const still = [terminal, transcript].filter((each) => each !== undefined)
  const isStill = still.length > 0 && still.every((each) => isOld(each.changedAt))
  return [...(rests ? ['its processes'] : []), ...(isStill ? ['its terminal and transcript'] : [])]
}
