/**
 * Runs one effect on the world and says what became of it. Every deed checks the generation it was decided
 * for. After a restart `probe` finds out what became of an effect without doing it again.
 */
import type { AgentEffect, Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Witnesses } from './observe.ts'

export class Actor {
  readonly #world: Witnesses
  readonly #agentOf: (id: AgentId) => AgentRecord | undefined

  constructor(world: Witnesses, agentOf: (id: AgentId) => AgentRecord | undefined) {
    this.#world = world
    this.#agentOf = agentOf
  }

  async act(effect: Effect): Promise<Outcome> {
    try {
      return await this.#do(effect)
    } catch (error) {
      return failed(effect, error)
    }
  }

  async probe(effect: Effect): Promise<Outcome> {
    try {
      return await this.#findOut(effect)
    } catch (error) {
      return { result: 'unknown', detail: `the restart left it open (${messageOf(error)})` }
    }
  }

  async #do(effect: Effect): Promise<Outcome> {
    const { processes } = this.#world
    switch (effect.type) {
      case 'fleet.stop':
        return stopped(await processes.stopFleet())
      case 'fleet.rearm':
        await processes.rearm()
        return { result: 'done' }
      default:
        return this.#onAgent(effect)
    }
  }

  async #onAgent(effect: AgentEffect): Promise<Outcome> {
    const agent = this.#agentOf(effect.agent)
    if (agent === undefined) return { result: 'fenced', detail: 'the agent is not known' }
    if (agent.generation !== effect.generation) return { result: 'fenced' }
    switch (effect.type) {
      case 'session.spawn':
        return this.#spawn(agent, effect)
      case 'session.type':
        if (await this.#world.processes.sentinel()) return latched
        return this.#world.terminal.type(agent.id, effect.generation, typeable(effect.text))
      case 'work.salvage': {
        const ref = await this.#world.git.salvage(agent)
        return { result: 'done', ...(ref === undefined ? {} : { salvageRef: ref }) }
      }
      case 'session.end': {
        if (agent.run === undefined) return { result: 'done', survivors: [] }
        const { survivors } = await this.#world.processes.end(agent.run)
        return { result: 'done', survivors: [...survivors] }
      }
    }
  }

  /**
   * The sentinel is asked before and after: an emergency stop between the two must find nothing new alive.
   * Whatever still lives of this agent, of any generation, is a reason not to start another.
   */
  async #spawn(agent: AgentRecord, effect: Extract<Effect, { type: 'session.spawn' }>): Promise<Outcome> {
    const { processes, terminal } = this.#world
    if (await processes.sentinel()) return latched
    const living = (await terminal.list()).find((pane) => pane.agent === agent.id && !pane.dead)
    if (living !== undefined) return { result: 'not_done', detail: `generation ${living.generation} still lives` }
    const outcome = await terminal.start(agent, effect)
    if (!(await processes.sentinel())) return outcome
    await processes.end(effect.run)
    return { result: 'not_done', detail: 'an emergency stop came while it started' }
  }

  async #findOut(effect: Effect): Promise<Outcome> {
    const unknown: Outcome = { result: 'unknown', detail: 'the restart left it open' }
    if (effect.type === 'fleet.stop') return unknown
    if (effect.type === 'fleet.rearm') return { result: (await this.#world.processes.sentinel()) ? 'not_done' : 'done' }
    if (effect.type === 'session.type' || effect.type === 'work.salvage') return unknown
    const run = effect.type === 'session.spawn' ? effect.run : this.#agentOf(effect.agent)?.run
    const lives = run !== undefined && (await this.#world.processes.lookAt(run)).alive
    if (effect.type === 'session.end') return lives ? { result: 'not_done' } : { result: 'done', survivors: [] }
    return lives ? { result: 'done' } : { result: 'not_done', detail: 'it never came up' }
  }
}

const latched: Outcome = { result: 'not_done', detail: 'an emergency stop is in force' }

/** Newline and tab are text; every other control byte could press a key. */
export function typeable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control bytes are what is taken out
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

function stopped({
  stopped: agents,
  survivors,
}: {
  stopped: readonly AgentId[]
  survivors: readonly string[]
}): Outcome {
  return { result: 'done', stopped: [...agents], survivors: [...survivors] }
}

/** Saving that failed did not happen; of the rest nobody can be sure. */
function failed(effect: Effect, error: unknown): Outcome {
  return { result: effect.type === 'work.salvage' ? 'not_done' : 'unknown', detail: messageOf(error).slice(0, 400) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
