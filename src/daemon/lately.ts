/**
 * The last inputs of each agent, in memory only, for when a person says that a verdict was wrong. They are kept in a few
 * segments, each with the agent as it was before its first input, so that the newest can be told again from there; one
 * that is full is packed, since a hundred agents have thirty thousand inputs. What an input costs does not grow with the
 * number of agents; all together is bounded, and who was silent for longest is forgotten first.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
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
  inputs: readonly Input[]
}

interface Open {
  start: Omit<Segment, 'inputs'>
  /** Each input as JSON: smaller than what it was, and it keeps nothing else alive. */
  inputs: string[]
  bytes: number
}

interface Kept {
  /** Oldest first. */
  packed: Buffer[]
  open: Open
}

export class Lately {
  readonly #world: World
  readonly #mostBytes: number
  /** The agent that was silent for longest comes first. */
  readonly #kept = new Map<AgentId, Kept>()
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
    const kept = this.#kept.get(agent)
    if (kept === undefined) return []
    return [...kept.packed.map((each) => inflateRawSync(each).toString()), textOf(kept.open)].map(
      (text) => JSON.parse(text) as Segment,
    )
  }

  #add(id: AgentId, input: Input): void {
    const agent = this.#world.agents.get(id)
    if (agent === undefined) return this.#forget(id)
    const kept = this.#kept.get(id) ?? { packed: [], open: this.#begin(agent) }
    if (kept.open.inputs.length >= SEGMENT_INPUTS || kept.open.bytes >= SEGMENT_BYTES) this.#pack(kept, agent)
    const text = JSON.stringify(input)
    kept.open.inputs.push(text)
    kept.open.bytes += text.length
    this.#bytes += text.length
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    while (this.#bytes > this.#mostBytes && this.#kept.size > 1) this.#forget(this.#kept.keys().next().value ?? id)
  }

  #begin(agent: AgentRecord): Open {
    const { house, observer } = this.#world
    // What others need is theirs.
    return { start: { agent, house: { ...house, needsYou: [] }, observer: { ...observer } }, inputs: [], bytes: 0 }
  }

  #pack(kept: Kept, agent: AgentRecord): void {
    const packed = deflateRawSync(textOf(kept.open), { level: 1 })
    this.#bytes += packed.length - kept.open.bytes
    kept.packed.push(packed)
    for (const gone of kept.packed.splice(0, kept.packed.length + 1 - SEGMENTS_KEPT)) this.#bytes -= gone.length
    kept.open = this.#begin(agent)
  }

  #forget(id: AgentId): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    this.#bytes -= kept.open.bytes + kept.packed.reduce((sum, { length }) => sum + length, 0)
    this.#kept.delete(id)
  }
}

function textOf({ start, inputs }: Open): string {
  return `{"inputs":[${inputs.join(',')}],${JSON.stringify(start).slice(1)}`
}
