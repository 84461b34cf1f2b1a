/** Who types to an agent: one at a time, a person in the live terminal or an act of ours, never into one another. */
import type { AgentId } from '../contract/ids.ts'

export type Typist = 'person' | 'act'

export class Keyboards {
  readonly #held = new Map<AgentId, { by: Typist }>()

  heldBy(agent: AgentId): Typist | undefined {
    return this.#held.get(agent)?.by
  }

  /** Gives back how to let go of it; undefined when another has it. */
  take(agent: AgentId, by: Typist): (() => void) | undefined {
    if (this.#held.has(agent)) return undefined
    const hold = { by }
    this.#held.set(agent, hold)
    return () => {
      if (this.#held.get(agent) === hold) this.#held.delete(agent)
    }
  }
}
