/**
 * What this tab knows of the house. Messages change it at once; whoever subscribed is told in one go per frame, and
 * only of topics that changed. Every value that is handed out is a new one when, and only when, it changed.
 */
import type { AgentId } from '../../../src/contract/ids.ts'
import type { StreamChange, StreamSnapshot } from '../../../src/contract/stream.ts'
import type { AgentView, ShownEvent } from '../../../src/contract/views.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'

export type Topic = 'status' | 'agents' | 'ids' | 'events' | 'connection' | `agent ${AgentId}` | `events ${AgentId}`

/** Its ages were true at `asOf`, by the daemon's clock. */
export interface LiveAgent extends AgentView {
  asOf: number
}

export interface Connection {
  state: 'connecting' | 'live' | 'offline' | 'signed-out'
  /** What is wrong and what to do; there unless all is well. */
  reason?: string
  since: number
}

export interface LiveChange {
  agents: readonly AgentId[]
  gone: readonly AgentId[]
  events: readonly ShownEvent[]
  /** All was taken anew: whatever was derived from events may have missed some. */
  anew: boolean
}

/** How many events are kept of all, and of each agent. */
const EVENTS_KEPT = 500
const EVENTS_KEPT_EACH = 100
const NONE: readonly ShownEvent[] = []

export interface LiveStateOptions {
  now: () => number
  /** Calls back before the next paint. */
  onFrame: (call: () => void) => void
}

export class LiveState {
  readonly #options: LiveStateOptions
  readonly #agents = new Map<AgentId, LiveAgent>()
  readonly #eventsOf = new Map<AgentId, readonly ShownEvent[]>()
  readonly #listeners = new Map<Topic, Set<() => void>>()
  readonly #watchers = new Set<(change: LiveChange) => void>()
  readonly #dirty = new Set<Topic>()
  #frameAsked = false
  #events = NONE
  #sorted: readonly LiveAgent[] | undefined
  #ids: readonly AgentId[] | undefined
  #status: StatusView | undefined
  #connection: Connection
  #skewMs = 0
  seq = 0
  boot: string | undefined

  constructor(options: LiveStateOptions) {
    this.#options = options
    this.#connection = { state: 'connecting', since: options.now() }
  }

  status = (): StatusView | undefined => this.#status
  agent = (id: AgentId): LiveAgent | undefined => this.#agents.get(id)
  connection = (): Connection => this.#connection
  agents = (): readonly LiveAgent[] => (this.#sorted ??= this.ids().flatMap((id) => this.#agents.get(id) ?? []))
  ids = (): readonly AgentId[] => (this.#ids ??= [...this.#agents.keys()].sort(byName.compare))
  events = (agent?: AgentId): readonly ShownEvent[] =>
    agent === undefined ? this.#events : (this.#eventsOf.get(agent) ?? NONE)
  /** The daemon's wall clock, as far as this tab can tell. */
  now = (): number => this.#options.now() + this.#skewMs

  subscribe(topic: Topic, call: () => void): () => void {
    const calls = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, calls)
    calls.add(call)
    return () => {
      calls.delete(call)
      if (calls.size === 0 && this.#listeners.get(topic) === calls) this.#listeners.delete(topic)
    }
  }

  /** Told of every message as it comes, for what is derived outside. */
  watch(call: (change: LiveChange) => void): () => void {
    this.#watchers.add(call)
    return () => this.#watchers.delete(call)
  }

  connect(connection: Omit<Connection, 'since'>): void {
    const { state, reason } = this.#connection
    if (state === connection.state && reason === connection.reason) return
    const since = state === connection.state ? this.#connection.since : this.now()
    this.#connection = { ...connection, since }
    this.#touch('connection')
  }

  takeSnapshot({ seq, at, boot, status, agents }: StreamSnapshot): void {
    this.#takeTime(at)
    const gone = new Set(this.#agents.keys())
    for (const agent of agents) gone.delete(agent.id)
    // What came before the gap does not join what comes after it.
    if (seq !== this.seq) this.#forgetEvents()
    this.seq = seq
    this.boot = boot
    this.#setStatus(status)
    for (const agent of agents) this.#set({ ...agent, asOf: at })
    for (const id of gone) this.#remove(id)
    this.#tell({ agents: agents.map(({ id }) => id), gone: [...gone], events: NONE, anew: true })
  }

  takeChange({ seq, at, status, agents, gone, events }: StreamChange): void {
    this.#takeTime(at)
    this.seq = seq
    if (status !== undefined) this.#setStatus(status)
    for (const agent of agents) this.#set({ ...agent, asOf: at })
    for (const id of gone) this.#remove(id)
    this.addEvents(events)
    this.#tell({ agents: agents.map(({ id }) => id), gone, events, anew: false })
  }

  /** Also for those of before the stream began. */
  addEvents(events: readonly ShownEvent[]): void {
    if (events.length === 0) return
    this.#events = joined(this.#events, events, EVENTS_KEPT)
    this.#touch('events')
    const pairs = events.flatMap((event) => agentsOf(event).map((agent) => ({ agent, event })))
    for (const [agent, some] of Map.groupBy(pairs, (pair) => pair.agent)) {
      const more = some.map(({ event }) => event)
      this.#eventsOf.set(agent, joined(this.events(agent), more, EVENTS_KEPT_EACH))
      this.#touch(`events ${agent}`)
    }
  }

  /** Nothing of it may stay on the screen of somebody who is not signed in. */
  forget(): void {
    for (const id of [...this.#agents.keys()]) this.#remove(id)
    this.#forgetEvents()
    this.#status = undefined
    this.#touch('status')
    this.seq = 0
    this.boot = undefined
  }

  #setStatus(status: StatusView): void {
    this.#status = status
    this.#touch('status')
  }

  #set(agent: LiveAgent): void {
    if (!this.#agents.has(agent.id)) this.#touchIds()
    this.#agents.set(agent.id, agent)
    this.#touchAgent(agent.id)
  }

  #remove(id: AgentId): void {
    if (!this.#agents.delete(id)) return
    this.#eventsOf.delete(id)
    this.#touchIds()
    this.#touchAgent(id)
  }

  #forgetEvents(): void {
    for (const agent of this.#eventsOf.keys()) this.#touch(`events ${agent}`)
    this.#eventsOf.clear()
    this.#events = NONE
    this.#touch('events')
  }

  #touchIds(): void {
    this.#ids = undefined
    this.#touch('ids')
  }

  #touchAgent(id: AgentId): void {
    this.#sorted = undefined
    this.#touch('agents')
    this.#touch(`agent ${id}`)
  }

  #touch(topic: Topic): void {
    this.#dirty.add(topic)
    if (this.#frameAsked) return
    this.#frameAsked = true
    this.#options.onFrame(() => this.#publish())
  }

  #publish(): void {
    this.#frameAsked = false
    const topics = [...this.#dirty]
    this.#dirty.clear()
    for (const topic of topics) for (const call of this.#listeners.get(topic) ?? []) call()
  }

  #tell(change: LiveChange): void {
    for (const call of this.#watchers) call(change)
  }

  /** A daemon on another machine may have another time; a small difference is only the way here. */
  #takeTime(at: number): void {
    const skewMs = at - this.#options.now()
    this.#skewMs = Math.abs(skewMs) < SKEW_IGNORED_MS ? 0 : skewMs
  }
}

const SKEW_IGNORED_MS = 2_000

const byName = new Intl.Collator('en', { numeric: true })

/** In order of seq and each once, since the newest may be asked for while the stream already brings some. */
function joined(before: readonly ShownEvent[], events: readonly ShownEvent[], limit: number): readonly ShownEvent[] {
  const lastSeq = before.at(-1)?.seq ?? 0
  if ((events[0]?.seq ?? 0) > lastSeq) return [...before, ...events].slice(-limit)
  const bySeq = new Map([...before, ...events].map((event) => [event.seq, event]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-limit)
}

/** Whom an event is about. */
function agentsOf(event: ShownEvent): readonly AgentId[] {
  if ('agent' in event) return [event.agent]
  if ('stopped' in event) return event.stopped
  return 'item' in event && event.item.agent !== undefined ? [event.item.agent] : []
}
