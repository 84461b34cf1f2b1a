/**
 * What a replay comes to, in plain sentences: when which verdict was given and why, what was decided on it, or that
 * nothing was. Of a past session all of it is what would have been.
 */
import type { Event, EventOf } from '../../contract/events.ts'
import type { Health } from '../../contract/verdict.ts'
import { describe } from '../../core/describe.ts'
import { duration } from '../../core/durations.ts'
import { redact } from '../../core/redact.ts'
import type { Replay } from './replay-file.ts'

export interface StoryLine {
  /** By the clock on the wall. */
  at: number
  agent?: string
  kind: 'verdict' | 'act' | 'asks' | 'held' | 'nothing' | 'end' | 'doubt'
  health?: Health
  cause?: string
  sentence: string
}

export interface Sums {
  /** How often each bad verdict began, and for how long it stood. */
  stuck: number
  warning: number
  badMs: number
  /** The causes that were said of agents in warning or stuck, most frequent first. */
  causes: string[]
  /** By kind, such as poke and continue. */
  acts: Record<string, number>
  asked: number
}

const BAD: readonly string[] = ['warning', 'stuck']

export function storyOf(replay: Replay): StoryLine[] {
  const { toWallAt, inferred } = replay
  const events = knownEvents(replay)
  const would = inferred !== undefined
  const spells = new Map<string, { verdict: EventOf<'agent.health-changed'>; isActedOn: boolean; held?: string }>()
  const lines: StoryLine[] = []
  const close = (agent: string, at: number) => {
    const spell = spells.get(agent)
    if (spell === undefined || !BAD.includes(spell.verdict.to) || spell.isActedOn) return
    const done = would ? 'nothing would have been done' : 'nothing was done'
    const why = spell.held === undefined ? 'no rule acts on that by itself' : spell.held
    const sentence = `Until now, for ${duration(at - spell.verdict.at)}, ${done} to ${agent}: ${why}.`
    lines.push({ at, agent, kind: 'nothing', sentence })
  }
  for (const event of events) {
    const { at } = event
    const agent = 'agent' in event ? event.agent : undefined
    if (event.type === 'agent.health-changed') {
      close(event.agent, at)
      spells.set(event.agent, { verdict: event, isActedOn: false })
      lines.push({
        ...{ at, agent: event.agent, kind: 'verdict', health: event.to },
        cause: event.cause.kind,
        sentence: said(event),
      })
      continue
    }
    if (event.type === 'agent.lifecycle-changed' && event.to !== 'active') {
      close(event.agent, at)
      spells.delete(event.agent)
    }
    const kind = KINDS.get(event.type)
    if (kind === undefined) continue
    const spell = spells.get(agent ?? '')
    if (spell !== undefined && (kind === 'act' || kind === 'asks')) spell.isActedOn = true
    if (spell !== undefined && event.type === 'act.held') spell.held = event.reason
    const sentence =
      would && kind === 'act'
        ? `It would have acted: ${said(event)}`
        : would && kind === 'asks'
          ? `You would have been asked: ${said(event)}`
          : said(event)
    lines.push({ ...{ at, kind, sentence }, ...(agent === undefined ? {} : { agent }) })
    if (would && isTurningPoint(event)) lines.push({ at, kind: 'doubt', sentence: ANOTHER_NIGHT })
  }
  for (const agent of spells.keys()) close(agent, toWallAt)
  return lines
}

const ANOTHER_NIGHT = 'From here on the night would have been another one: only what would have been judged is told.'

/** Who goes on after it would not be the session that the transcript tells of. */
const ENDINGS: readonly string[] = ['kill', 'suspend', 'switch', 'clear']

function isTurningPoint(event: Event): boolean {
  return event.type === 'handoff.proposed' || (event.type === 'act.decided' && ENDINGS.includes(event.act.kind))
}

/** Nothing was typed to a session of the past: nobody can say what would have come of it. */
const RESULTS: readonly Event['type'][] = ['intervention.judged', 'episode.closed', 'limit.ended', 'act.held']
const AFTERWARDS = /^(agent\.(health|lifecycle)-changed$|house\.|mass\.)/

/** What can be known: of a recording all of it, of a past session nothing that follows from what was not done. */
export function knownEvents({ events, inferred }: Pick<Replay, 'events' | 'inferred'>): readonly Event[] {
  if (inferred === undefined) return events
  const turn = events.findIndex(isTurningPoint)
  return events.filter(({ type }, n) => !RESULTS.includes(type) && (turn < 0 || n <= turn || AFTERWARDS.test(type)))
}

const KINDS = new Map<Event['type'], StoryLine['kind']>([
  ['act.decided', 'act'],
  ['limit.began', 'act'],
  ['restart.planned', 'act'],
  ['handoff.proposed', 'act'],
  ['needs-you.raised', 'asks'],
  ['episode.exhausted', 'asks'],
  ['act.held', 'held'],
  ['episode.closed', 'end'],
  ['limit.ended', 'end'],
  ['intervention.judged', 'end'],
  ['house.clock-jumped', 'doubt'],
  ['house.degraded', 'doubt'],
  ['house.blinded', 'doubt'],
  ['house.sighted', 'doubt'],
  ['mass.began', 'doubt'],
  ['mass.ended', 'doubt'],
])

function said(event: Event): string {
  return redact(describe(event))
}

export function sumsOf(replay: Replay): Sums {
  const { toWallAt } = replay
  const events = knownEvents(replay)
  const sums: Sums = { stuck: 0, warning: 0, badMs: 0, causes: [], acts: {}, asked: 0 }
  const since = new Map<string, number>()
  const causes = new Map<string, number>()
  const close = (agent: string, at: number) => {
    sums.badMs += at - (since.get(agent) ?? at)
    since.delete(agent)
  }
  for (const event of events) {
    const act =
      event.type === 'act.decided' ? event.act.kind : event.type === 'handoff.proposed' ? 'hand-off' : undefined
    if (act !== undefined) sums.acts[act] = (sums.acts[act] ?? 0) + 1
    else if (event.type === 'needs-you.raised') sums.asked += 1
    else if (event.type === 'agent.lifecycle-changed') close(event.agent, event.at)
    else if (event.type === 'agent.health-changed') {
      close(event.agent, event.at)
      if (!BAD.includes(event.to)) continue
      since.set(event.agent, event.at)
      if (event.from !== event.to) sums[event.to === 'stuck' ? 'stuck' : 'warning'] += 1
      causes.set(event.cause.kind, (causes.get(event.cause.kind) ?? 0) + 1)
    }
  }
  for (const agent of [...since.keys()]) close(agent, toWallAt)
  return { ...sums, causes: [...causes].toSorted((a, b) => b[1] - a[1]).map(([cause]) => cause) }
}

/** What it all came to, in one sentence. */
export function sumsInWords({ stuck, warning, badMs, causes, acts, asked }: Sums, isInferred: boolean): string {
  if (stuck + warning === 0 && Object.keys(acts).length === 0 && asked === 0) {
    return isInferred
      ? 'Nothing was wrong, and nothing would have been done.'
      : 'Nothing was wrong, and nothing was done.'
  }
  const bad = `Stuck ${times(stuck)}, warning ${times(warning)}, for ${duration(badMs)} in all${causes.length === 0 ? '' : ` (${causes.join(', ').replaceAll('_', ' ')})`}`
  const did = Object.entries(acts).map(([kind, count]) => `${kind} ${times(count)}`)
  const done = did.length === 0 ? 'no act' : did.join(', ')
  const ask = `a person ${isInferred ? 'would have been' : 'was'} asked ${times(asked)}`
  return `${bad}. ${isInferred ? 'It would have decided' : 'Decided'}: ${done}; ${ask}.`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
