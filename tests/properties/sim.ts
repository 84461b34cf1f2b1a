/** The core alone, driven move by move: outcomes come late, wrong or never; clocks jump; the process restarts. */
import type { Command } from '../../src/contract/commands.ts'
import type { Effect, Outcome } from '../../src/contract/effects.ts'
import type { Event } from '../../src/contract/events.ts'
import type { Doing, Sighting, Witness } from '../../src/contract/evidence.ts'
import { MINUTE } from '../../src/core/durations.ts'
import type { Input } from '../../src/core/inputs.ts'
import { step, type Result } from '../../src/core/step.ts'
import { createWorld, type World } from '../../src/core/world.ts'
import { SETTINGS } from '../samples/agents.ts'

export type Move =
  | { do: 'wait'; minutes: number; looking: boolean }
  | {
      do: 'see'
      agent: number
      witness: Witness
      doing: Doing
      progress: boolean
      alive: boolean
      busy: boolean
      stale: boolean
    }
  | {
      do: 'command'
      agent: number
      what: 'spawn' | 'kill' | 'forget' | 'poke' | 'message' | 'stop' | 'start' | 'emergency' | 'resume' | 'settle'
    }
  | { do: 'answer'; which: number; result: Outcome['result']; survives: boolean }
  | { do: 'jump'; minutes: number }
  | { do: 'blind' }
  | { do: 'sentinel' }
  | { do: 'restart'; afterStop?: true }

/** What was true when an input came, and what it led to. */
export interface Moment {
  input: Input
  result: Result
  before: { emergency: string; monitoring: string; mass: boolean; generation: Map<string, number> }
  /** What any witness last said of the agents that were typed to. */
  typedInto: readonly string[]
}

type Unstamped = Input extends infer I ? (I extends Input ? Omit<I, 'id' | 'wallAt' | 'monoAt'> : never) : never

export class Sim {
  world: World = createWorld(SETTINGS)
  readonly events: Event[] = []
  readonly moments: Moment[] = []
  readonly open: Effect[] = []
  #wallAt = Date.UTC(2026, 0, 20, 22)
  #monoAt = 0
  #inputs = 0
  #sights = 0
  readonly #said = new Map<string, Map<string, string>>()

  constructor() {
    this.input({ type: 'boot', openEffects: 0 })
    this.look()
    this.wait(1, true)
  }

  make(move: Move): void {
    switch (move.do) {
      case 'wait':
        return this.wait(move.minutes, move.looking)
      case 'see':
        return this.#see(move)
      case 'command':
        return void this.input({ type: 'command', by: 'you', command: this.#command(move) })
      case 'answer':
        return this.#answer(move)
      case 'jump':
        this.#wallAt += move.minutes * MINUTE
        return void this.input({ type: 'tick', lateMs: 0 })
      case 'blind':
        return void this.input({ type: 'look', sightings: [], blind: 'no server answers', sentinel: false })
      case 'sentinel':
        return void this.input({ type: 'look', sightings: [], sentinel: true })
      case 'restart':
        return this.restart(move.afterStop)
    }
  }

  input(input: Unstamped): Result {
    this.#inputs += 1
    const stamped = { id: `i-${this.#inputs}`, wallAt: this.#wallAt, monoAt: this.#monoAt, ...input } as Input
    const before = this.#before()
    const result = step(this.world, stamped)
    this.moments.push({ input: stamped, result, before, typedInto: this.#note(stamped, result) })
    this.events.push(...result.events)
    this.open.push(...result.effects)
    return result
  }

  /** Time passes as it does in the loop: ticks at each deadline, a look every half minute. */
  wait(minutes: number, looking: boolean): void {
    const untilAt = this.#monoAt + minutes * MINUTE
    let lookAt = this.#monoAt + SETTINGS.lookEveryMs
    while (this.#monoAt < untilAt) {
      const due = this.world.deadlines.next() ?? Infinity
      const dueAt = this.#monoAt + Math.max(1, due - this.world.house.observedAt)
      const nextAt = Math.min(untilAt, lookAt, dueAt)
      this.#wallAt += nextAt - this.#monoAt
      this.#monoAt = nextAt
      if (nextAt === lookAt) {
        lookAt += SETTINGS.lookEveryMs
        if (looking) this.look()
      }
      this.input({ type: 'tick', lateMs: 0 })
    }
  }

  look(sightings: readonly Sighting[] = []): void {
    this.input({ type: 'look', sightings, sentinel: false })
  }

  /** `afterStop`: an emergency stop came meanwhile, and a person resumed from it. */
  restart(afterStop = false): void {
    const stored = JSON.parse(JSON.stringify({ house: this.world.house, agents: [...this.world.agents.values()] }))
    this.world = createWorld(SETTINGS, stored)
    const stop = afterStop ? { stop: { gone: [...this.world.agents.keys()] } } : {}
    this.input({ type: 'boot', openEffects: this.open.length, ...stop })
  }

  #see(move: Extract<Move, { do: 'see' }>): void {
    const id = agentId(move.agent)
    this.#sights += 1
    const agent = this.world.agents.get(id)
    const sighting: Sighting = {
      agent: id,
      generation: (agent?.generation ?? 1) + (move.stale ? -1 : 0) || 0,
      witness: move.witness,
      stamp: `s${this.#sights}`,
      ageMs: 0,
      ...(move.witness === 'process' ? { alive: move.alive, busy: move.busy } : { doing: move.doing }),
      ...(move.witness === 'terminal' ? { alive: move.alive } : {}),
      ...(move.progress ? { progress: `p${this.#sights}` } : {}),
    }
    if (sighting.generation >= 0) this.input({ type: 'report', sighting })
  }

  #command({ agent, what }: Extract<Move, { do: 'command' }>): Command {
    const id = agentId(agent)
    switch (what) {
      case 'spawn':
        return {
          type: 'agent.spawn',
          agent: id,
          kind: 'issue',
          workspace: `/workspaces/${id}`,
          runtime: 'virtual',
          model: 'sonnet',
          simulated: true,
        }
      case 'kill':
        return { type: 'agent.kill', agent: id }
      case 'forget':
        return { type: 'agent.forget', agent: id }
      case 'poke':
        return { type: 'agent.poke', agent: id }
      case 'message':
        return { type: 'agent.message', agent: id, text: 'Please commit.' }
      case 'stop':
        return { type: 'cloister.stop' }
      case 'start':
        return { type: 'cloister.start' }
      case 'emergency':
        return { type: 'cloister.emergency-stop' }
      case 'resume':
        return { type: 'cloister.resume' }
      case 'settle':
        return { type: 'needs-you.settle', item: this.world.house.needsYou[0]?.id ?? 'n-0' }
    }
  }

  #answer({ which, result, survives }: Extract<Move, { do: 'answer' }>): void {
    if (this.open.length === 0) return
    const [effect] = this.open.splice(which % this.open.length, 1) as [Effect]
    const done = result === 'done'
    this.input({
      type: 'outcome',
      effect,
      outcome: {
        result,
        ...(done && effect.type === 'work.salvage' ? { salvageRef: 'refs/cloister/x/1-1' } : {}),
        ...(done && survives && effect.type === 'session.end' ? { survivors: ['4711'] } : {}),
        ...(done && effect.type === 'fleet.stop' ? { stopped: [...this.world.agents.keys()], survivors: [] } : {}),
      },
    })
  }

  /** Kept apart from the core: the last word of each witness on each agent's present generation. */
  #note(input: Input, { events, effects }: Result): string[] {
    for (const event of events) {
      if (event.type === 'act.decided' && event.act.kind === 'spawn') this.#said.delete(event.agent)
    }
    const typed = effects.flatMap((effect) => (effect.type === 'session.type' ? effect.agent : []))
    if (input.type === 'report' && input.sighting.doing !== undefined) {
      const { agent, generation, witness, doing } = input.sighting
      const isPresent = this.world.agents.get(agent)?.generation === generation
      if (isPresent) this.#said.set(agent, new Map(this.#said.get(agent)).set(witness, doing.kind))
    }
    return typed.flatMap((agent) => [...(this.#said.get(agent)?.values() ?? [])])
  }

  #before(): Moment['before'] {
    const { house, agents } = this.world
    return {
      emergency: house.emergency.state,
      monitoring: house.monitoring,
      mass: house.mass !== undefined,
      generation: new Map([...agents.values()].map((agent) => [agent.id, agent.generation])),
    }
  }
}

export function agentId(n: number): string {
  return `agent-${n}`
}
