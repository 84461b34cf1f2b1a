/**
 * Evidence → verdict. The cause is judged before the clock: an open tool, a wait or a limit is never stuck.
 * Missing evidence never raises severity; death and hanging need somebody who positively saw it.
 */
import type { Doing, Evidence, Witness } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Cause, Health } from '../../contract/verdict.ts'
import { HOUR, MINUTE, SECOND } from '../durations.ts'
import { loopOf } from './loops.ts'

/** A start that nobody saw succeed is called blocked after this. */
export const STARTING_MS = 90 * SECOND
/** What a tool may take beyond its own bound before anybody wonders: a minute, less where the settings worry sooner. */
export function toolSlackMs({ staleMs }: Settings['thresholds']): number {
  return Math.min(60 * SECOND, staleMs)
}
export const COMPACTING_MS = 10 * MINUTE

export interface Moment {
  now: number
  /** Silence counts from here at the earliest: boot, clock jump, late look. */
  graceAt: number
  thresholds: Settings['thresholds']
}

export interface Judgement {
  health: Health
  cause: Cause
  /** How long there was no sign of work, as far as it may be held against the agent. */
  silentMs: number
  unprogressedMs: number
  /** When time alone may change the judgement. */
  nextAt: number | undefined
}

export function judge(agent: AgentRecord, moment: Moment): Judgement {
  const { now, graceAt } = moment
  const silentMs = now - Math.max(agent.producedAt, graceAt)
  const unprogressedMs = now - Math.max(agent.progressedAt, graceAt)
  const rule = choose(agent, { ...moment, silentMs, unprogressedMs })
  return { ...rule, silentMs, unprogressedMs }
}

/**
 * The judgement as it is shown. Doubt about ourselves gives an agent time; it does not make it better: as long as
 * the last verdict would still hold without the grace, it stands.
 */
export function shownJudgement(agent: AgentRecord, moment: Moment): Judgement {
  const judgement = judge(agent, moment)
  const { verdict } = agent
  if (verdict === undefined || severity(judgement.health) >= severity(verdict.health)) return judgement
  const graceless = judge(agent, { ...moment, graceAt: -Infinity })
  if (severity(graceless.health) < severity(verdict.health)) return judgement
  return { ...graceless, health: verdict.health, cause: verdict.cause, nextAt: judgement.nextAt }
}

function severity(health: Health): number {
  return ['unknown', 'active', 'stale', 'warning', 'stuck'].indexOf(health)
}

export interface CurrentDoing {
  doing: Doing
  /** When it began. */
  at: number
  /** When it was said, which for one of several calls may be later. */
  saidAt: number
  witness: Witness
}

/** What the agent is doing now: the newest word of those who can know, hooks first. */
export function currentDoing(agent: AgentRecord): CurrentDoing | undefined {
  let newest: CurrentDoing | undefined
  for (const witness of ['hook', 'registry', 'transcript', 'process', 'terminal'] as const) {
    const { doing, doingAt: saidAt, beganAt } = agent.evidence[witness] ?? {}
    if (doing === undefined || saidAt === undefined) continue
    if (newest === undefined || saidAt > newest.saidAt) newest = { doing, at: beganAt ?? saidAt, saidAt, witness }
  }
  return newest
}

type Rule = Pick<Judgement, 'health' | 'cause' | 'nextAt'>
type Situation = Moment & { silentMs: number; unprogressedMs: number }

function choose(agent: AgentRecord, situation: Situation): Rule {
  if (deadWitness(agent) !== undefined) return dead(agent)
  if (isLost(agent)) {
    const why = `${agent.evidence.process?.alive === true ? 'its process lives but' : 'it'} has no terminal`
    return { health: 'unknown', cause: { kind: 'unknown', why }, nextAt: undefined }
  }
  const current = currentDoing(agent)
  if (current === undefined && Object.keys(agent.evidence).length === 0) return unseen(agent, situation)
  const doing = current?.doing ?? unspoken(agent)
  const given = { agent, situation, at: Math.max(current?.at ?? 0, situation.graceAt) }
  const rule = RULES[doing.kind](doing as never, given)
  return going(rule, given) ?? rule
}

/** What is seen of it is that it runs. It has not begun before it gave a sign of its own; an adopted one was there before. */
function unspoken({ startedAt = 0, producedAt, adopted }: AgentRecord): Doing {
  return { kind: adopted !== undefined || producedAt > startedAt + STARTING_MS ? 'thinking' : 'starting' }
}

const BUSY_KINDS: readonly Cause['kind'][] = ['working_tool', 'thinking', 'compacting']

/** One that goes round in circles looks busy; one that is silent, waits or hangs does not go round. */
function going({ health, cause }: Rule, { agent, situation }: Case): Rule | undefined {
  if (health !== 'active' || !BUSY_KINDS.includes(cause.kind)) return undefined
  const loop = loopOf(agent, situation.now)
  if (loop === undefined) return undefined
  const rule = circling({ kind: 'looping', what: loop.what, times: loop.times }, situation)
  const ends = [rule.nextAt, loop.untilAt].filter((at) => at !== undefined)
  return { ...rule, nextAt: ends.length === 0 ? undefined : Math.min(...ends) }
}

function circling(cause: Cause, { unprogressedMs, thresholds, now }: Situation): Rule {
  if (unprogressedMs >= thresholds.stuckMs) return { health: 'stuck', cause, nextAt: undefined }
  return { health: 'warning', cause, nextAt: now - unprogressedMs + thresholds.stuckMs }
}

function dead(agent: AgentRecord): Rule {
  const orphans = leftOrphans(agent) ? { orphans: true as const } : {}
  return { health: 'stuck', cause: { ...deathOf(agent), ...orphans }, nextAt: undefined }
}

/**
 * A dialog counts as open until the witness that saw it says otherwise; text would be taken as its answer. Hooks and
 * registry are one witness in this: both are the program's own word, and the younger one counts; of one instant, both.
 */
export function openDialog({ evidence }: AgentRecord): Doing['kind'] | undefined {
  const { hook, registry, ...others } = evidence
  const younger = (registry?.doingAt ?? -Infinity) - (hook?.doingAt ?? -Infinity)
  const own = younger > 0 ? [registry] : younger < 0 ? [hook] : [hook, registry]
  const seen = [...own, ...Object.values(others)].map((each) => each?.doing?.kind)
  return seen.find((kind) => kind !== undefined && DIALOGS.includes(kind))
}

/** It has not said yet that it is ready: its program may not read the keyboard as one that takes text. */
export function isStarting(agent: AgentRecord, now: number): boolean {
  // One that was adopted was there before.
  const kind = currentDoing(agent)?.doing.kind ?? (agent.adopted === undefined ? 'starting' : 'idle')
  return kind === 'starting' && now - (agent.startedAt ?? now) < STARTING_MS
}

const DIALOGS: readonly Doing['kind'][] = ['permission', 'question', 'startup_blocked', 'auth_needed']

/** Positive evidence of death, from whoever can know it. */
export function deadWitness(agent: AgentRecord): Evidence | undefined {
  return [agent.evidence.terminal, agent.evidence.process].find((evidence) => evidence?.alive === false)
}

/** As the cause of whatever comes of it. */
export function deathOf(agent: AgentRecord): Extract<Cause, { kind: 'dead' }> {
  const exitCode = deadWitness(agent)?.exitCode
  return { kind: 'dead', ...(exitCode === undefined ? {} : { exitCode }) }
}

/** Its own program has ended, and processes of its tree were seen alive since. */
export function leftOrphans({ evidence: { terminal, process } }: AgentRecord): boolean {
  return terminal?.alive === false && process?.alive === true && process.seenAt >= (terminal.goneAt ?? Infinity)
}

/**
 * Gone beyond doubt: two looks found nothing left of its tree, and no pane in which it could live. Of an adopted one the
 * leader is all that it is known by; its pane is the person's.
 */
export function isGone({ evidence: { process, terminal }, adopted }: AgentRecord): boolean {
  const hasNoPane = adopted !== undefined || terminal?.alive === false || terminal?.lost === true
  return process?.alive === false && (process.goneLooks ?? 0) >= GONE_LOOKS && hasNoPane
}

/** Its own program has ended beyond doubt, as two looks at its pane say; what it started may live on. */
export function isOver(agent: AgentRecord): boolean {
  const { terminal } = agent.evidence
  const isPaneDead = terminal?.alive === false && (terminal.goneLooks ?? 0) >= GONE_LOOKS
  return (agent.adopted === undefined && isPaneDead) || isGone(agent)
}

const GONE_LOOKS = 2

/** Its terminal went without it, as far as anybody knows: unknown is not dead. */
export function isLost(agent: AgentRecord): boolean {
  return agent.evidence.terminal?.lost === true && deadWitness(agent) === undefined
}

function unseen(agent: AgentRecord, { now }: Situation): Rule {
  const startedAt = agent.startedAt ?? now
  // An adopted one was there before.
  if (agent.adopted === undefined && now - startedAt < STARTING_MS) {
    return { health: 'active', cause: { kind: 'starting' }, nextAt: startedAt + STARTING_MS }
  }
  return { health: 'unknown', cause: { kind: 'unknown', why: 'no witness has seen it yet' }, nextAt: undefined }
}

interface Case {
  agent: AgentRecord
  situation: Situation
  /** When the agent began what it is doing, as far as it may be held against it. */
  at: number
}

type Rules = { [K in Doing['kind']]: (doing: Extract<Doing, { kind: K }>, given: Case) => Rule }

const RULES: Rules = {
  starting: (_, { agent, situation: { now, graceAt } }) => {
    const blockedAt = Math.max(agent.startedAt ?? now, graceAt) + STARTING_MS
    if (now < blockedAt) return { health: 'active', cause: { kind: 'starting' }, nextAt: blockedAt }
    const cause: Cause = { kind: 'startup_blocked', what: 'it never reported that it is ready' }
    return { health: 'warning', cause, nextAt: undefined }
  },
  startup_blocked: (doing, given) => waitForPerson({ kind: 'startup_blocked', what: doing.what }, given),
  auth_needed: (doing, given) => waitForPerson({ kind: 'auth_needed', what: doing.what }, given),
  permission: (doing, given) => waitForPerson({ kind: 'waiting_permission', what: doing.what }, given),
  question: (doing, given) => waitForPerson({ kind: 'waiting_user', what: doing.what }, given),
  limited: ({ untilWallAt, spent, tooFar }, given) => {
    const cause: Cause = {
      kind: 'rate_limited',
      ...(untilWallAt === undefined ? {} : { untilWallAt }),
      ...(spent === undefined ? {} : { spent }),
      ...(tooFar === undefined ? {} : { tooFar }),
    }
    return spent === true ? waitForPerson(cause, given) : byClock(given, 'stale', cause)
  },
  api_error: (doing, given) => byClock(given, 'warning', { kind: 'api_error', what: doing.what }),
  background: (doing, given) => byClock(given, 'stale', { kind: 'waiting_background', tasks: doing.tasks }),
  compacting: (_, given) => {
    const untilAt = given.at + COMPACTING_MS
    if (given.situation.now < untilAt) return { health: 'active', cause: { kind: 'compacting' }, nextAt: untilAt }
    return silent(given, 'its context is being compacted and nothing moves', { kind: 'compacting' })
  },
  tool: (doing, given) => openTool(doing, given),
  looping: ({ what, times }, { situation }) => circling({ kind: 'looping', what, times }, situation),
  thinking: (_, given) => silent(given, 'its turn is open and nothing moves', { kind: 'thinking' }),
  /** An agent whose lifecycle is idle is not judged; one that says idle and works again is just beginning. */
  idle: (_, given) => silent(given, 'its turn is open and nothing moves', { kind: 'thinking' }),
}

/** Waiting for a person is never stuck; from the stale minutes on it shows as warning, because it needs you. */
function waitForPerson(cause: Cause, { situation, at }: Case): Rule {
  const warnAt = at + situation.thresholds.staleMs
  if (situation.now < warnAt) return { health: 'active', cause, nextAt: warnAt }
  return { health: 'warning', cause, nextAt: undefined }
}

/**
 * Never poked and never stuck while it may still be working: hung only when it is over a time that its program gave it,
 * and its processes positively rest.
 */
function openTool({ name, boundMs }: Extract<Doing, { kind: 'tool' }>, given: Case): Rule {
  const { now, silentMs, thresholds } = given.situation
  const overdueAt = given.at + (boundMs ?? Infinity) + toolSlackMs(thresholds)
  const bound = boundMs === undefined ? {} : { boundMs }
  const cause: Cause = { kind: 'working_tool', name, ageMs: now - given.at, ...bound }
  if (now < overdueAt)
    return (boundMs ?? Infinity) > LONG_MS
      ? unforeseen(cause, given, overdueAt)
      : { health: 'active', cause, nextAt: overdueAt }
  if (!rests(given.agent) || silentMs < thresholds.staleMs) return byClock(given, 'stale', cause)
  return byClock(given, 'stuck', { kind: 'hung', what: `${name} is over its time and its processes rest` })
}

/** A bound beyond this is none that anybody would wait for. */
const LONG_MS = HOUR

/** How long it may take is not known: work, as far as anybody can tell; what is silent for long a person should know. */
function unforeseen(cause: Cause, { situation }: Case, overdueAt: number): Rule {
  const { now, silentMs, thresholds } = situation
  if (silentMs >= thresholds.stuckMs) return { health: 'stale', cause, nextAt: finite(overdueAt) }
  return { health: 'active', cause, nextAt: Math.min(overdueAt, now - silentMs + thresholds.stuckMs) }
}

function finite(at: number): number | undefined {
  return at === Infinity ? undefined : at
}

/** Silence by itself is only attention; with processes that positively rest it is a hang. */
function silent(given: Case, what: string, cause: Cause): Rule {
  const hung = rests(given.agent) && given.situation.silentMs >= given.situation.thresholds.warningMs
  return byClock(given, 'stuck', hung ? { kind: 'hung', what } : cause)
}

function rests(agent: AgentRecord): boolean {
  return agent.evidence.process?.busy === false
}

const LADDER = ['active', 'stale', 'warning', 'stuck'] as const

function byClock({ situation }: Case, worst: (typeof LADDER)[number], cause: Cause): Rule {
  const { silentMs, thresholds, now } = situation
  const steps = [thresholds.staleMs, thresholds.warningMs, thresholds.stuckMs]
  const rung = steps.filter((step) => silentMs >= step).length
  const limit = LADDER.indexOf(worst)
  const next = rung < limit ? steps[rung] : undefined
  const health = LADDER[Math.min(rung, limit)] ?? 'active'
  return { health, cause, nextAt: next === undefined ? undefined : now - silentMs + next }
}
