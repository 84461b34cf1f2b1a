/** Carries ribbons on from what the stream brings, in the same way as the daemon derives them from its journal. */
import type { AgentId } from '../../../src/contract/ids.ts'
import type { Ribbon, RibbonMark, RibbonSegment, RibbonShade, RibbonsView } from '../../../src/contract/ribbon.ts'
import type { CauseClass, CauseKind, WorkKind } from '../../../src/contract/verdict.ts'
import type { ShownEvent } from '../../../src/contract/views.ts'
import type { LiveAgent } from './live-state.ts'

/** `to` of the view is a little ahead of now, so that it moves seldom; an unchanged ribbon stays the same object. */
export type LiveRibbons = Pick<RibbonsView, 'from' | 'to'> & { ribbons: readonly Ribbon[] }

export interface Window {
  from: number
  to: number
}

/** What the journal says of an agent's state. */
export type Recorded = Extract<ShownEvent, { type: 'agent.health-changed' | 'agent.lifecycle-changed' }>

export function isRecord(event: ShownEvent): event is Recorded {
  return event.type === 'agent.health-changed' || event.type === 'agent.lifecycle-changed'
}

interface Now {
  to: number
  /** What was recorded of it since its ribbon was last drawn. */
  recorded: Recorded | undefined
}

/**
 * The agent's ribbon up to the end of the window, with what is true of it now. Another cause of the same shade counts
 * only when it was recorded: the daemon does not record every moment, and will draw none that it did not record.
 */
export function withAgent(ribbon: Ribbon | undefined, agent: LiveAgent, now: Now): Ribbon {
  const last = ribbon?.segments.at(-1)
  const told = toldOf(agent, now.recorded)
  if (ribbon !== undefined && last !== undefined && isSame(last, told, now)) {
    // What is seen may come a moment before its record, which has the words that stay.
    if (now.recorded === undefined || last.reason === told.reason) return ribbon
    return { ...ribbon, segments: [...ribbon.segments.slice(0, -1), { ...last, ...told }] }
  }
  const at = Math.min(now.to, Math.max(agent.asOf, last?.from ?? 0))
  const segment: RibbonSegment = { from: at, to: now.to, ...told }
  const before = (ribbon?.segments ?? []).slice(0, -1)
  const cut = last === undefined || last.from === at ? [] : [{ ...last, to: at }]
  return { agent: agent.id, segments: [...before, ...cut, segment], marks: ribbon?.marks ?? [] }
}

export function withMarks(ribbon: Ribbon, marks: readonly RibbonMark[]): Ribbon {
  const lastSeq = ribbon.marks.at(-1)?.seq ?? 0
  const more = marks.filter(({ seq }) => seq > lastSeq)
  return more.length === 0 ? ribbon : { ...ribbon, marks: [...ribbon.marks, ...more] }
}

/** The same ribbon, seen through a window that went on. */
export function moved(ribbon: Ribbon, { from, to }: Window): Ribbon {
  const lastIndex = ribbon.segments.length - 1
  return {
    agent: ribbon.agent,
    segments: ribbon.segments.flatMap((segment, index) => {
      const end = index === lastIndex ? to : segment.to
      return end <= from ? [] : [{ ...segment, from: Math.max(from, segment.from), to: end }]
    }),
    marks: ribbon.marks.filter(({ at }) => at >= from),
  }
}

/** Which ribbons get a mark for the event. */
export function markOf(event: ShownEvent): { agents: readonly AgentId[]; mark: RibbonMark } | undefined {
  const { seq, at, sentence } = event
  switch (event.type) {
    case 'act.decided':
      // One mark stands for all that a hand-off asked for.
      return event.act.handoff === undefined
        ? { agents: [event.agent], mark: { seq, at, kind: event.act.kind, sentence } }
        : undefined
    case 'handoff.ended':
      return BEGUN.includes(event.result)
        ? { agents: [event.agent], mark: { seq, at, kind: 'handoff', sentence } }
        : undefined
    case 'needs-you.raised':
      return event.item.agent === undefined
        ? undefined
        : { agents: [event.item.agent], mark: { seq, at, kind: 'needs-you', sentence } }
    case 'emergency.ended':
    case 'emergency.found':
      return { agents: event.stopped, mark: { seq, at, kind: 'emergency', sentence } }
    default:
      return undefined
  }
}

/** The results of hand-offs that did something to the agent. */
const BEGUN: readonly string[] = ['done', 'rolled_back', 'needs_you']

type Told = Omit<RibbonSegment, 'from' | 'to'>

function toldOf(agent: LiveAgent, recorded: Recorded | undefined): Told {
  const { lifecycle, health, shown: shade, generation } = agent
  const said = lifecycle === 'active' ? (health ?? 'unknown') : lifecycle
  const isOfNow = recorded?.to === said && recorded.generation === generation
  return { shade, ...whyOf(isOfNow ? recorded : agent, shade), generation }
}

/** As the daemon draws it: of one that works, how it works was true for a moment only. */
function whyOf(said: LiveAgent | Recorded, shade: RibbonShade): Pick<RibbonSegment, 'cause' | 'reason'> {
  const reason = 'why' in said ? said.why : said.reason
  if ('why' in said || said.cause === undefined) return reason === undefined ? {} : { reason }
  const cause = classOf(said.cause.kind)
  const words = shade === 'active' && cause === 'at_work' ? 'at work' : reason
  return { cause, ...(words === undefined ? {} : { reason: words }) }
}

export function classOf(kind: CauseKind): CauseClass {
  return isWork(kind) ? 'at_work' : kind
}

const WORK: Record<WorkKind, true> = { working_tool: true, thinking: true, waiting_background: true, compacting: true }

function isWork(kind: CauseKind): kind is WorkKind {
  return kind in WORK
}

function isSame(last: RibbonSegment, told: Told, { recorded }: Now): boolean {
  if (last.generation !== told.generation) return false
  if (last.shade === told.shade) return last.cause === told.cause || recorded === undefined
  // Seen as waiting or limited, or no longer so, by its cause alone: that is recorded when it lasts.
  return recorded === undefined && isByCause(last, told)
}

function isByCause(last: RibbonSegment, told: Told): boolean {
  const shades = [last.shade, told.shade]
  return shades.some((shade) => BY_CAUSE.includes(shade)) && shades.every((shade) => JUDGED.includes(shade))
}

const BY_CAUSE: readonly RibbonShade[] = ['waiting', 'limited']
const JUDGED: readonly RibbonShade[] = [...BY_CAUSE, 'active', 'stale', 'warning', 'stuck']
