/**
 * Keeps what each agent cost so far in its published state. It is counted from the transcripts soon after a turn ended,
 * now and then while it works, once for everybody when the daemon starts, and otherwise not at all; what did not change
 * is not published.
 */
import type { CostView } from '../contract/cost-views.ts'
import type { Event } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { MINUTE, SECOND } from '../core/durations.ts'
import type { Clock, Journal } from '../core/ports.ts'
import type { Loop } from './loop.ts'

const SOON_MS = 2 * SECOND
const EVERY_MS = MINUTE

export interface CostWatchOptions {
  loop: { world: Pick<Loop['world'], 'agents'>; durable: Pick<Loop['durable'], 'follow'> }
  clock: Clock
  journal: Pick<Journal, 'publishCost'>
  costOf: (agent: AgentRecord) => Promise<CostView>
}

export class CostWatch {
  readonly #options: CostWatchOptions
  /** When each is to be counted. */
  readonly #due = new Map<AgentId, number>()
  readonly #told = new Map<AgentId, number | undefined>()
  #unfollow: () => void = () => {}
  #wakeAt = Infinity
  #cancel: () => void = () => {}
  #counting = false
  #stopped = false

  constructor(options: CostWatchOptions) {
    this.#options = options
  }

  begin(): void {
    const { loop } = this.#options
    this.#unfollow = loop.durable.follow((events, agents) => this.#heed(events, agents))
    for (const id of loop.world.agents.keys()) this.#dueIn(id, SOON_MS)
  }

  stop(): void {
    this.#stopped = true
    this.#unfollow()
    this.#cancel()
  }

  #heed(events: readonly Event[], agents: readonly AgentId[]): void {
    const known = this.#options.loop.world.agents
    for (const id of agents) {
      if (known.get(id)?.lifecycle === 'active') this.#dueIn(id, EVERY_MS)
      else if (!known.has(id)) for (const map of [this.#due, this.#told]) map.delete(id)
    }
    for (const event of events) if (event.type === 'agent.lifecycle-changed') this.#dueIn(event.agent, SOON_MS)
  }

  #dueIn(id: AgentId, ms: number): void {
    const at = Math.min(this.#due.get(id) ?? Infinity, this.#options.clock.now().monoAt + ms)
    this.#due.set(id, at)
    this.#wake(at)
  }

  #wake(at: number): void {
    if (this.#stopped || this.#counting || at >= this.#wakeAt) return
    this.#cancel()
    this.#wakeAt = at
    this.#cancel = this.#options.clock.wakeAt(at, () => void this.#round())
  }

  /** One after the other: nobody waits for it. */
  async #round(): Promise<void> {
    this.#wakeAt = Infinity
    this.#counting = true
    const now = this.#options.clock.now().monoAt
    for (const [id, at] of [...this.#due]) {
      if (at > now || this.#stopped) continue
      this.#due.delete(id)
      await this.#count(id)
    }
    this.#counting = false
    for (const at of this.#due.values()) this.#wake(at)
  }

  async #count(id: AgentId): Promise<void> {
    const { loop, journal, costOf } = this.#options
    const agent = loop.world.agents.get(id)
    if (agent === undefined) return
    const view = await costOf(agent).catch(() => undefined)
    if (view === undefined || this.#stopped || !loop.world.agents.has(id)) return
    const usd = knownCost(view)
    if (this.#told.get(id) === usd) return
    this.#told.set(id, usd)
    journal.publishCost(id, usd)
  }
}

/** A sum in which something is missing is not what it cost. */
function knownCost({ models, total }: CostView): number | undefined {
  if (models.length === 0 || total.usd === null || total.unpriced.length > 0) return undefined
  return Number(total.usd.toFixed(6))
}
