/**
 * Tells a world what happened in the past, at the rhythm of a daemon that had been there: a look at every interval and a
 * tick at each deadline between what is told. Needs no clock. Pure but for the world, which is folded along.
 */
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { Input } from '../core/inputs.ts'
import { step, type Result } from '../core/step.ts'
import type { World } from '../core/world.ts'

export type Unstamped = Input extends infer I ? (I extends Input ? Omit<I, 'id' | 'wallAt' | 'monoAt'> : never) : never

export interface RetellingOptions {
  world: World
  /** When it begins. */
  wallAt: number
  monoAt: number
  /** Called with each input, when it has been folded into the world. */
  note: (input: Input, result: Result) => void
  /** What a look of that time would have brought back; left out, nothing new. */
  seen?: () => readonly Sighting[]
  /** What would have come of an effect; left out, or undefined, nothing is told of it here. */
  outcome?: (effect: Effect) => Outcome | undefined
}

export class Retelling {
  readonly #options: RetellingOptions
  #wallAt: number
  #monoAt: number
  #lookMonoAt: number
  #inputs = 0

  constructor(options: RetellingOptions) {
    this.#options = options
    this.#wallAt = options.wallAt
    this.#monoAt = options.monoAt
    this.#lookMonoAt = options.monoAt
  }

  get wallAt(): number {
    return this.#wallAt
  }

  get monoAt(): number {
    return this.#monoAt
  }

  /** Time passes up to then, with every look and deadline on the way. */
  passTo(wallAt: number): void {
    const { world } = this.#options
    const untilMonoAt = this.#monoAt + (wallAt - this.#wallAt)
    while (this.#monoAt < untilMonoAt) {
      const dueMs = (world.deadlines.next() ?? Infinity) - world.house.observedAt
      const at = Math.min(untilMonoAt, Math.max(this.#monoAt, this.#lookMonoAt), this.#monoAt + Math.max(1, dueMs))
      this.#wallAt += at - this.#monoAt
      this.#monoAt = at
      if (at >= this.#lookMonoAt) this.#look()
      else if ((world.deadlines.next() ?? Infinity) <= world.house.observedAt + dueMs) {
        this.tell({ type: 'tick', lateMs: 0 })
      }
    }
  }

  /** It is then, and nobody was there meanwhile. */
  jumpTo(wallAt: number): void {
    this.#wallAt = Math.max(wallAt, this.#wallAt)
    this.tell({ type: 'tick', lateMs: 0 })
  }

  /** At a moment that others measured. */
  setTo({ wallAt, monoAt }: { wallAt: number; monoAt: number }): void {
    this.#wallAt = wallAt
    this.#monoAt = Math.max(monoAt, this.#monoAt)
  }

  tell(given: Unstamped): void {
    this.#inputs += 1
    this.take({
      id: `past-${this.#inputs.toString(36)}`,
      wallAt: this.#wallAt,
      monoAt: this.#monoAt,
      ...given,
    } as Input)
  }

  take(input: Input): void {
    const { world, note, outcome } = this.#options
    if (input.type === 'look') this.#lookMonoAt = input.monoAt + world.settings.lookEveryMs
    const result = step(world, input)
    note(input, result)
    for (const effect of result.effects) {
      const come = outcome?.(effect)
      if (come !== undefined) this.tell({ type: 'outcome', effect, outcome: come })
    }
  }

  #look(): void {
    this.tell({ type: 'look', sentinel: false, sightings: this.#options.seen?.() ?? [] })
  }
}
