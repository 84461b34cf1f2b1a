/**
 * Takes a sighting into the newest evidence of its agent. Observations are level state: no event is made of
 * them, except for what they report of the lifecycle and for reports of another generation.
 */
import type { Doing, Evidence, Sighting, Witness } from '../../contract/evidence.ts'
import { lives } from '../../contract/lives.ts'
import { ACTIVITY_LIMIT, FILLS_KEPT, type AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { nextEffectId, record, type Turn } from '../turn.ts'
import { noteSignals } from '../signals.ts'
import { setAgent } from '../world.ts'
import { currentDoing } from './judge.ts'
import { grownTrail, isNovel, spentAtProgress } from './trail.ts'

/** Witnesses whose changes are the agent's own output. The process witness counts by CPU instead. */
const PRODUCING: readonly Witness[] = ['hook', 'transcript', 'terminal', 'git', 'tasks']

export function absorb(turn: Turn, sighting: Sighting): void {
  const { world } = turn
  const agent = world.agents.get(sighting.agent)
  if (agent === undefined || agent.startedAt === undefined) return
  if (sighting.generation !== agent.generation) return fence(turn, agent, sighting.generation)
  if (world.settings.witnessesOff.includes(sighting.witness)) return
  if (isNoWitness(sighting)) return keepTasks(turn, agent, sighting)
  const isProgress = isNewProgress(agent, sighting) || isNovel(agent, sighting)
  const evidence = renew(turn, agent, { sighting, isProgress })
  const renewed: AgentRecord = {
    ...agent,
    evidence: { ...agent.evidence, [sighting.witness]: evidence },
    producedAt: Math.max(agent.producedAt, producedAt(turn, agent, { witness: sighting.witness, evidence })),
    progressedAt: Math.max(agent.progressedAt, evidence.progressAt ?? 0),
    ...told(agent, sighting),
    ...measured(turn, agent, sighting),
  }
  // Into the record that was just made: another copy of all its fields, for every report, would be thrown away.
  setAgent(
    world,
    Object.assign(renewed, trailOf(renewed, { before: agent, sighting, at: evidence.changedAt, isProgress })),
  )
  turn.dirty.add(agent.id)
  turn.toJudge.add(agent.id)
  noteSignals(turn, agent, sighting)
  closeAsk(turn, agent)
  reportLifecycle(turn, agent, sighting)
}

/** That there are no tasks is worth knowing, and says nothing of what the agent does. */
function isNoWitness({ witness, stamp }: Sighting): boolean {
  return witness === 'tasks' && stamp === undefined
}

function keepTasks(turn: Turn, agent: AgentRecord, sighting: Sighting): void {
  setAgent(turn.world, { ...agent, ...told(agent, sighting) })
  turn.dirty.add(agent.id)
}

/** The first word of a witness is where it starts from, not progress. */
function isNewProgress({ evidence }: AgentRecord, { witness, progress }: Sighting): boolean {
  const before = evidence[witness]
  return progress !== undefined && before !== undefined && progress !== before.progress
}

interface Grown {
  before: AgentRecord
  sighting: Sighting
  at: number
  isProgress: boolean
}

function trailOf({ gauges }: AgentRecord, { before, sighting, at, isProgress }: Grown): Pick<AgentRecord, 'trail'> {
  const trail = grownTrail(before, sighting, at)
  const progressUsd = spentAtProgress(before.trail, { costUsd: gauges?.sessionCostUsd, isProgress })
  if (trail?.progressUsd === progressUsd) return trail === undefined ? {} : { trail }
  return { trail: { ...(trail ?? { steps: [] }), progressUsd } }
}

/** An agent that goes on was answered in its own terminal; the hook that still waits would wait for ever. */
function closeAsk(turn: Turn, before: AgentRecord): void {
  const left = openAsk(before)
  const after = turn.world.agents.get(before.id)
  if (left === undefined || after === undefined || openAsk(after) === left) return
  const { id: agent, generation } = before
  turn.effects.push({ type: 'ask.close', id: nextEffectId(turn), agent, generation, ask: left })
}

function openAsk(agent: AgentRecord): string | undefined {
  const doing = currentDoing(agent)?.doing
  return doing?.kind === 'permission' || doing?.kind === 'question' ? doing.ask?.id : undefined
}

function fence(turn: Turn, agent: AgentRecord, reported: number): void {
  if (agent.fencedGeneration !== undefined && reported <= agent.fencedGeneration) return
  record(turn, { type: 'agent.fenced', agent: agent.id, generation: agent.generation, reported })
}

function renew(
  turn: Turn,
  agent: AgentRecord,
  { sighting, isProgress }: { sighting: Sighting; isProgress: boolean },
): Evidence {
  const before = agent.evidence[sighting.witness]
  const happenedAt = instantOf(turn, agent, sighting)
  const isNew = sighting.stamp !== undefined && sighting.stamp !== before?.stamp
  const isEcho = sighting.witness === 'terminal' && mayBeEcho(agent, happenedAt)
  const changedAt = isNew && !isEcho ? happenedAt : (before?.changedAt ?? happenedAt)
  // A pane that is seen again is not lost any more.
  const { lost: _, goneAt, goneLooks, ...kept } = before ?? {}
  const evidence: Evidence = { ...kept, seenAt: turn.now, changedAt }
  if (sighting.lost === true) evidence.lost = true
  if (sighting.lost === true || sighting.alive === false) {
    evidence.goneAt = goneAt ?? turn.now
    evidence.goneLooks = (goneLooks ?? 0) + 1
  }
  if (sighting.stamp !== undefined) evidence.stamp = sighting.stamp
  if (sighting.alive !== undefined) evidence.alive = sighting.alive
  if (sighting.exitCode !== undefined) evidence.exitCode = sighting.exitCode
  if (sighting.busy !== undefined) evidence.busy = sighting.busy
  if (sighting.busy === true) evidence.busyAt = turn.now
  if (sighting.doing !== undefined && !isReminder(sighting.doing, before?.doing)) {
    // Between two objections to the same end there was something to object to.
    const goesOn = sighting.objects !== true && isSameDoing(sighting.doing, before?.doing, isNew)
    evidence.doing = sighting.doing
    evidence.doingAt = goesOn ? (before?.doingAt ?? happenedAt) : happenedAt
  }
  if (sighting.branch !== undefined) evidence.branch = sighting.branch
  if (sighting.progress !== undefined) evidence.progress = sighting.progress
  if (isProgress) evidence.progressAt = happenedAt
  return evidence
}

/** Never before the generation began, never before this witness was last asked, never in the future. */
function instantOf(turn: Turn, agent: AgentRecord, sighting: Sighting): number {
  const floor = agent.evidence[sighting.witness]?.seenAt ?? agent.startedAt ?? turn.now
  // Ages are told by the wall clock, and time that nobody observed is in them.
  const beliefAt = sighting.objects === true ? (currentDoing(agent)?.at ?? 0) + 1 : 0
  return Math.min(turn.now, Math.max(floor, beliefAt, turn.now - (sighting.ageMs ?? 0)))
}

/** Our own keystrokes come back from the terminal; what cannot be told from them is no sign of life. */
function mayBeEcho({ echoUntilAt }: AgentRecord, at: number): boolean {
  return echoUntilAt !== undefined && at <= echoUntilAt
}

interface Renewed {
  witness: Witness
  evidence: Evidence
}

function producedAt({ world }: Turn, agent: AgentRecord, { witness, evidence }: Renewed): number {
  if (witness === 'terminal') return Math.min(evidence.changedAt, tickingUntil(agent, world.settings.thresholds))
  return PRODUCING.includes(witness) ? evidence.changedAt : (evidence.busyAt ?? 0)
}

/**
 * A program that reports draws a clock while it waits for whatever it is. So a terminal that moves buys it time when
 * nothing else is heard of it, and none while a tool is open.
 */
function tickingUntil(agent: AgentRecord, thresholds: Settings['thresholds']): number {
  const { evidence, startedAt = 0 } = agent
  const kind = currentDoing(agent)?.doing.kind
  if (evidence.hook === undefined || kind === undefined || !TICKING.includes(kind)) return Infinity
  const told = HEARD.map((witness) => evidence[witness]?.changedAt ?? -Infinity)
  const heardAt = Math.max(startedAt, evidence.process?.busyAt ?? -Infinity, ...told)
  return heardAt + (kind === 'tool' ? 0 : tickingMs(thresholds))
}

const TICKING: readonly Doing['kind'][] = ['tool', 'thinking', 'compacting']
const HEARD: readonly Witness[] = ['hook', 'transcript', 'git', 'tasks']
/** So long a terminal that moves is taken for work by itself: less where the settings warn sooner. */
export function tickingMs({ warningMs }: Settings['thresholds']): number {
  return Math.min(15 * MINUTE, warningMs)
}

function told(agent: AgentRecord, { activity, sessionId, pid, tasks, echo }: Sighting): Partial<AgentRecord> {
  const news: Partial<AgentRecord> = {}
  if (activity !== undefined) news.activities = [...agent.activities, activity].slice(-ACTIVITY_LIMIT)
  if (sessionId !== undefined) news.sessionId = sessionId
  if (pid !== undefined) news.pid = pid
  if (tasks !== undefined) news.tasks = tasks
  if (echo !== undefined) news.echo = echo
  return news
}

/** What was measured of one session says nothing of the next. */
function measured({ now }: Turn, agent: AgentRecord, { gauges, sessionId }: Sighting): Partial<AgentRecord> {
  const isOther = sessionId !== undefined && agent.sessionId !== undefined && sessionId !== agent.sessionId
  if (gauges === undefined && !isOther) return {}
  const kept = isOther ? {} : agent.gauges
  const contextAt = gauges?.context === undefined ? {} : { contextAt: now }
  const costAt = gauges?.sessionCostUsd === undefined ? {} : { costAt: now }
  return {
    gauges: { ...kept, ...gauges, ...contextAt, ...costAt },
    fills: grownFills(isOther ? [] : (agent.fills ?? []), gauges?.context?.tokens, now),
  }
}

/** Closer together than this they say nothing of the pace. */
const FILL_EVERY_MS = 20 * SECOND

/** The newest always counts; of those that came close together the last. */
function grownFills(
  fills: NonNullable<AgentRecord['fills']>,
  tokens: number | undefined,
  now: number,
): NonNullable<AgentRecord['fills']> {
  if (tokens === undefined) return fills
  const isClose = fills.length > 1 && now - (fills.at(-2)?.at ?? -Infinity) < FILL_EVERY_MS
  return [...(isClose ? fills.slice(0, -1) : fills), { at: now, tokens }].slice(-FILLS_KEPT)
}

/** Only what the agent says itself moves its lifecycle, and only between active and idle. */
function reportLifecycle(turn: Turn, agent: AgentRecord, sighting: Sighting): void {
  if (sighting.doing === undefined || (sighting.witness !== 'hook' && sighting.witness !== 'registry')) return
  if (!lives(agent)) return
  const to = sighting.doing.kind === 'idle' ? 'idle' : 'active'
  if (to === agent.lifecycle) return
  record(turn, {
    type: 'agent.lifecycle-changed',
    agent: agent.id,
    generation: agent.generation,
    from: agent.lifecycle,
    to,
    why: to === 'idle' ? 'it finished its turn' : 'it began to work',
  })
}

/** Says again that somebody is asked, without the way to answer; whoever asks anew brings one. */
function isReminder(doing: Doing, before: Doing | undefined): boolean {
  const isAsked = before?.kind === 'permission' || before?.kind === 'question'
  return doing.kind === 'permission' && doing.ask === undefined && isAsked && before.ask !== undefined
}

/** A new report of a tool or a question is another one, even of the same name. */
function isSameDoing(doing: Doing, before: Doing | undefined, isNew: boolean): boolean {
  if (before?.kind !== doing.kind) return false
  return !isNew || (doing.kind !== 'tool' && doing.kind !== 'permission' && doing.kind !== 'question')
}
