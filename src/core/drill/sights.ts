/** The words in which plans are written: what an event shows, and what no event may show. */
import type { Event, EventOf, EventType } from '../../contract/events.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { ActKind } from '../../contract/acts.ts'
import type { CauseKind } from '../../contract/verdict.ts'
import { MINUTE } from '../durations.ts'
import type { Sight, SoFar, Wrong } from './plan.ts'

interface Seen<T extends EventType> {
  see: string
  /** Left out: every event of the type does. */
  fits?: (event: EventOf<T>) => boolean
  /** What the fault was taken for. */
  as?: (event: EventOf<T>) => string
}

export function house<T extends EventType>(type: T, { see, fits = () => true, as = () => see }: Seen<T>): Sight {
  return {
    see,
    in: (event) => (isOf(event, type) && fits(event) ? as(event) : undefined),
  }
}

/** An event of this agent, or an item about it. */
export function of<T extends EventType>(agent: AgentId, type: T, seen: Seen<T>): Sight {
  const { fits = () => true } = seen
  return house(type, { ...seen, fits: (event) => subjectOf(event) === agent && fits(event) })
}

export function turned(agent: AgentId, kind: CauseKind): Sight {
  return of(agent, 'agent.health-changed', {
    see: `the verdict ${kind}`,
    fits: ({ cause }) => cause.kind === kind,
    as: ({ cause }) =>
      cause.kind === 'dead' && cause.exitCode !== undefined ? `dead, exit code ${cause.exitCode}` : kind,
  })
}

export function decided(agent: AgentId, kind: ActKind, see: string): Sight {
  return of(agent, 'act.decided', { see, fits: ({ act }) => act.kind === kind })
}

export function ended(agent: AgentId, kind: ActKind, see: string): Sight {
  return of(agent, 'act.ended', { see, fits: ({ act, result }) => act === kind && result === 'done' })
}

export function startedAgain(agent: AgentId): Sight {
  const see = `the new start of ${agent}`
  return of(agent, 'agent.started', { see, fits: ({ confirmed }) => confirmed })
}

export function jumped(see: string, ms: number): Sight {
  const fits = ({ wallMs, monoMs }: EventOf<'house.clock-jumped'>) => Math.abs(wallMs - monoMs - ms) < MINUTE
  return house('house.clock-jumped', { see, fits, as: () => 'clock jump' })
}

/** Rules may do nothing else to these agents; what people ask for is not meant. */
export function acts(agents: readonly AgentId[], allowed: readonly ActKind[]): Wrong {
  return (event) => {
    if (event.type !== 'act.decided' || !agents.includes(event.agent)) return undefined
    const { kind, precedence, by, reason } = event.act
    if (precedence === 'human' || allowed.includes(kind)) return undefined
    return `${event.agent} got a ${kind} by ${by}, which is wrong here: ${reason}`
  }
}

export function accused(event: Event): string | undefined {
  if (event.type !== 'agent.health-changed' || !WORSE.includes(event.to)) return undefined
  return `${event.agent} was called ${event.to}: ${event.reason}`
}

const WORSE: readonly string[] = ['stale', 'warning', 'stuck']

export function twice(event: Event, { earlier }: SoFar, is: (event: Event) => boolean): boolean {
  return is(event) && earlier.some(is)
}

function isOf<T extends EventType>(event: Event, type: T): event is EventOf<T> {
  return event.type === type
}

function subjectOf(event: Event): AgentId | undefined {
  if (event.type === 'needs-you.raised') return event.item.agent
  return 'agent' in event ? event.agent : undefined
}
