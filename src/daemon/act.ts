/**
 * Runs one effect on the world and says what became of it. Every deed checks the generation it was decided
 * for. After a restart `probe` finds out what became of an effect without doing it again.
 */
import type { AgentEffect, Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { adoptedLiving } from '../core/adoption.ts'
import { unusableInWords } from '../core/begin-anew.ts'
import { handleOf } from '../core/handle.ts'
import type { InputOf } from '../core/inputs.ts'
import type { Clock, Handle, Handoffs, Letters, Mailbox, TaskTexts } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'
import { softStopReason } from '../core/prompts.ts'
import {
  boundsOf,
  failed,
  latched,
  lost,
  messageOf,
  neverCameUp,
  typedIn,
  unable,
  unwritten,
  withGround,
} from './act-outcomes.ts'
import { checkRest, checkText, openElsewhere } from './ask-session.ts'
import { typeable } from '../core/typeable.ts'
import { emptyBox, inBox } from './drafts.ts'
import { Keyboards } from './keyboards.ts'
import type { Witnesses } from './observe.ts'
import { readableNote } from './readable.ts'
import { startSession } from './start-session.ts'
import { actOnTask, firstPrompt } from './task-texts.ts'
import { untilItShows } from './until-it-shows.ts'
import { actOnWork } from './work-effects.ts'
import { WrittenTexts } from './written-texts.ts'

export interface ActorPorts extends Witnesses {
  clock: Clock
  mailbox: Mailbox
  runtimes: ReadonlyMap<string, Runtime>
  /** What an agent's own process shows at the door of the API; left out, it has nothing to show. */
  tokenOf?: (handle: Handle) => string
  /** Shared with people who type; left out, there are none. */
  keyboards?: Keyboards
  /** Where texts go that are too long to be typed. */
  letters?: Letters
  /** Where the texts of tasks are kept; left out, the journal keeps them. */
  taskTexts?: TaskTexts
  /** Left out, no work is handed over. */
  handoffs?: Handoffs
}

type Deed<T extends AgentEffect['type']> = {
  handle: Handle
  runtime: Runtime
  effect: Extract<AgentEffect, { type: T }>
}

export class Actor {
  readonly #ports: ActorPorts
  readonly #agents: ReadonlyMap<AgentId, AgentRecord>
  readonly #keyboards: Keyboards
  readonly #written: WrittenTexts

  constructor(ports: ActorPorts, agents: ReadonlyMap<AgentId, AgentRecord>) {
    this.#ports = ports
    this.#agents = agents
    this.#keyboards = ports.keyboards ?? new Keyboards()
    this.#written = new WrittenTexts(ports, agents)
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

  /** Who is gone since an emergency stop that no daemon has recorded; undefined when there was none, or nobody can tell. */
  async unrecordedStop(): Promise<InputOf<'boot'>['stop']> {
    const { processes } = this.#ports
    try {
      if (!(await processes.unrecordedStop())) return undefined
      return { gone: await this.#gone(), ...readableNote(await processes.stopNote()) }
    } catch {
      return undefined
    }
  }

  async #do(effect: Effect): Promise<Outcome> {
    switch (effect.type) {
      case 'fleet.stop':
        return this.#stopFleet(effect.adopted === true)
      case 'fleet.rearm':
        await this.#ports.processes.rearm()
        return { result: 'done' }
      case 'fleet.forget':
        await this.#ports.processes.forgetStop()
        return { result: 'done' }
      case 'task.keep':
      case 'task.forget':
        return actOnTask(this.#ports.taskTexts, effect)
      default:
        return this.#onAgent(effect)
    }
  }

  async #onAgent(effect: Exclude<AgentEffect, { type: `task.${string}` }>): Promise<Outcome> {
    const agent = this.#agents.get(effect.agent)
    const runtime = agent === undefined ? undefined : this.#ports.runtimes.get(agent.runtime)
    const handle = agent === undefined ? undefined : handleOf(agent)
    if (agent === undefined || handle === undefined) return { result: 'fenced', detail: 'the agent is not known' }
    if (agent.generation !== effect.generation) return { result: 'fenced' }
    if (runtime === undefined) return { result: 'not_done', detail: `there is no runtime called ${agent.runtime}` }
    if ('letter' in effect && effect.letter !== undefined) {
      await this.#ports.letters?.leave(agent.id, effect.letter.message, effect.letter.text)
    }
    const { terminal } = this.#ports
    switch (effect.type) {
      case 'session.spawn':
        return this.#start(agent, { handle, runtime, effect })
      case 'session.resume':
        return this.#resume(agent, { handle, runtime, effect })
      case 'session.type':
        return this.#typeText(agent, { handle, runtime, effect })
      case 'session.clear':
        if (runtime.clearText === undefined) return unable(runtime, 'clear')
        return this.#type(agent, { handle, runtime, text: runtime.clearText })
      case 'session.check-text':
        return checkText({ terminal, handle, runtime }, effect)
      case 'session.interrupt':
        if (await this.#ports.processes.sentinel()) return latched
        return terminal.press(handle, runtime.interruptKey)
      case 'session.check-rest':
        return checkRest(runtime, effect.session)
      case 'order.leave':
        if (runtime.softStop === undefined) return unable(runtime, 'softStop')
        return this.#ports.mailbox.order(handle.run, runtime.softStop(softStopReason('a person')))
      case 'order.withdraw':
        return this.#ports.mailbox.order(handle.run, '')
      case 'ask.answer':
        return this.#ports.mailbox.answer(handle.run, effect.ask, runtime.answer(effect.request, effect.answer))
      case 'ask.close':
        return this.#ports.mailbox.answer(handle.run, effect.ask, '')
      case 'work.rescue':
      case 'work.salvage':
      case 'work.restore':
        return actOnWork(this.#ports.git, agent, effect)
      case 'session.end':
        return this.#end(handle)
      case 'handoff.capture':
      case 'handoff.see-document':
      case 'handoff.reckon':
        return this.#written.see(agent, effect)
    }
  }

  async #typeText(agent: AgentRecord, { handle, runtime, effect }: Deed<'session.type'>): Promise<Outcome> {
    const text = await this.#written.typed(effect)
    if (text === undefined) return unwritten(effect.handoff)
    return this.#type(agent, { handle, runtime, text: runtime.phrase(typeable(text)) })
  }

  async #type({ sessionId }: AgentRecord, given: { handle: Handle; runtime: Runtime; text: string }): Promise<Outcome> {
    const { handle, runtime, text } = given
    const { processes, terminal } = this.#ports
    const box = await inBox(this.#ports, { handle, runtime, text, session: sessionId })
    if (box === 'draft') return typedIn(handle.agent)
    if (await processes.sentinel()) return latched
    const letGo = this.#keyboards.take(handle.agent, 'act')
    if (letGo === undefined) return { result: 'not_done', held: true, detail: 'somebody types in its terminal' }
    try {
      if (box === 'submitted' && !(await emptyBox(this.#ports, handle, runtime))) return typedIn(handle.agent)
      const outcome = box === 'ours' ? await terminal.press(handle, 'Enter') : await terminal.type(handle, text)
      if (outcome.result === 'fenced' && (await this.#isLost(handle))) return lost
      return { ...outcome, ...(runtime.capabilities.confirmsText ? { unconfirmed: true } : {}) }
    } finally {
      letGo()
    }
  }

  async #isLost({ run, adopted }: Handle): Promise<boolean> {
    const panes = await this.#ports.terminal.list()
    return panes.every((pane) => pane.run !== run) && this.#lives({ run, adopted })
  }

  /** With its prompt: the one that was given, its whole task, or what was written for its hand-off. */
  async #start(agent: AgentRecord, { handle, runtime, effect }: Deed<'session.spawn'>): Promise<Outcome> {
    const { handoff, task, prompt: given } = effect
    const written = handoff === undefined ? given : await this.#written.prompt(handoff)
    if (handoff !== undefined && written === undefined) return unwritten(handoff)
    const prompt = task === undefined ? written : await firstPrompt(this.#ports, { ...effect, summary: given ?? '' })
    return startSession(this.#ports, agent, { handle, runtime, prompt })
  }

  /** A session that cannot be gone on with is begun anew, and that is said; one that is open elsewhere is left alone. */
  async #resume(agent: AgentRecord, { handle, runtime, effect }: Deed<'session.resume'>): Promise<Outcome> {
    const { session, handoff } = effect
    const written = handoff === undefined ? undefined : await this.#written.prompt(handoff)
    if (handoff !== undefined && written === undefined) return unwritten(handoff)
    const { prompt = written } = effect
    if (runtime.resume === undefined) return unable(runtime, 'resume')
    const elsewhere = await openElsewhere(runtime, session)
    if (elsewhere !== undefined) return elsewhere
    const unusable = await runtime.sessions?.unusable(session)
    if (unusable !== undefined) {
      const why = unusableInWords(unusable, effect.seen === true)
      const first = written ?? (await firstPrompt(this.#ports, effect, why))
      const outcome = await startSession(this.#ports, agent, { handle, runtime, prompt: first })
      return outcome.result === 'done' ? { ...outcome, fresh: why } : outcome
    }
    return startSession(this.#ports, agent, { handle, runtime, prompt, session })
  }

  async #end(handle: Handle): Promise<Outcome> {
    const { survivors } = await this.#ports.processes.end(handle.run, handle.adopted?.leader)
    // The pane is only a view of the dead by now; that it stays is no reason to call the kill incomplete.
    if (survivors.length === 0) await this.#ports.terminal.remove(handle).catch(() => {})
    return { result: 'done', survivors: [...survivors] }
  }

  /** Who is gone is found by looking at each agent's own tree, so that asking twice gives the same answer. */
  async #stopFleet(withAdopted: boolean): Promise<Outcome> {
    const adopted = withAdopted ? adoptedLiving(this.#agents.values()) : []
    const { survivors } = await this.#ports.processes.stopFleet(adopted)
    return { result: 'done', stopped: await this.#gone(), survivors: [...survivors] }
  }

  async #gone(): Promise<AgentId[]> {
    const gone: AgentId[] = []
    for (const agent of this.#agents.values()) {
      if (agent.run !== undefined && !(await this.#lives(agent))) gone.push(agent.id)
    }
    return gone
  }

  async #findOut(effect: Effect): Promise<Outcome> {
    const unknown: Outcome = { result: 'unknown', detail: 'the restart left it open' }
    switch (effect.type) {
      case 'fleet.rearm':
        return { result: (await this.#ports.processes.sentinel()) ? 'not_done' : 'done' }
      case 'work.rescue':
      case 'task.keep':
      case 'task.forget':
      case 'fleet.forget':
      case 'session.check-text':
      case 'session.check-rest':
      case 'order.withdraw':
      case 'handoff.capture':
      case 'handoff.see-document':
      case 'handoff.reckon':
        // Asking changes nothing; the others are idempotent, and nothing else would do them.
        return this.#do(effect)
      case 'session.resume':
        await untilItShows(this.#ports, effect.run)
        return (await this.#lives(effect)) ? this.#cameUp(effect) : { ...neverCameUp, held: true }
      case 'session.spawn':
        await untilItShows(this.#ports, effect.run)
        return (await this.#lives(effect)) ? this.#cameUp(effect) : neverCameUp
      case 'session.end':
        return (await this.#lives(this.#agents.get(effect.agent) ?? {}))
          ? { result: 'not_done' }
          : { result: 'done', survivors: [] }
      default:
        return unknown
    }
  }

  async #cameUp({ agent: id }: AgentEffect): Promise<Outcome> {
    const agent = this.#agents.get(id)
    const runtime = this.#ports.runtimes.get(agent?.runtime ?? '')
    if (agent === undefined) return { result: 'done' }
    const bounds = runtime === undefined ? {} : await boundsOf(agent, runtime)
    // By now it may have changed it: what was found before its start counts.
    const isKnown = agent.repository !== undefined
    const ground = isKnown ? {} : withGround(agent, await this.#ports.git.find(agent.workspace), { result: 'done' })
    return { result: 'done', ...ground, ...bounds }
  }

  async #lives({ run, adopted }: Partial<Pick<AgentRecord, 'run' | 'adopted'>>): Promise<boolean> {
    return run !== undefined && (await this.#ports.processes.lookAt(run, adopted?.leader)).alive
  }
}
