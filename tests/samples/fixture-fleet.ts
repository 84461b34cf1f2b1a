/** A made-up fleet for tests and benchmarks: the same number gives the same fleet, and the same night. */
import type { AgentId } from '../../src/contract/ids.ts'
import type { Ribbon, RibbonSegment, RibbonsView } from '../../src/contract/ribbon.ts'
import type { StreamChange, StreamSnapshot } from '../../src/contract/stream.ts'
import type { Cause, Health } from '../../src/contract/verdict.ts'
import type { AgentView, ShownEvent } from '../../src/contract/views.ts'
import type { StatusView } from '../../src/contract/status-view.ts'
import { shownActive, SHOWN_ACTIVE, type ShownActive } from '../../src/contract/shown.ts'
import { classOf } from '../../dashboard/src/live/live-ribbon.ts'

const HOUR_MS = 3_600_000
const HEALTHS: readonly Health[] = ['active', 'active', 'active', 'active', 'stale', 'warning', 'stuck', 'unknown']

const LAST_ACTIVE = '2026-01-01T00:00:00.000Z'

const CAUSES: Record<Health, { cause: Cause; reason: string }> = {
  active: { cause: { kind: 'thinking' }, reason: 'it works: something was printed 4 s ago' },
  stale: {
    cause: { kind: 'working_tool', name: 'Bash', ageMs: 360_000, boundMs: 600_000 },
    reason: 'a tool runs, 6 min of 10',
  },
  warning: { cause: { kind: 'waiting_permission', what: 'Bash(npm publish)' }, reason: 'it waits for a permission' },
  stuck: { cause: { kind: 'hung', what: 'no output, no open tool' }, reason: 'silent for 31 min with nothing open' },
  unknown: { cause: { kind: 'unknown', why: 'the terminal cannot be seen' }, reason: 'the terminal cannot be seen' },
}

function shownFixture(health: Health): ShownActive {
  return shownActive(health, CAUSES[health].cause.kind)
}

export interface FixtureFleetOptions {
  agents: number
  seed?: number
  boot?: string
}

export class FixtureFleet {
  readonly #agents = new Map<AgentId, AgentView>()
  readonly #ids: readonly AgentId[]
  readonly #boot: string
  #random: number
  seq = 0

  constructor({ agents, seed = 1, boot = 'fixture' }: FixtureFleetOptions) {
    this.#random = seed
    this.#boot = boot
    this.#ids = Array.from({ length: agents }, (_, index) => fixtureId(index))
    for (const [index, id] of this.#ids.entries()) this.#agents.set(id, fixtureAgent(index, this.#pick(HEALTHS)))
  }

  get ids(): readonly AgentId[] {
    return this.#ids
  }

  snapshot(at: number): StreamSnapshot {
    return { seq: this.seq, at, boot: this.#boot, status: this.status(at), agents: [...this.#agents.values()] }
  }

  /** So many verdicts change, each of an agent at random. */
  change(at: number, events: number): StreamChange {
    const changed = new Map<AgentId, AgentView>()
    const happened: ShownEvent[] = []
    for (let n = 0; n < events; n += 1) {
      const before = this.#agents.get(this.#pick(this.#ids))
      if (before === undefined) break
      const health = this.#pick(HEALTHS)
      const after = { ...before, health, ...CAUSES[health], shown: shownFixture(health) }
      this.#agents.set(before.id, after)
      changed.set(before.id, after)
      happened.push(this.#healthChanged(before, after, at))
    }
    return {
      seq: this.seq,
      at,
      status: this.status(at),
      agents: [...changed.values()],
      gone: [],
      events: happened,
    }
  }

  status(at: number): StatusView {
    const summary = Object.fromEntries(SHOWN_ACTIVE.map((shown) => [shown, 0])) as Record<ShownActive, number>
    for (const { health = 'unknown' } of this.#agents.values()) summary[shownFixture(health)] += 1
    const running = { running: true, lastCheckWallAt: at, emergency: 'armed' as const }
    const config = { autoStart: true, thresholds: { stale: 5, warning: 15, stuck: 30 } }
    const watching = this.#agents.size
    const house = { condition: 'watching' as const, sentence: `Watching ${watching} agents` }
    return { ...running, house, config, summary, watching, needsYou: [], needsYouCount: 0, finished: [] }
  }

  ribbons(at: number, hours: number): RibbonsView {
    const from = at - hours * HOUR_MS
    return { from, to: at, seq: this.seq, ribbons: this.#ids.map((id) => this.#ribbon(id, from, at)) }
  }

  #ribbon(agent: AgentId, from: number, to: number): Ribbon {
    const segments: RibbonSegment[] = []
    for (let at = from; at < to;) {
      const end = Math.min(to, at + 60_000 * (1 + this.#below(40)))
      const health = end === to ? (this.#agents.get(agent)?.health ?? 'unknown') : this.#pick(HEALTHS)
      const { cause, reason } = CAUSES[health]
      const shade = shownFixture(health)
      const words = shade === 'active' ? 'at work' : reason
      segments.push({ from: at, to: end, shade, cause: classOf(cause.kind), reason: words, generation: 1 })
      at = end
    }
    const at = from + this.#below(Math.max(1, to - from))
    return {
      agent,
      segments,
      marks: [{ seq: 1, at, kind: 'poke', sentence: `Poke 1 of ${agent} decided by cloister.` }],
    }
  }

  #healthChanged(before: AgentView, after: AgentView, at: number): ShownEvent {
    this.seq += 1
    const from = before.health ?? 'unknown'
    const to = after.health ?? 'unknown'
    const { cause, reason } = CAUSES[to]
    return {
      type: 'agent.health-changed',
      seq: this.seq,
      at,
      observedAt: at,
      agent: after.id,
      generation: after.generation,
      from,
      to,
      cause,
      reason,
      citations: [{ witness: 'terminal', value: 'printed', ageMs: 4_000 }],
      look: this.seq,
      sentence: `${after.id} went from ${from} to ${to}: ${reason}.`,
    }
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item
  }

  /** Park and Miller's generator: small, and the same everywhere. */
  #below(limit: number): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random % limit
  }
}

export function fixtureId(index: number): AgentId {
  return index % 25 === 24 ? `specialist-${index}` : `agent-pan-${index}`
}

export function fixtureAgent(index: number, health: Health = 'active'): AgentView {
  const id = fixtureId(index)
  const isSpecialist = id.startsWith('specialist')
  return {
    id,
    kind: isSpecialist ? 'specialist' : 'issue',
    ...(isSpecialist ? {} : { issue: `pan-${index}` }),
    title: `Piece of work number ${index}`,
    workspace: `/work/pan-${index}`,
    runtime: 'claude-code',
    model: 'sonnet',
    simulated: true,
    lifecycle: 'active',
    health,
    ...CAUSES[health],
    shown: shownFixture(health),
    citations: [{ witness: 'terminal', value: 'printed', ageMs: 4_000 }],
    generation: 1,
    sessionId: `session-${index}`,
    silentMs: 4_000,
    unprogressedMs: 60_000,
    pokes: 0,
    can: ['resume', 'interrupt', 'clear', 'softStop', 'ask'],
    branch: `feature/pan-${index}`,
    lastAction: { at: LAST_ACTIVE, what: 'Edit src/main.ts' },
    lastActive: LAST_ACTIVE,
  }
}
