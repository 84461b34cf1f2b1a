/**
 * The last inputs of each agent, in memory only, for when a person says that a verdict was wrong. They are kept in a few
 * segments, each with the agent as it was before its first input, so that the newest can be told again from there. What
 * an input costs does not grow with the number of agents; all together is bounded, and who was silent for longest is
 * forgotten first.
 */
import type { HouseRecord } from '../contract/house-record.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Input } from '../core/inputs.ts'
import type { Observer, World } from '../core/world.ts'

const SEGMENT_INPUTS = 100
const SEGMENT_BYTES = 128 * 1024
const SEGMENTS_KEPT = 3
const ALL_BYTES = 32 * 1024 * 1024

export interface Segment {
  agent: AgentRecord
  house: HouseRecord
  observer: Observer
  inputs: Input[]
  bytes: number
}

export class Lately {
  readonly #world: World
  readonly #mostBytes: number
  /** The agent that was silent for longest comes first. */
  readonly #kept = new Map<AgentId, Segment[]>()
  #bytes = 0

  constructor(world: World, mostBytes = ALL_BYTES) {
    this.#world = world
    this.#mostBytes = mostBytes
  }

  /** Called with each input before it is folded into the world. */
  note(input: Input): void {
    switch (input.type) {
      case 'report':
        return this.#add(input.sighting.agent, input)
      case 'look': {
        const seen = Map.groupBy(input.sightings, ({ agent }) => agent)
        for (const [agent, sightings] of seen) this.#add(agent, { ...input, sightings })
        return
      }
      case 'outcome':
        return 'agent' in input.effect ? this.#add(input.effect.agent, input) : undefined
      case 'command':
        return 'agent' in input.command ? this.#add(input.command.agent, input) : undefined
      default:
        return
    }
  }

  /** Oldest first; empty when nothing was told of it since the daemon started. */
  of(agent: AgentId): readonly Segment[] {
    return this.#kept.get(agent) ?? []
  }

  #add(id: AgentId, input: Input): void {
    const agent = this.#world.agents.get(id)
    if (agent === undefined) return this.#forget(id)
    const before = this.#kept.get(id) ?? []
    const last = before.at(-1)
    const isFull = last === undefined || last.inputs.length >= SEGMENT_INPUTS || last.bytes >= SEGMENT_BYTES
    const segments = isFull ? [...before, this.#begin(agent)] : before
    const bytes = sizeOf(input)
    const segment = segments.at(-1)
    segment?.inputs.push(input)
    if (segment !== undefined) segment.bytes += bytes
    this.#bytes += bytes
    for (const gone of segments.splice(0, segments.length - SEGMENTS_KEPT)) this.#bytes -= gone.bytes
    this.#kept.delete(id)
    this.#kept.set(id, segments)
    while (this.#bytes > this.#mostBytes && this.#kept.size > 1) this.#forget(this.#kept.keys().next().value ?? id)
  }

  #begin(agent: AgentRecord): Segment {
    const { house, observer } = this.#world
    return { agent, house, observer: { ...observer }, inputs: [], bytes: 0 }
  }

  #forget(id: AgentId): void {
    for (const { bytes } of this.#kept.get(id) ?? []) this.#bytes -= bytes
    this.#kept.delete(id)
  }
}

/** About as much as it takes; what is no text counts as a few bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  for (const part of Object.values(value)) bytes += 16 + sizeOf(part)
  return bytes
}
