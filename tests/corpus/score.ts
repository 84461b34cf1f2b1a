/** Where verdicts meet labels: error rates per cause, false alarms, what was missed, and how long it took. */
import { HOUR, SECOND } from '../../src/core/durations.ts'
import { BOLD, type Believed, type Played } from './play.ts'
import type { Label, Labelled, Trouble } from './timeline.ts'

export interface CauseScore {
  cause: string
  /** Seconds: believed and true, believed and not true, true and not believed. */
  right: number
  wrong: number
  missed: number
}

export interface Alarm {
  session: string
  agent: number
  at: number
  ms: number
  health: string
  cause: string
  truth: string
}

export interface Found {
  session: string
  trouble: Trouble
  /** How long after it was due; undefined when it was never found. */
  delayMs: number | undefined
  /** Of a loop, where they can be counted: how many of its steps it took. */
  steps: number | undefined
}

export interface Tally {
  agentMs: number
  causes: Map<string, CauseScore>
  alarms: Alarm[]
  /** How often looping was said at all. */
  loopsSaid: number
  found: Found[]
  harmful: { session: string; agent: number; at: number; kind: string; truth: string }[]
  falsePokes: number
  /** What was called a recovery and was not, and what was one and was not seen. */
  recoveries: { session: string; isFalse: boolean }[]
}

/** What the verdict must say of each trouble. */
const SAYS: Record<Trouble, readonly string[]> = {
  hang: ['hung'],
  loop: ['looping'],
  death: ['dead'],
  blocked: ['startup_blocked'],
}
/** After these it is another life, of which the session tells nothing. */
const REPLACING: readonly string[] = ['kill', 'spawn', 'resume', 'suspend', 'switch']
/** What cannot be taken back, or breaks off what an agent is doing. */
const DESTRUCTIVE: readonly string[] = [...REPLACING, 'interrupt', 'clear', 'restore']
const ALARMS: readonly string[] = ['hung', 'looping']
/** A change is known at the next look; until then the cause before it is right, too. */
const BLUR_MS = BOLD.lookEveryMs + SECOND

export function newTally(): Tally {
  return {
    agentMs: 0,
    causes: new Map(),
    alarms: [],
    loopsSaid: 0,
    found: [],
    harmful: [],
    falsePokes: 0,
    recoveries: [],
  }
}

export function score(tally: Tally, { session, labels, after }: Labelled, { believed, deeds, judged }: Played): void {
  const hasRecovered = judged.some(({ result }) => result === 'recovered')
  // Of a session that tells what came of a poke, one that was never poked shows nothing.
  if (after !== undefined && (judged.length === 0 || hasRecovered !== (after === 'work'))) {
    tally.recoveries.push({ session: session.name, isFalse: hasRecovered })
  }
  for (const [agent, history] of believed.entries()) {
    const replacedAt = deeds.find((deed) => deed.agent === agent && REPLACING.includes(deed.kind))?.at ?? Infinity
    const own = labels
      .filter((label) => label.agent === agent && label.fromAt < replacedAt)
      .map((label) => ({ ...label, toAt: Math.min(label.toAt, replacedAt) }))
    const spans = history.map((each, n) => ({ ...each, toAt: history[n + 1]?.at ?? session.lengthMs }))
    for (const label of own) {
      tally.agentMs += label.toAt - label.fromAt
      countCauses(tally, label, spans)
      if (label.trouble !== undefined) tally.found.push(foundIn(session.name, label, spans))
    }
    tally.alarms.push(...falseAlarms(session.name, own, spans))
    tally.loopsSaid += spans.filter((span, n) => span.cause === 'looping' && spans[n - 1]?.cause !== 'looping').length
  }
  for (const { agent, at, kind } of deeds) {
    const label = labels.find((each) => each.agent === agent && each.fromAt <= at && at < each.toAt)
    if (label?.trouble !== undefined && label.trouble !== 'blocked') continue
    if (kind === 'poke') tally.falsePokes += 1
    else if (DESTRUCTIVE.includes(kind))
      tally.harmful.push({ session: session.name, agent, at, kind, truth: label?.truth ?? 'unlabelled' })
  }
}

type Span = Believed & { toAt: number }

/** Time in which it is clear what is true, and somebody judged. */
function countCauses(tally: Tally, { fromAt, toAt, truth }: Label, spans: readonly Span[]): void {
  if (truth === 'idle' || truth === 'outage') return
  const clearAt = fromAt + BLUR_MS
  for (const span of spans) {
    const ms = Math.min(toAt, span.toAt) - Math.max(clearAt, span.at)
    if (ms <= 0 || span.cause === 'none') continue
    const seconds = ms / SECOND
    causeScore(tally, truth)[span.cause === truth ? 'right' : 'missed'] += seconds
    if (span.cause !== truth) causeScore(tally, span.cause).wrong += seconds
  }
}

function causeScore({ causes }: Tally, cause: string): CauseScore {
  const known = causes.get(cause) ?? { cause, right: 0, wrong: 0, missed: 0 }
  causes.set(cause, known)
  return known
}

function foundIn(session: string, label: Label, spans: readonly Span[]): Found {
  const trouble = label.trouble ?? 'hang'
  const span = spans.find(
    ({ cause, at, toAt }) => SAYS[trouble].includes(cause) && toAt > label.fromAt && at < label.toAt,
  )
  if (span === undefined) return { session, trouble, delayMs: undefined, steps: undefined }
  const at = Math.max(span.at, label.fromAt)
  // The first of its calls was made before it was a loop.
  const steps = label.steps === undefined ? undefined : label.steps.filter((stepAt) => stepAt <= at).length + 1
  return { session, trouble, delayMs: at - label.fromAt, steps }
}

/** Stuck, hung or looping was said of one that was not, longer than a look can be wrong about a change. */
function falseAlarms(session: string, labels: readonly Label[], spans: readonly Span[]): Alarm[] {
  const alarms: Alarm[] = []
  for (const span of spans) {
    if (span.health !== 'stuck' && !ALARMS.includes(span.cause)) continue
    const untrue = labels.filter((each) => each.trouble === undefined && each.truth !== 'outage')
    let ms = 0
    let truth = ''
    let fromAt = span.at
    for (const label of untrue) {
      // Right after trouble is over the verdict on it may stand until the next look.
      const isAfter = labels.some((each) => each.trouble !== undefined && Math.abs(each.toAt - label.fromAt) < SECOND)
      const shared = Math.min(span.toAt, label.toAt) - Math.max(span.at, label.fromAt + (isAfter ? BLUR_MS : 0))
      if (shared <= 0) continue
      if (ms === 0) fromAt = Math.max(span.at, label.fromAt)
      ms += shared
      truth = label.truth
    }
    // A moment before it was due is no alarm.
    const isEarly = labels.some(
      (each) => each.trouble !== undefined && each.fromAt >= span.at && each.fromAt - span.at <= BLUR_MS,
    )
    if (ms > 0 && !isEarly)
      alarms.push({
        session,
        agent: labels[0]?.agent ?? 0,
        at: fromAt,
        ms,
        health: span.health,
        cause: span.cause,
        truth,
      })
  }
  return alarms
}

export function hours(ms: number): number {
  return ms / HOUR
}
