/**
 * When the world is looked at: at once, at every interval, and sooner when somebody hints that something happened.
 * One look at a time, however long it takes. A hint about one agent leads to a glance at that one alone.
 */
import type { Sighting } from '../contract/evidence.ts'
import type { Clock } from '../core/ports.ts'
import type { World } from '../core/world.ts'
import { Observer, type Look, type Witnesses } from './observe.ts'
import { readableLook, readableNote, readableSighting } from './readable.ts'

/** Hints that come while a look is under way lead to one more look, this long after it began. */
const HINT_MS = 50

export interface LookingOptions extends Witnesses {
  clock: Clock
  world: World
  /** Called before each look: reports that lie there are older than what it finds. */
  before: () => void
  found: (look: Look) => void
  glanced: (sighting: Sighting) => void
}

export class Looking {
  readonly #options: LookingOptions
  readonly #observer: Observer
  #ends: readonly (() => void)[] = []
  #cancel: () => void = () => {}
  #looking = false
  #again = false
  #stopped = false

  constructor(options: LookingOptions) {
    this.#options = options
    this.#observer = new Observer(options)
  }

  begin(): void {
    const { terminal, runtimes } = this.#options
    const hints = [...(runtimes?.values() ?? [])].flatMap(
      ({ insight }) => insight?.watch((run) => this.#glance(run)) ?? [],
    )
    this.#ends = [terminal.watch(() => this.#soon()), ...hints]
    this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
    for (const end of this.#ends) end()
  }

  #look(): void {
    const { clock, world } = this.#options
    const beganAt = clock.now().monoAt
    this.#cancel()
    this.#looking = true
    this.#again = false
    void this.#lookOnce().then(() => {
      this.#looking = false
      if (this.#stopped) return
      const waitMs = this.#again ? HINT_MS : world.settings.lookEveryMs
      this.#cancel = clock.wakeAt(Math.max(beganAt + waitMs, clock.now().monoAt), () => this.#look())
    })
  }

  /** Something happened at the terminals: what it was is found by the next look, which comes sooner. */
  #soon(): void {
    if (this.#looking) this.#again = true
    else if (!this.#stopped) this.#look()
  }

  async #lookOnce(): Promise<void> {
    const { world, before, found } = this.#options
    if (world.house.monitoring === 'paused') return this.#watchSentinel()
    before()
    const look = await this.#observer.look(world.agents.values(), world.settings.witnessesOff)
    // That somebody is dead takes a second look, and a person may be waiting for it.
    if (look.sightings.some(({ alive }) => alive === false)) this.#soon()
    found(readableLook(look))
  }

  /** Paused or not, an emergency stop by the separate program must be noticed. */
  async #watchSentinel(): Promise<void> {
    const { sentinel, ...note } = await this.#observer.latched()
    if (sentinel) this.#options.found({ sightings: [], sentinel, ...readableNote(note) })
  }

  /** Something changed with one agent, and its runtime can say what without asking anybody else. */
  #glance(run: string): void {
    const { world, glanced } = this.#options
    const agent = world.agents.get(world.runs.get(run) ?? '')
    if (this.#stopped || world.house.monitoring === 'paused' || agent?.run !== run) return
    for (const sighting of this.#observer.glance(agent, world.settings.witnessesOff)) {
      const readable = readableSighting(sighting)
      if (readable !== undefined) glanced(readable)
    }
  }
}

/** Who cannot hear the agents takes their silence for what it is not: what was seen counts, and nobody is judged. */
export function heard(look: Look, deaf: string | undefined): Look {
  return deaf === undefined || look.blind !== undefined
    ? look
    : { ...look, blind: `their reports do not arrive (${deaf.replace(/\.$/, '')})` }
}
