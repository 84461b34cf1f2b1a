/**
 * The journal in memory, with the same promises as the real one, and crashes on demand.
 * Records are kept by reference and never copied while committing: callers treat them as immutable.
 */
import type { Effect } from '../../src/contract/effects.ts'
import type { Event } from '../../src/contract/events.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { HouseRecord } from '../../src/contract/house-record.ts'
import type { StatusFile } from '../../src/contract/house-view.ts'
import type { AgentId } from '../../src/contract/ids.ts'
import type { RibbonsView } from '../../src/contract/ribbon.ts'
import type { Batch, EventQuery, Journal, Recovered, RibbonQuery } from '../../src/core/ports.ts'
import { drawRibbons, RIBBON_TYPES, STATE_TYPES } from '../../src/core/ribbon.ts'

const SEEN_LIMIT = 100_000
const SETTLED_LIMIT = 1_000

/** Thrown by the commit at which a crash was asked for, and by everything after it. */
export class CrashError extends Error {
  override name = 'CrashError'
}

interface Durable {
  events: Event[]
  house: HouseRecord | undefined
  agents: Map<string, AgentRecord>
  open: Map<string, Effect>
  settled: Set<string>
  seen: Set<string>
}

export class MemoryJournal implements Journal {
  #durable: Durable
  #commits = 0
  #crash: { at: number; when: 'before' | 'after' } | undefined
  #end: Error | undefined

  constructor(durable?: Durable) {
    this.#durable = durable ?? {
      events: [],
      house: undefined,
      agents: new Map(),
      open: new Map(),
      settled: new Set(),
      seen: new Set(),
    }
  }

  /** The n-th commit of this journal, counted from 1, is lost or becomes durable without being confirmed. */
  crashAt(n: number, when: 'before' | 'after'): void {
    this.#crash = { at: n, when }
  }

  /** What a new process would find; this journal is of no more use. */
  reopen(): MemoryJournal {
    this.#end ??= new Error('The journal is closed.')
    return new MemoryJournal(this.#durable)
  }

  /** How many commits this journal was asked for. */
  get commits(): number {
    return this.#commits
  }

  async commit(batch: Batch): Promise<void> {
    if (this.#end !== undefined) throw this.#end
    this.#commits += 1
    const crash = this.#crash?.at === this.#commits ? this.#crash.when : undefined
    if (crash === 'before') throw this.#die(new CrashError(`crashed before commit ${this.#commits} was durable`))
    const fault = faultOf(this.#durable, batch)
    if (fault !== undefined) throw this.#die(new Error(`Could not write to the journal: ${fault}.`))
    apply(this.#durable, batch)
    if (crash === 'after') throw this.#die(new CrashError(`crashed after commit ${this.#commits} was durable`))
  }

  async recover(): Promise<Recovered> {
    if (this.#end !== undefined) throw this.#end
    const { house, agents, open, seen } = this.#durable
    return structuredClone({
      house,
      agents: [...agents.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      openEffects: [...open.values()],
      seen: [...seen],
    })
  }

  /** What was published last. */
  status: StatusFile | undefined

  publish(status: StatusFile): void {
    if (this.#end === undefined) this.status = status
  }

  /** What was published of each agent's cost. */
  readonly costs = new Map<AgentId, number | undefined>()

  publishCost(agent: AgentId, usd: number | undefined): void {
    if (this.#end === undefined) this.costs.set(agent, usd)
  }

  trouble(): string | undefined {
    return undefined
  }

  async events({ afterSeq, limit, agent }: EventQuery): Promise<readonly Event[]> {
    if (this.#end !== undefined) throw this.#end
    const { events } = this.#durable
    const found: Event[] = []
    for (let index = afterSeq; index < events.length && found.length < limit; index += 1) {
      const event = events[index]
      if (event !== undefined && (agent === undefined || ('agent' in event && event.agent === agent))) found.push(event)
    }
    return structuredClone(found)
  }

  async ribbons({ from, to, agent }: RibbonQuery): Promise<RibbonsView> {
    if (this.#end !== undefined) throw this.#end
    const { events, agents, house } = this.#durable
    const first = events.findIndex(({ at }) => at >= from)
    const before = first === -1 ? events : events.slice(0, first)
    const isOf = (id: string) => (event: Event) => 'agent' in event && event.agent === id
    const isState = ({ type }: Event) => (STATE_TYPES as readonly string[]).includes(type)
    const ids = [...agents.keys()].toSorted().filter((id) => agent === undefined || agent === id)
    return structuredClone(
      drawRibbons({
        from,
        to,
        seq: events.length,
        monitoring: house?.monitoring ?? 'running',
        agents: ids.map((id) => ({
          agent: id,
          before: before.findLast((event) => isOf(id)(event) && isState(event)),
          known: before.some(isOf(id)),
        })),
        events: events.slice(before.length).filter(({ type }) => (RIBBON_TYPES as readonly string[]).includes(type)),
      }),
    )
  }

  async close(): Promise<void> {
    this.#end ??= new Error('The journal is closed.')
  }

  #die(error: Error): Error {
    this.#end = error
    return error
  }
}

function faultOf(durable: Durable, batch: Batch): string | undefined {
  let expected = durable.events.length
  for (const { seq } of batch.events) {
    expected += 1
    if (seq !== expected) return `event ${seq} came where event ${expected} was due`
  }
  const repeated = batch.effects.find(({ id }) => durable.open.has(id) || durable.settled.has(id))
  return repeated && `effect ${repeated.id} is already in the outbox`
}

function apply(durable: Durable, batch: Batch): void {
  durable.events.push(...batch.events)
  for (const effect of batch.effects) durable.open.set(effect.id, effect)
  for (const { effect } of batch.settled) {
    if (durable.open.delete(effect)) durable.settled.add(effect)
  }
  for (const agent of batch.agents) durable.agents.set(agent.id, agent)
  for (const id of batch.forgotten) durable.agents.delete(id)
  durable.house = batch.house
  for (const id of batch.seen) durable.seen.add(id)
  keepNewest(durable.settled, SETTLED_LIMIT)
  keepNewest(durable.seen, SEEN_LIMIT)
}

/** A set remembers the order in which its members came. */
function keepNewest(ids: Set<string>, limit: number): void {
  for (const id of ids) {
    if (ids.size <= limit) return
    ids.delete(id)
  }
}
