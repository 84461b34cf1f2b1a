/**
 * The night ribbon out of the journal's events: for every agent segments of what was true, and marks of what happened.
 * Segments have no gap and no overlap; they begin with the window, or with the agent, and end with the window. A clock
 * that was set back takes nothing away: what came later is drawn later.
 */
import type { Event, EventOf, EventType } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'
import type { Ribbon, RibbonMark, RibbonSegment, RibbonsView } from '../contract/ribbon.ts'
import { shownActive } from '../contract/shown.ts'
import { describe } from './describe.ts'
import { lasting } from './health/cause-class.ts'

export interface RibbonWindow {
  from: number
  to: number
}

export interface RibbonSource extends RibbonWindow {
  /** The newest event there is. */
  seq: number
  agents: Iterable<RibbonStart>
  monitoring: 'running' | 'paused'
  /** Those of RIBBON_TYPES within the window, oldest first. */
  events: readonly Event[]
}

export interface RibbonStart {
  agent: AgentId
  /** The newest event of STATE_TYPES before the window; else `known` tells whether the agent was there at all. */
  before: Event | undefined
  known: boolean
}

/** What tells what is true of an agent. */
export const STATE_TYPES = ['agent.health-changed', 'agent.lifecycle-changed'] as const satisfies readonly EventType[]

export const RIBBON_TYPES = [
  ...STATE_TYPES,
  'agent.registered',
  'act.decided',
  'handoff.ended',
  'needs-you.raised',
  'emergency.ended',
  'emergency.found',
  'house.booted',
  'house.clock-jumped',
  'house.blinded',
  'house.degraded',
  'house.sighted',
  'monitoring.started',
  'monitoring.stopped',
] as const satisfies readonly EventType[]

export function drawRibbons(source: RibbonSource): RibbonsView {
  const { from, to, seq, events } = source
  const drawing: Drawing = {
    window: { from, to },
    at: from,
    house: { ...houseBefore(source), unwatched: false },
    pens: new Map(),
  }
  for (const start of source.agents) begin(drawing, start)
  for (const event of events) {
    drawing.at = Math.max(drawing.at, within(drawing, event.at))
    take(drawing, event)
  }
  return { from, to, seq, ribbons: [...drawing.pens.values()].map((pen) => finished(pen, to)) }
}

interface Drawing {
  window: RibbonWindow
  /** How far everything is drawn. */
  at: number
  house: { paused: boolean; doubt: string | undefined; unwatched: boolean }
  pens: Map<AgentId, Pen>
}

/** Draws one ribbon: `segments` are done but for their last, which goes on. */
interface Pen {
  agent: AgentId
  /** What would be true were it watched. */
  said: Told
  segments: Open[]
  marks: RibbonMark[]
}

type Told = Pick<RibbonSegment, 'shade' | 'cause' | 'reason' | 'generation'>
type Open = Omit<RibbonSegment, 'to'>

/** The first word on each matter tells what was true before it. */
function houseBefore({ events, monitoring }: RibbonSource): { paused: boolean; doubt: string | undefined } {
  const first = (types: readonly EventType[]) => events.find(({ type }) => types.includes(type))?.type
  const paused = first(['monitoring.started', 'monitoring.stopped'])
  const doubt = first(['house.blinded', 'house.degraded', 'house.sighted', 'house.booted'])
  return {
    paused: paused === undefined ? monitoring === 'paused' : paused === 'monitoring.started',
    doubt: doubt === 'house.sighted' ? 'Cloister could not see the agents' : undefined,
  }
}

function begin(drawing: Drawing, { agent, before, known }: RibbonStart): void {
  const said = before === undefined ? undefined : toldBy(before)
  const pen: Pen = { agent, said: said ?? UNINITIALIZED, segments: [], marks: [] }
  drawing.pens.set(agent, pen)
  if (before !== undefined || known) draw(drawing, pen)
}

const UNINITIALIZED: Told = { shade: 'uninitialized', generation: 0 }

function take(drawing: Drawing, event: Event): void {
  if ('agent' in event) return takeOfAgent(drawing, event)
  const { house } = drawing
  switch (event.type) {
    case 'house.booted':
      house.doubt = undefined
      return nobodyLooked(drawing, event.downMs)
    case 'house.clock-jumped':
      return nobodyLooked(drawing, Math.max(0, event.wallMs - event.monoMs))
    case 'house.blinded':
    case 'house.degraded':
      house.doubt = event.why
      return drawAll(drawing)
    case 'house.sighted':
      house.doubt = undefined
      return drawAll(drawing)
    case 'monitoring.started':
    case 'monitoring.stopped':
      house.paused = event.type === 'monitoring.stopped'
      return drawAll(drawing)
    case 'needs-you.raised':
      return mark(drawing, event.item.agent, { ...stamp(drawing, event), kind: 'needs-you' })
    case 'emergency.ended':
    case 'emergency.found':
      for (const agent of event.stopped) mark(drawing, agent, { ...stamp(drawing, event), kind: 'emergency' })
      return
    default:
  }
}

function takeOfAgent(drawing: Drawing, event: Extract<Event, { agent: AgentId }>): void {
  const pen = drawing.pens.get(event.agent)
  if (pen === undefined) return
  if (event.type === 'act.decided') {
    if (event.act.kind === 'spawn') pen.said = { ...pen.said, generation: event.act.generation }
    // One mark stands for all that a hand-off asked for.
    if (event.act.handoff === undefined) {
      mark(drawing, event.agent, { ...stamp(drawing, event), kind: event.act.kind })
    }
  }
  if (event.type === 'handoff.ended' && BEGUN.includes(event.result)) {
    mark(drawing, event.agent, { ...stamp(drawing, event), kind: 'handoff' })
  }
  pen.said = toldBy(event) ?? pen.said
  draw(drawing, pen)
}

/** The results of hand-offs that did something to the agent. */
const BEGUN: readonly EventOf<'handoff.ended'>['result'][] = ['done', 'rolled_back', 'needs_you']

function toldBy(event: Event): Told | undefined {
  if (event.type === 'agent.health-changed') {
    return { shade: shownActive(event.to, event.cause.kind), ...lasting(event), generation: event.generation }
  }
  return event.type === 'agent.lifecycle-changed' ? toldByLifecycle(event) : undefined
}

/** An agent that just became active is not judged yet. */
function toldByLifecycle({ to, why, generation }: EventOf<'agent.lifecycle-changed'>): Told {
  return to === 'active'
    ? { shade: 'unknown', cause: 'starting', reason: why, generation }
    : { shade: to, reason: why, generation }
}

/** The daemon was down, or the machine slept, for so long until now. */
function nobodyLooked(drawing: Drawing, forMs: number): void {
  const until = drawing.at
  const since = within(drawing, until - forMs)
  drawing.house.unwatched = forMs > 0
  drawing.at = since
  drawAll(drawing)
  drawing.house.unwatched = false
  drawing.at = until
  drawAll(drawing)
}

function drawAll(drawing: Drawing): void {
  for (const pen of drawing.pens.values()) if (pen.segments.length > 0) draw(drawing, pen)
}

/** From here on what is true now; nothing new where it is the same as before. */
function draw({ house, at }: Drawing, pen: Pen): void {
  const told = seenThrough(house, pen.said)
  const last = pen.segments.at(-1)
  if (last !== undefined && isSame(last, told)) return
  // What was true for no time at all is not drawn.
  const from = Math.max(at, last?.from ?? at)
  if (last?.from === from) pen.segments.pop()
  const previous = pen.segments.at(-1)
  if (previous === undefined || !isSame(previous, told)) pen.segments.push({ from, ...told })
}

/** Who does not live needs nobody to watch it; who lives is known only as far as somebody looks. */
function seenThrough({ paused, doubt, unwatched }: Drawing['house'], said: Told): Told {
  const { shade, generation } = said
  if (shade === 'uninitialized' || shade === 'suspended' || shade === 'stopped') return said
  if (unwatched)
    return { shade: 'unwatched', reason: 'nobody looked: Cloister was down or the machine slept', generation }
  if (shade === 'idle') return said
  const reason = paused ? 'monitoring is paused' : doubt
  return reason === undefined ? said : { shade: 'unknown', cause: 'unknown', reason, generation }
}

function isSame(a: Told, b: Told): boolean {
  return a.shade === b.shade && a.cause === b.cause && a.generation === b.generation
}

function stamp({ at }: Drawing, event: Event): Omit<RibbonMark, 'kind'> {
  return { seq: event.seq, at, sentence: describe(event) }
}

function mark({ pens }: Drawing, agent: AgentId | undefined, made: RibbonMark): void {
  pens.get(agent ?? '')?.marks.push(made)
}

function within({ window }: Drawing, at: number): number {
  return Math.min(window.to, Math.max(window.from, at))
}

function finished({ agent, segments, marks }: Pen, to: number): Ribbon {
  const whole = segments.map((segment, index) => ({ ...segment, to: segments[index + 1]?.from ?? to }))
  return { agent, segments: whole.filter((segment) => segment.to > segment.from), marks }
}
