/** What is durable so far. Followers are told after each batch, in order; the world may be ahead of it. */
import type { Event } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'

/** The batch's events, and the agents whose records changed, those that are gone included. */
export type Follower = (events: readonly Event[], agents: readonly AgentId[]) => void

export class Durable {
  readonly #followers = new Set<Follower>()
  #seq: number

  constructor(seq: number) {
    this.#seq = seq
  }

  /** The newest durable event. */
  get seq(): number {
    return this.#seq
  }

  follow(call: Follower): () => void {
    this.#followers.add(call)
    return () => this.#followers.delete(call)
  }

  tell(events: readonly Event[], agents: readonly AgentId[]): void {
    this.#seq = events.at(-1)?.seq ?? this.#seq
    for (const call of this.#followers) call(events, agents)
  }
}
