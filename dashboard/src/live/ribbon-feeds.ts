/**
 * The ribbons that are on the screen: loaded once, carried on by the stream, loaded anew after a gap. A feed lives
 * while somebody looks at it.
 */
import type { AgentId } from '../../../src/contract/ids.ts'
import type { Ribbon, RibbonMark, RibbonsView } from '../../../src/contract/ribbon.ts'
import type { LiveChange, LiveState } from './live-state.ts'
import {
  isRecord,
  markOf,
  moved,
  withAgent,
  withMarks,
  type LiveRibbons,
  type Recorded,
  type Window,
} from './live-ribbon.ts'

const HOUR_MS = 3_600_000
/** A ribbon is no wider than this many points, so its edge need not move more often. */
const STEPS = 2_880
const SHORTEST_STEP_MS = 1_000
const RETRY_MS = 5_000

export interface Wish {
  hours: number
  /** Left out: all agents. */
  agent?: AgentId
}

export interface RibbonFeedOptions {
  state: LiveState
  wait: (ms: number, call: () => void) => () => void
  load: (wish: Wish) => Promise<RibbonsView>
  onFrame: (call: () => void) => void
}

export class RibbonFeeds {
  readonly #options: RibbonFeedOptions
  readonly #feeds = new Map<string, RibbonFeed>()

  constructor(options: RibbonFeedOptions) {
    this.#options = options
  }

  feed(wish: Wish): RibbonFeed {
    const key = `${wish.hours} ${wish.agent ?? ''}`
    const known = this.#feeds.get(key)
    if (known !== undefined) return known
    const feed = new RibbonFeed(wish, this.#options)
    this.#feeds.set(key, feed)
    return feed
  }
}

export class RibbonFeed {
  readonly #wish: Wish
  readonly #options: RibbonFeedOptions
  readonly #calls = new Set<() => void>()
  readonly #ribbons = new Map<AgentId, Ribbon>()
  /** Marks that came while the ribbons were being loaded. */
  #early: { agents: readonly AgentId[]; mark: RibbonMark }[] = []
  /** What was last recorded of each agent. */
  readonly #recorded = new Map<AgentId, Recorded>()
  #window: Window | undefined
  #view: LiveRibbons | undefined
  #loads = 0
  #frameAsked = false
  #unwatch: () => void = () => {}
  #cancelTick: () => void = () => {}

  constructor(wish: Wish, options: RibbonFeedOptions) {
    this.#wish = wish
    this.#options = options
  }

  current = (): LiveRibbons | undefined => this.#view

  subscribe = (call: () => void): (() => void) => {
    this.#calls.add(call)
    if (this.#calls.size === 1) this.#open()
    return () => {
      this.#calls.delete(call)
      if (this.#calls.size === 0) this.#close()
    }
  }

  #open(): void {
    this.#unwatch = this.#options.state.watch((change) => this.#take(change))
    void this.#load()
  }

  #close(): void {
    this.#unwatch()
    this.#cancelTick()
    this.#loads += 1
    this.#window = undefined
    this.#view = undefined
    this.#ribbons.clear()
    this.#early = []
    this.#recorded.clear()
  }

  /** The newest load wins; marks of meanwhile are added to what it brings. */
  async #load(): Promise<void> {
    const load = (this.#loads += 1)
    this.#cancelTick()
    this.#window = undefined
    this.#early = []
    const loaded = await this.#options.load(this.#wish).catch(() => undefined)
    if (load !== this.#loads) return
    if (loaded === undefined) this.#cancelTick = this.#options.wait(RETRY_MS, () => void this.#load())
    else this.#begin(loaded)
  }

  #begin(loaded: RibbonsView): void {
    this.#ribbons.clear()
    for (const ribbon of loaded.ribbons) this.#ribbons.set(ribbon.agent, ribbon)
    this.#move()
    for (const { agents, mark } of this.#early.splice(0)) if (mark.seq > loaded.seq) this.#mark(agents, mark)
    const { agents, agent } = this.#options.state
    const wanted = this.#wish.agent === undefined ? agents() : [agent(this.#wish.agent)]
    for (const each of wanted) if (each !== undefined) this.#carryOn(each.id, loaded.seq)
    this.#publish()
  }

  #take({ agents, gone, events, anew }: LiveChange): void {
    if (anew) return void this.#load()
    const marks = events.flatMap((event) => markOf(event) ?? [])
    for (const event of events) if (isRecord(event)) this.#recorded.set(event.agent, event)
    if (this.#window === undefined) return void this.#early.push(...marks)
    if (this.#options.state.now() > this.#window.to) this.#move()
    for (const id of agents) this.#carryOn(id, events[0] === undefined ? Infinity : events[0].seq - 1)
    for (const { agents: whose, mark } of marks) this.#mark(whose, mark)
    for (const id of gone) if (this.#ribbons.delete(id)) this.#publishSoon()
  }

  /** `drawnSeq`: up to which event its ribbon is drawn. */
  #carryOn(id: AgentId, drawnSeq: number): void {
    const agent = this.#options.state.agent(id)
    if (agent === undefined || this.#window === undefined || !this.#isWanted(id)) return
    const before = this.#ribbons.get(id)
    const newest = this.#recorded.get(id)
    const recorded = newest !== undefined && newest.seq > drawnSeq ? newest : undefined
    const after = withAgent(before, agent, { to: this.#window.to, recorded })
    if (after === before) return
    this.#ribbons.set(id, after)
    this.#publishSoon()
  }

  #mark(agents: readonly AgentId[], mark: RibbonMark): void {
    for (const id of agents) {
      const ribbon = this.#ribbons.get(id)
      if (ribbon === undefined) continue
      this.#ribbons.set(id, withMarks(ribbon, [mark]))
      this.#publishSoon()
    }
  }

  #isWanted(id: AgentId): boolean {
    return this.#wish.agent === undefined || this.#wish.agent === id
  }

  /** The window goes on in steps, and stands still while nobody knows what is true. */
  #move(): void {
    const { state, wait } = this.#options
    const lengthMs = this.#wish.hours * HOUR_MS
    const stepMs = Math.max(SHORTEST_STEP_MS, lengthMs / STEPS)
    const now = state.now()
    if (this.#window === undefined || state.connection().state === 'live') {
      const to = (Math.floor(now / stepMs) + 1) * stepMs
      this.#window = { from: to - lengthMs, to }
      for (const [id, ribbon] of this.#ribbons) this.#ribbons.set(id, moved(ribbon, this.#window))
      this.#publishSoon()
    }
    this.#cancelTick()
    this.#cancelTick = wait(Math.max(stepMs / 2, this.#window.to - now), () => this.#move())
  }

  #publishSoon(): void {
    if (this.#frameAsked) return
    this.#frameAsked = true
    this.#options.onFrame(() => {
      this.#frameAsked = false
      this.#publish()
    })
  }

  #publish(): void {
    if (this.#window === undefined) return
    this.#view = { ...this.#window, ribbons: [...this.#ribbons.values()] }
    for (const call of this.#calls) call()
  }
}
