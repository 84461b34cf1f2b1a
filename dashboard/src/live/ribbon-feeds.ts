/**
 * The ribbons that are on the screen: loaded once, carried on by the stream, loaded anew after a gap. A feed lives
 * while somebody looks at it.
 */
import type { AgentId } from '../../../src/contract/ids.ts'
import type { Ribbon, RibbonMark, RibbonsView } from '../../../src/contract/ribbon.ts'
import type { LiveChange, LiveState } from './live-state.ts'
import { markOf, moved, withAgent, withMarks, type LiveRibbons, type Window } from './live-ribbon.ts'

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
  #early: { agent: AgentId | undefined; mark: RibbonMark }[] = []
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
    for (const { agent, mark } of this.#early.splice(0)) if (mark.seq > loaded.seq) this.#mark(agent, mark)
    const { agents, agent } = this.#options.state
    for (const { id } of this.#wish.agent === undefined ? agents() : []) this.#carryOn(id)
    if (this.#wish.agent !== undefined && agent(this.#wish.agent) !== undefined) this.#carryOn(this.#wish.agent)
    this.#publish()
  }

  #take({ agents, gone, events, anew }: LiveChange): void {
    if (anew) return void this.#load()
    const marks = events.flatMap((event) => markOf(event) ?? [])
    if (this.#window === undefined) return void this.#early.push(...marks)
    if (this.#options.state.now() > this.#window.to) this.#move()
    for (const id of agents) this.#carryOn(id)
    for (const { agent, mark } of marks) this.#mark(agent, mark)
    for (const id of gone) if (this.#ribbons.delete(id)) this.#publishSoon()
  }

  #carryOn(id: AgentId): void {
    const agent = this.#options.state.agent(id)
    if (agent === undefined || this.#window === undefined || !this.#isWanted(id)) return
    const before = this.#ribbons.get(id)
    const after = withAgent(before, agent, this.#window)
    if (after === before) return
    this.#ribbons.set(id, after)
    this.#publishSoon()
  }

  #mark(agent: AgentId | undefined, mark: RibbonMark): void {
    for (const id of agent === undefined ? [...this.#ribbons.keys()] : [agent]) {
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
