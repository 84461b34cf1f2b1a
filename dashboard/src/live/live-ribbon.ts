/** Carries ribbons on from what the stream brings, in the same way as the daemon derives them from its journal. */
import type { AgentId } from '../../../src/contract/ids.ts'
import type { Ribbon, RibbonMark, RibbonSegment, RibbonShade, RibbonsView } from '../../../src/contract/ribbon.ts'
import type { CauseKind } from '../../../src/contract/verdict.ts'
import type { ShownEvent } from '../../../src/contract/views.ts'
import type { LiveAgent } from './live-state.ts'

/** `to` of the view is a little ahead of now, so that it moves seldom; an unchanged ribbon stays the same object. */
export type LiveRibbons = Pick<RibbonsView, 'from' | 'to'> & { ribbons: readonly Ribbon[] }

export interface Window {
  from: number
  to: number
}

/** The agent's ribbon up to the end of the window, with what is true of it now. */
export function withAgent(ribbon: Ribbon | undefined, agent: LiveAgent, { to }: Window): Ribbon {
  const shade = shadeOf(agent)
  const last = ribbon?.segments.at(-1)
  if (ribbon !== undefined && last !== undefined && isSame(last, agent)) return ribbon
  const at = Math.min(to, Math.max(agent.asOf, last?.from ?? 0))
  const segment: RibbonSegment = {
    from: at,
    to,
    shade,
    ...(agent.cause === undefined ? {} : { cause: agent.cause.kind }),
    ...(agent.reason === undefined ? {} : { reason: agent.reason }),
    generation: agent.generation,
  }
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

/** Whose ribbon gets a mark for the event; `undefined` as the agent means everybody's. */
export function markOf(event: ShownEvent): { agent: AgentId | undefined; mark: RibbonMark } | undefined {
  const { seq, at, sentence } = event
  switch (event.type) {
    case 'act.decided':
      return { agent: event.agent, mark: { seq, at, kind: event.act.kind, sentence } }
    case 'needs-you.raised':
      return event.item.agent === undefined
        ? undefined
        : { agent: event.item.agent, mark: { seq, at, kind: 'needs-you', sentence } }
    case 'emergency.triggered':
      return { agent: undefined, mark: { seq, at, kind: 'emergency', sentence } }
    default:
      return undefined
  }
}

function shadeOf({ lifecycle, health }: LiveAgent): RibbonShade {
  return lifecycle === 'active' ? (health ?? 'unknown') : lifecycle
}

/** These are one thing to a reader: it works. */
const WORKING: readonly (string | undefined)[] = [
  'starting',
  'working_tool',
  'thinking',
  'waiting_background',
  'compacting',
] satisfies CauseKind[]

function isSame({ shade, cause, generation }: RibbonSegment, agent: LiveAgent): boolean {
  if (shade !== shadeOf(agent) || generation !== agent.generation) return false
  const { kind } = agent.cause ?? {}
  return cause === kind || (WORKING.includes(cause) && WORKING.includes(kind))
}
