/**
 * Takes a sighting into the newest evidence of its agent. Observations are level state: no event is made of
 * them, except for what they report of the lifecycle and for reports of another generation.
 */
import type { Doing, Evidence, Gauges, Sighting, Witness } from '../../contract/evidence.ts'
import { lives } from '../../contract/lives.ts'
import { ACTIVITY_LIMIT, FILLS_KEPT, type AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { whyItRests } from '../finished.ts'
import { agentOf, nextEffectId, record, type Turn } from '../turn.ts'
import { noteSignals } from '../signals.ts'
import { setAgent } from '../world.ts'
import { currentDoing } from './judge.ts'
import { tell, type Told } from '../evidence/tell.ts'
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
  if (isDrawnAgain(agent, sighting)) return
  const at = instantOf(turn, agent, sighting)
  const { open, ...word } = tell(agent, sighting, { at, wallAt: turn.input.wallAt - (sighting.ageMs ?? 0) })
  const isProgress = isNewProgress(agent, sighting) || isNovel(agent, sighting)
  const evidence = renew(turn, agent, { sighting, word, at, isProgress })
  const renewed: AgentRecord = {
    ...agent,
    evidence: { ...agent.evidence, [sighting.witness]: evidence },
    producedAt: Math.max(agent.producedAt, producedAt(turn, agent, { witness: sighting.witness, evidence })),
    progressedAt: Math.max(agent.progressedAt, evidence.progressAt ?? 0),
    ...told(agent, sighting),
    ...measured(turn, agent, sighting),
    ...(open === undefined ? {} : { open }),
  }
  // Into the record that was just made: another copy of all its fields, for every report, would be thrown away.
  setAgent(
    world,
    Object.assign(renewed, trailOf(renewed, { before: agent, sighting, at: evidence.changedAt, isProgress })),
  )
  turn.dirty.add(agent.id)
  turn.toJudge.add(agent.id)
  noteSignals(turn, agent, sighting)
  closeAsks(turn, agent)
  reportLifecycle(turn, agent, { witness: sighting.witness, doing: word.doing, objects: word.objects })
}

/** The status line is drawn anew for many reasons; only another figure in it is news, and a sign of work. */
function isDrawnAgain({ gauges: known }: AgentRecord, { witness, gauges }: Sighting): boolean {
  if (witness !== 'hook' || gauges?.context?.source !== 'status_line') return false
  const { context, limits = known?.limits, sessionCostUsd } = gauges
  const isSame = context.tokens === known?.context?.tokens && context.window === known.context.window
  const isKnown = isSame && known?.context?.source === 'status_line' && sessionCostUsd === known.sessionCostUsd
  return isKnown && JSON.stringify(limits) === JSON.stringify(known?.limits)
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
function closeAsks(turn: Turn, before: AgentRecord): void {
  const left = openAsks(before)
  const after = turn.world.agents.get(before.id)
  if (left.length === 0 || after === undefined) return
  const still = openAsks(after)
  const { id: agent, generation } = before
  for (const ask of left) {
    if (!still.includes(ask)) turn.effects.push({ type: 'ask.close', id: nextEffectId(turn), agent, generation, ask })
  }
}

/** The one that is shown, and those that wait behind it. */
function openAsks(agent: AgentRecord): string[] {
  const shown = currentDoing(agent)?.doing
  if (agent.open === undefined) return askIn(shown)
  const waits = agent.open.waits.flatMap(({ doing }) => askIn(doing))
  return waits.length === 0 ? waits : [...new Set([...waits, ...askIn(shown)])]
}

function askIn(doing: Doing | undefined): string[] {
  const ask = doing?.kind === 'permission' || doing?.kind === 'question' ? doing.ask?.id : undefined
  return ask === undefined ? [] : [ask]
}

function fence(turn: Turn, agent: AgentRecord, reported: number): void {
  if (agent.fencedGeneration !== undefined && reported <= agent.fencedGeneration) return
  record(turn, { type: 'agent.fenced', agent: agent.id, generation: agent.generation, reported })
}

interface Renewal {
  sighting: Sighting
  word: Omit<Told, 'open'>
  /** When it happened. */
  at: number
  isProgress: boolean
}

function renew(turn: Turn, agent: AgentRecord, { sighting, word, at: happenedAt, isProgress }: Renewal): Evidence {
  const before = agent.evidence[sighting.witness]
  const isNew = sighting.stamp !== undefined && sighting.stamp !== before?.stamp
  const isEcho = sighting.witness === 'terminal' && mayBeEcho(agent, happenedAt)
  const changedAt = isNew && !isEcho ? happenedAt : (before?.changedAt ?? happenedAt)
  // A pane that is seen again is not lost any more, nor is a workspace missing or its repository unusable.
  const { lost: _, missing: __, unusable: ___, goneAt, goneLooks, ...kept } = before ?? {}
  const evidence: Evidence = { ...kept, seenAt: turn.now, changedAt }
  if (sighting.lost === true) evidence.lost = true
  if (sighting.missing === true) evidence.missing = true
  if (sighting.unusable !== undefined) evidence.unusable = sighting.unusable
  if (sighting.missing === true || sighting.unusable !== undefined) delete evidence.branch
  if (sighting.lost === true || sighting.alive === false) {
    evidence.goneAt = goneAt ?? turn.now
    evidence.goneLooks = (goneLooks ?? 0) + 1
  }
  if (sighting.stamp !== undefined) evidence.stamp = sighting.stamp
  if (sighting.alive !== undefined) evidence.alive = sighting.alive
  if (sighting.exitCode !== undefined) evidence.exitCode = sighting.exitCode
  if (sighting.busy !== undefined) evidence.busy = sighting.busy
  if (sighting.busy === true) evidence.busyAt = turn.now
  const isKnown = sighting.facts === undefined && isReminder(word.doing, before?.doing)
  if (word.doing !== undefined && !isKnown) {
    // Between two objections to the same end there was something to object to.
    // Facts are told once: what they lead to is younger than whatever was believed meanwhile.
    const isBelieved = sighting.facts === undefined || currentDoing(agent)?.witness === 'hook'
    const goesOn = word.objects !== true && isBelieved && isSameDoing(word.doing, before?.doing, isNew)
    evidence.doing = word.doing
    evidence.doingAt = goesOn ? (before?.doingAt ?? happenedAt) : happenedAt
    if (word.beganAt === undefined || word.beganAt >= evidence.doingAt) delete evidence.beganAt
    else evidence.beganAt = word.beganAt
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
  const beliefAt = sighting.objects === true ? (currentDoing(agent)?.saidAt ?? 0) + 1 : 0
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
function measured(
  { now }: Pick<Turn, 'now'>,
  agent: AgentRecord,
  { gauges, sessionId }: Pick<Sighting, 'gauges' | 'sessionId'>,
): Partial<AgentRecord> {
  const isOther = sessionId !== undefined && agent.sessionId !== undefined && sessionId !== agent.sessionId
  if (gauges === undefined && !isOther) return {}
  const kept = isOther ? {} : agent.gauges
  // The status line knows the size of the window, too.
  const isLesser = gauges?.context?.source === 'transcript' && kept?.context?.source === 'status_line'
  if (isLesser && !isOther) return measured({ now }, agent, { gauges: withoutContext(gauges), sessionId })
  const contextAt = gauges?.context === undefined ? {} : { contextAt: now }
  const costAt = gauges?.sessionCostUsd === undefined ? {} : { costAt: now }
  return {
    gauges: { ...kept, ...gauges, ...contextAt, ...costAt },
    fills: grownFills(isOther ? [] : (agent.fills ?? []), gauges?.context?.tokens, now),
  }
}

function withoutContext({ context: _, ...gauges }: Gauges): Gauges | undefined {
  return Object.keys(gauges).length === 0 ? undefined : gauges
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

/**
 * Only what the agent says itself moves its lifecycle, and only between active and idle. Its transcript notes that a turn
 * was ended, which nothing else may tell.
 */
function reportLifecycle(
  turn: Turn,
  agent: AgentRecord,
  { witness, doing, objects }: Pick<Sighting, 'witness' | 'doing' | 'objects'>,
): void {
  if (doing === undefined || !lives(agent)) return
  const to = doing.kind === 'idle' ? 'idle' : 'active'
  const isNoted = witness === 'transcript' && objects === true && to === 'idle'
  if (witness !== 'hook' && witness !== 'registry' && !isNoted) return
  if (to === agent.lifecycle) return
  record(turn, {
    type: 'agent.lifecycle-changed',
    agent: agent.id,
    generation: agent.generation,
    from: agent.lifecycle,
    to,
    why:
      to === 'idle'
        ? whyItRests(agent, agentOf(turn, agent.id), { objects, wallAt: turn.input.wallAt })
        : 'it began to work',
  })
}

/** Says again that somebody is asked, without the way to answer; whoever asks anew brings one. */
function isReminder(doing: Doing | undefined, before: Doing | undefined): boolean {
  const isAsked = before?.kind === 'permission' || before?.kind === 'question'
  return doing?.kind === 'permission' && doing.ask === undefined && isAsked && before.ask !== undefined
}

/** A new report of a tool or a question is another one, even of the same name. */
function isSameDoing(doing: Doing, before: Doing | undefined, isNew: boolean): boolean {
  if (before?.kind !== doing.kind) return false
  return !isNew || (doing.kind !== 'tool' && doing.kind !== 'permission' && doing.kind !== 'question')
}
