/** How a hand-off went on, read from the journal: its id is the seq of the event that proposed it. */
import type { Event } from '../contract/events.ts'
import type { HandoffEvent } from '../contract/handoff-views.ts'
import type { HandoffStep, HandoffTimeline } from '../contract/handoff-panel-views.ts'
import type { Readings } from './deps.ts'

const PAGE = 1_000
/** A proposal may wait for hours while its agent works; beyond this the rest is left out. */
const PAGES = 10

export async function timelineOf(
  { id, agentId }: Pick<HandoffEvent, 'id' | 'agentId'>,
  { events, describe }: Pick<Readings, 'events' | 'describe'>,
): Promise<HandoffTimeline> {
  const steps: HandoffStep[] = []
  let after = Number(/^h-(\d+)$/.exec(id)?.[1] ?? 1) - 1
  for (let n = 0; n < PAGES; n += 1) {
    const some = await events({ after, limit: PAGE, agent: agentId })
    for (const event of some) {
      const step = stepOf(event, id)
      if (step !== undefined) steps.push({ ...step, at: iso(event.at), sentence: describe(event) })
      if (step?.kind === 'ended') return { id, steps }
    }
    after = some.at(-1)?.seq ?? after
    if (some.length < PAGE) break
  }
  return { id, steps }
}

function stepOf(event: Event, id: string): Omit<HandoffStep, 'at' | 'sentence'> | undefined {
  if (event.type === 'handoff.proposed') return event.handoff.id === id ? { kind: 'proposed' } : undefined
  if (!('handoff' in event) || event.handoff !== id) return undefined
  switch (event.type) {
    case 'handoff.approved':
      return { kind: 'approved' }
    case 'handoff.captured':
      return { kind: 'captured' }
    case 'handoff.stepped': {
      const { state, detail, deadlineAt, observedAt, at } = event
      const deadline = iso(at + deadlineAt - observedAt)
      return { kind: 'stepped', state, deadline, ...(detail === undefined ? {} : { detail }) }
    }
    case 'handoff.ended':
      return { kind: 'ended', state: event.result, detail: event.detail }
    default:
      return undefined
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
