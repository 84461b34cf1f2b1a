/**
 * Runs one effect on the world and says what became of it. Every deed checks the generation it was decided
 * for. After a restart `probe` finds out what became of an effect without doing it again.
 */
import type { AgentEffect, Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Handle, Mailbox, Runtime } from '../core/ports.ts'
import type { Witnesses } from './observe.ts'

export interface ActorPorts extends Witnesses {
  mailbox: Mailbox
  runtimes: ReadonlyMap<string, Runtime>
}

export class Actor {
  readonly #ports: ActorPorts
  readonly #agents: ReadonlyMap<AgentId, AgentRecord>

  constructor(ports: ActorPorts, agents: ReadonlyMap<AgentId, AgentRecord>) {
    this.#ports = ports
    this.#agents = agents
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
    switch (effect.type) {
      case 'fleet.stop':
        return this.#stopFleet()
      case 'fleet.rearm':
        await this.#ports.processes.rearm()
        return { result: 'done' }
      default:
        return this.#onAgent(effect)
    }
  }

  async #onAgent(effect: AgentEffect): Promise<Outcome> {
    const agent = this.#agents.get(effect.agent)
    const runtime = agent === undefined ? undefined : this.#ports.runtimes.get(agent.runtime)
    if (agent === undefined || agent.run === undefined) return { result: 'fenced', detail: 'the agent is not known' }
    if (agent.generation !== effect.generation) return { result: 'fenced' }
    if (runtime === undefined) return { result: 'not_done', detail: `there is no runtime called ${agent.runtime}` }
    const handle = { agent: agent.id, generation: agent.generation, run: agent.run }
    switch (effect.type) {
      case 'session.spawn':
        return this.#spawn(agent, { handle, runtime, prompt: effect.prompt })
      case 'session.type': {
        if (await this.#ports.processes.sentinel()) return latched
        const outcome = await this.#ports.terminal.type(handle, runtime.phrase(typeable(effect.text)))
        return { ...outcome, ...(runtime.capabilities.confirmsText ? { unconfirmed: true } : {}) }
      }
      case 'ask.answer':
        return this.#ports.mailbox.answer(handle.run, effect.ask, runtime.answer(effect.request, effect.answer))
      case 'ask.close':
        return this.#ports.mailbox.answer(handle.run, effect.ask, '')
      case 'work.rescue':
      case 'work.salvage': {
        const ref = await this.#ports.git.salvage(agent.id, agent.generation, agent.workspace)
        return { result: 'done', ...(ref === undefined ? {} : { salvageRef: ref }) }
      }
      case 'session.end':
        return this.#end(handle)
    }
  }

  /**
   * The sentinel is asked before and after: an emergency stop between the two must find nothing new alive.
   * Whatever still lives of this agent, of any generation, is a reason not to start another.
   */
  async #spawn(
    agent: AgentRecord,
    given: { handle: Handle; runtime: Runtime; prompt: string | undefined },
  ): Promise<Outcome> {
    const { handle, runtime, prompt } = given
    const { processes, terminal } = this.#ports
    if (await processes.sentinel()) return latched
    const living = (await terminal.list()).find((pane) => pane.agent === agent.id && !pane.dead)
    if (living !== undefined) return { result: 'not_done', detail: `generation ${living.generation} still lives` }
    const problems = await runtime.check(agent)
    if (problems.length > 0) return { result: 'not_done', detail: problems.join(' ').slice(0, 400) }
    const outcome = await terminal.start(handle, await runtime.launch(agent, handle, prompt))
    if (!(await processes.sentinel())) return outcome
    await processes.end(handle.run)
    return { result: 'not_done', detail: 'an emergency stop came while it started' }
  }

  async #end(handle: Handle): Promise<Outcome> {
    const { survivors } = await this.#ports.processes.end(handle.run)
    // The pane is only a view of the dead by now; that it stays is no reason to call the kill incomplete.
    if (survivors.length === 0) await this.#ports.terminal.remove(handle).catch(() => {})
    return { result: 'done', survivors: [...survivors] }
  }

  /** Who is gone is found by looking at each agent's own tree, so that asking twice gives the same answer. */
  async #stopFleet(): Promise<Outcome> {
    const { survivors } = await this.#ports.processes.stopFleet()
    const stopped: AgentId[] = []
    for (const { id, run } of this.#agents.values()) {
      if (run !== undefined && !(await this.#ports.processes.lookAt(run)).alive) stopped.push(id)
    }
    return { result: 'done', stopped, survivors: [...survivors] }
  }

  async #findOut(effect: Effect): Promise<Outcome> {
    const unknown: Outcome = { result: 'unknown', detail: 'the restart left it open' }
    switch (effect.type) {
      case 'fleet.rearm':
        return { result: (await this.#ports.processes.sentinel()) ? 'not_done' : 'done' }
      case 'work.rescue':
        // Saving is idempotent, and nothing else would save it.
        return this.#do(effect)
      case 'session.spawn':
        return (await this.#lives(effect.run)) ? { result: 'done' } : { result: 'not_done', detail: 'it never came up' }
      case 'session.end':
        return (await this.#lives(this.#agents.get(effect.agent)?.run))
          ? { result: 'not_done' }
          : { result: 'done', survivors: [] }
      default:
        return unknown
    }
  }

  async #lives(run: string | undefined): Promise<boolean> {
    return run !== undefined && (await this.#ports.processes.lookAt(run)).alive
  }
}

const latched: Outcome = { result: 'not_done', detail: 'an emergency stop is in force' }

/** Newline and tab are text; every other control byte could press a key. */
export function typeable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control bytes are what is taken out
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Saving that failed did not happen; of the rest nobody can be sure. */
function failed(effect: Effect, error: unknown): Outcome {
  return { result: effect.type.startsWith('work.') ? 'not_done' : 'unknown', detail: messageOf(error).slice(0, 400) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
