/**
 * Inputs → step → commit → act → outcome, which is an input again.
 * One batch is committed at a time; what arrives meanwhile makes the next one (group commit). An effect runs
 * only after the batch that decided it is durable. When the journal fails the loop stops for good: a new
 * process recovers from what is durable.
 */
import type { CommandEnvelope, Reply } from '../contract/commands.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Event } from '../contract/events.ts'
import type { Settings } from '../contract/settings.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { Input, Trouble } from '../core/inputs.ts'
import type { Clock, Journal } from '../core/ports.ts'
import { step } from '../core/step.ts'
import type { Prices } from '../core/costs/price.ts'
import { createWorld, type World } from '../core/world.ts'
import { Actor, type ActorPorts } from './act.ts'
import { ALWAYS_WANTED } from './always-wanted.ts'
import { atMost } from './at-most.ts'
import { busy, gather, inDoubt, isEmpty } from './batch.ts'
import { Durable } from './durable.ts'
import { Lately } from './lately.ts'
import { heard, Looking } from './looking.ts'
import { readableOutcome, readableSighting } from './readable.ts'
import { Recent } from './recent.ts'
import { Recorder } from './recorder.ts'
import type { Reports } from './reports.ts'

export const QUEUE_LIMIT = 10_000
const BATCH_LIMIT = 1_000
/** How many agents are started at once, and how many are saved. */
const HEAVY_AT_ONCE = 4

export interface LoopOptions extends ActorPorts {
  clock: Clock
  journal: Journal
  /** Made with the world at hand, since a report names only its run. */
  reports: (world: World) => Reports
  settings: Settings
  /** From 0 up to 1; left out, nothing is left to chance. */
  chance?: () => number
  prices?: Prices
  /** Unique to this process; ids of inputs and effects begin with it. */
  bootId: string
  /** Called with the events of each durable batch, in order. */
  show?: (events: readonly Event[], world: World) => void
}

type Unstamped<I> = I extends Input ? Omit<I, 'id' | 'wallAt' | 'monoAt' | 'chance'> : never

interface Entry {
  input: Unstamped<Input>
  /** Ids that must not count twice. */
  seen?: string
  report?: string
  answer?: (reply: Reply) => void
}

export class Loop {
  readonly world: World
  readonly durable: Durable
  readonly recorder: Recorder
  readonly lately: Lately
  /** Settles when the loop ended: resolved after stop(), rejected when the journal failed. */
  readonly ended: Promise<void>
  readonly #options: LoopOptions
  readonly #reports: Reports
  readonly #looking: Looking
  readonly #actor: Actor
  readonly #seen: Recent
  readonly #queue: Entry[] = []
  /** Commands and reports that are taken in and not yet durable. */
  readonly #pending = new Map<string, Promise<Reply>>()
  readonly #offered = new Set<string>()
  readonly #spawning = atMost(HEAVY_AT_ONCE)
  readonly #saving = atMost(HEAVY_AT_ONCE)
  #pumping = false
  #pumped: Promise<void> = Promise.resolve()
  #stopped = false
  #inputs = 0
  #cancelTick: () => void = () => {}
  #unlisten: () => void = () => {}
  #end!: { resolve: () => void; reject: (error: unknown) => void }

  private constructor(options: LoopOptions, world: World, seen: readonly string[]) {
    this.#options = options
    this.world = world
    this.durable = new Durable(world.house.seq)
    this.recorder = new Recorder(world)
    this.lately = new Lately(world)
    this.#reports = options.reports(world)
    this.#looking = new Looking({
      ...options,
      world,
      before: () => this.#reports.offer(),
      found: (look) => this.#enqueue({ input: { type: 'look', ...heard(look, this.#reports.deaf()) } }),
      glanced: (sighting) => this.#enqueue({ input: { type: 'report', sighting } }),
    })
    this.#actor = new Actor(options, world.agents)
    this.#seen = new Recent(seen)
    this.ended = new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
    })
    // A caller may never look at `ended`; its rejection must not end the process behind everyone's back.
    this.ended.catch(() => {})
  }

  static async start(options: LoopOptions): Promise<Loop> {
    const recovered = await options.journal.recover()
    const world = createWorld(options.settings, recovered, {
      capabilities: new Map([...options.runtimes.values()].map(({ name, capabilities }) => [name, capabilities])),
      letters: options.letters?.folder,
      prices: options.prices,
    })
    const loop = new Loop(options, world, recovered.seen)
    const stop = await loop.#actor.unrecordedStop()
    const boot = { type: 'boot', openEffects: recovered.openEffects.length } as const
    loop.#enqueue({ input: stop === undefined ? boot : { ...boot, stop } })
    for (const effect of recovered.openEffects) {
      void loop.#settle(
        effect,
        loop.#paced(effect, () => loop.#actor.probe(effect)),
      )
    }
    loop.#unlisten = loop.#reports.listen((report) => loop.#takeReport(report))
    loop.#looking.begin()
    return loop
  }

  /** Carries out a command; the reply comes when it is durable. The same id twice counts once. */
  submit({ id, by, command }: CommandEnvelope): Promise<Reply> {
    if (this.#seen.has(id)) return Promise.resolve({ ok: true, seq: this.world.house.seq })
    const underWay = this.#pending.get(id)
    if (underWay !== undefined) return underWay
    if (this.#stopped || this.#queue.length >= QUEUE_LIMIT) return Promise.resolve(busy(this.#stopped))
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#pending.set(id, promise)
    this.#enqueue({ input: { type: 'command', by, command }, seen: id, answer: resolve })
    return promise
  }

  /** What an agent says by another way than the spool; the reply comes when it is durable. */
  report(sighting: Sighting): Promise<Reply> {
    if (this.#stopped || this.#queue.length >= QUEUE_LIMIT) return Promise.resolve(busy(this.#stopped))
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#enqueue({ input: { type: 'report', sighting }, answer: resolve })
    return promise
  }

  setSettings(settings: Settings, keys: readonly string[]): void {
    this.#enqueue({ input: { type: 'settings', settings, keys } })
  }

  /** What is wrong with the house itself; without `what`, nothing any more. */
  setTrouble(of: Trouble, what: string | undefined): void {
    this.#enqueue({ input: { type: 'trouble', of, ...(what === undefined ? {} : { what }) } })
  }

  /** Resolves when all that came in so far is durable. */
  async settled(): Promise<void> {
    while (this.#pumping && !this.#stopped) await this.#pumped
  }

  /** Stops taking inputs. Agents are left alone; what was not durable is offered again to the next loop. */
  stop(): void {
    if (this.#stopped) return
    this.#halt()
    this.#end.resolve()
  }

  #halt(): void {
    this.#stopped = true
    this.recorder.stop('the daemon went down')
    this.#cancelTick()
    this.#looking.stop()
    this.#unlisten()
    for (const { answer } of this.#queue.splice(0)) answer?.(busy(true))
  }

  /** A report that says nothing of interest is taken at once, so that it goes away. */
  #takeReport({ id, sighting }: { id: string; sighting: Sighting | undefined }): boolean {
    if (this.#stopped || this.#queue.length >= QUEUE_LIMIT) return false
    const readable = sighting === undefined || this.#seen.has(id) ? undefined : readableSighting(sighting)
    if (readable === undefined) this.#reports.taken([id])
    else if (!this.#offered.has(id)) {
      this.#offered.add(id)
      this.#enqueue({ input: { type: 'report', sighting: readable }, seen: id, report: id })
    }
    return true
  }

  #enqueue(entry: Entry): void {
    if (this.#stopped) return
    this.#queue.push(entry)
    if (!this.#pumping) this.#pumped = this.#pump()
  }

  async #pump(): Promise<void> {
    this.#pumping = true
    try {
      while (this.#queue.length > 0 && !this.#stopped) await this.#turn(this.#queue.splice(0, BATCH_LIMIT))
      if (!this.#stopped) this.#armTick()
    } catch (error) {
      this.#halt()
      this.#end.reject(error)
    } finally {
      this.#pumping = false
    }
  }

  async #turn(entries: readonly Entry[]): Promise<void> {
    const gathered = gather()
    const replies: (() => void)[] = []
    for (const { input, seen, answer } of entries) {
      const stamped = this.#stamp(input)
      this.lately.note(stamped)
      const result = step(this.world, stamped)
      this.recorder.note(stamped, result)
      gathered.add(result)
      if (seen !== undefined) gathered.seen.push(seen)
      const { reply = { ok: true, seq: this.world.house.seq } } = result
      if (answer !== undefined) replies.push(() => answer(reply))
    }
    const batch = gathered.batch(this.world)
    // An emergency stop waits for nothing, least of all for a journal that may be what failed.
    for (const effect of batch.effects) if (effect.type === 'fleet.stop') this.#run(effect)
    if (entries.some(({ input }) => input.type === 'look') || !isEmpty(batch)) {
      await this.#options.journal.commit(batch).catch((error: unknown) => {
        for (const { answer } of entries) answer?.(inDoubt)
        throw error
      })
    }
    for (const id of gathered.seen) this.#settleId(id)
    if (this.#stopped) return
    this.#reports.taken(entries.flatMap(({ report }) => report ?? []))
    for (const reply of replies) reply()
    if (batch.events.length > 0) this.#options.show?.(batch.events, this.world)
    this.durable.tell(batch.events, gathered.dirty())
    for (const effect of batch.effects) if (effect.type !== 'fleet.stop') this.#run(effect)
  }

  /** What was cancelled before it began must not happen any more. */
  #run(effect: Effect): void {
    const act = (): Promise<Outcome> => {
      const { agents, house } = this.world
      const wanted = 'agent' in effect ? agents.get(effect.agent)?.act?.effect : house.emergency.effect
      const isWanted = wanted === effect.id || ALWAYS_WANTED.includes(effect.type)
      if (isWanted && !this.#stopped) return this.#actor.act(effect)
      return Promise.resolve({ result: 'not_done', detail: 'cancelled before it began' })
    }
    void this.#settle(effect, this.#paced(effect, act))
  }

  /** A hundred at once would only make each other time out. */
  #paced(effect: Effect, act: () => Promise<Outcome>): Promise<Outcome> {
    if (effect.type === 'session.spawn' || effect.type === 'session.resume') return this.#spawning(act)
    return effect.type.startsWith('work.') ? this.#saving(act) : act()
  }

  /** Only what is durable has been seen; until then it is under way. */
  #settleId(id: string): void {
    this.#seen.add(id)
    this.#pending.delete(id)
    this.#offered.delete(id)
  }

  #stamp(input: Unstamped<Input>): Input {
    this.#inputs += 1
    return {
      id: `${this.#options.bootId}-${this.#inputs.toString(36)}`,
      ...this.#options.clock.now(),
      ...(this.#options.chance === undefined ? {} : { chance: this.#options.chance() }),
      ...input,
    } as Input
  }

  async #settle(effect: Effect, answer: ReturnType<Actor['act']>): Promise<void> {
    this.#enqueue({ input: { type: 'outcome', effect, outcome: readableOutcome(await answer) } })
  }

  /** The next deadline, or a look's time from now so that lateness is noticed even when nothing is due. */
  #armTick(): void {
    this.#cancelTick()
    const { clock } = this.#options
    const { monoAt } = clock.now()
    const { deadlines, house, settings, observer } = this.world
    const dueAt = deadlines.next()
    const dueMonoAt = dueAt === undefined ? Infinity : observer.monoAt + (dueAt - house.observedAt)
    const wakeAt = Math.max(monoAt, Math.min(dueMonoAt, monoAt + settings.lookEveryMs))
    this.#cancelTick = clock.wakeAt(wakeAt, () => {
      this.#enqueue({ input: { type: 'tick', lateMs: Math.max(0, clock.now().monoAt - wakeAt) } })
    })
  }
}
