/** One person at one terminal: what he is shown, at his pace, and what he may do. He types only after a take-over. */
import type { TerminalSession, TerminalViewer } from '../api/terminal.ts'
import type { Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { TerminalFromClient } from '../contract/terminal.ts'
import type { Clock, Size, View, Viewer } from '../core/ports.ts'
import type { Keyboards } from './keyboards.ts'

/** More than this unsent and he is shown nothing until less than the other is left; then he begins anew. */
const FULL_BYTES = 1024 * 1024
const EMPTY_BYTES = 64 * 1024

export interface VisitOptions {
  agent: AgentId
  viewer: TerminalViewer
  keyboards: Keyboards
  clock: Clock
  /** Without a key for this long he gives the terminal back. */
  idleMs: number
  left: () => void
  givenBack: () => void
  writerChanged: () => void
}

export class TerminalVisit implements TerminalSession, Viewer {
  readonly agent: AgentId
  readonly #options: VisitOptions
  #view: View | undefined
  #isBehind = false
  #isOver = false
  #letGo: (() => void) | undefined
  #cancelIdle: () => void = () => {}
  #typedAt = 0

  constructor(options: VisitOptions) {
    this.#options = options
    this.agent = options.agent
  }

  get isWriter(): boolean {
    return this.#letGo !== undefined
  }

  /** False when there is nothing to see. */
  async begin(open: (viewer: Viewer) => Promise<View | undefined>): Promise<boolean> {
    this.#view = await open(this)
    // He left, or was told of the end, while it opened.
    if (this.#isOver) void this.#view?.close()
    else if (this.#view !== undefined) this.#options.writerChanged()
    return this.#view !== undefined
  }

  screen({ cols, rows }: Size, bytes: Uint8Array): boolean {
    const { viewer } = this.#options
    this.#isBehind = false
    viewer.send({ type: 'screen', cols, rows, reset: true })
    viewer.print(bytes)
    return true
  }

  output(bytes: Uint8Array): boolean {
    const { viewer } = this.#options
    viewer.print(bytes)
    this.#isBehind = viewer.pendingBytes() > FULL_BYTES
    return !this.#isBehind
  }

  drained(): void {
    if (this.#isBehind && this.#options.viewer.pendingBytes() < EMPTY_BYTES) this.#view?.ready()
  }

  gone(why: string): void {
    this.#end(why, false)
  }

  /** The daemon goes, and may come back. */
  dismiss(why: string): void {
    this.#end(why, true)
  }

  receive(message: TerminalFromClient): void {
    switch (message.type) {
      case 'take-over':
        return this.#takeOver()
      case 'give-back':
        return this.#giveBack()
      case 'keys':
        return this.#asWriter((view) => view.keys(new TextEncoder().encode(message.data)))
      case 'paste':
        return this.#asWriter((view) => view.paste(message.data))
      case 'resize':
        return this.#asWriter((view) => view.resize({ cols: message.cols, rows: message.rows }))
    }
  }

  tellWriter(taken: boolean): void {
    this.#options.viewer.send({ type: 'writer', you: this.isWriter, taken })
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#giveBack()
    this.#options.left()
    void this.#view?.close()
  }

  #end(why: string, isAway: boolean): void {
    if (this.#isOver) return
    const { viewer } = this.#options
    viewer.send({ type: 'gone', sentence: `The terminal of ${this.agent} ended: ${why}`, hint: WHAT_IS_LEFT })
    this.close()
    viewer.close(isAway)
  }

  #takeOver(): void {
    const { keyboards, viewer, writerChanged } = this.#options
    if (this.isWriter || this.#isOver) return
    this.#letGo = keyboards.take(this.agent, 'person')
    if (this.#letGo === undefined) {
      const isAct = keyboards.heldBy(this.agent) === 'act'
      viewer.send({ type: 'refused', ...(isAct ? CLOISTER_TYPES : ANOTHER_TYPES) })
      return
    }
    viewer.note('terminal take-over', this.agent)
    this.#typed()
    this.#awaitIdle()
    writerChanged()
  }

  #giveBack(): void {
    const letGo = this.#letGo
    if (letGo === undefined) return
    this.#letGo = undefined
    this.#cancelIdle()
    letGo()
    this.#options.viewer.note('terminal give-back', this.agent)
    this.#options.givenBack()
    if (!this.#isOver) void this.#view?.resize(undefined)
    this.#options.writerChanged()
  }

  #asWriter(deed: (view: View) => Promise<Outcome>): void {
    const { viewer } = this.#options
    if (!this.isWriter || this.#view === undefined) {
      viewer.send({ type: 'refused', ...READ_ONLY })
      return
    }
    this.#typed()
    deed(this.#view).then(
      ({ result, detail }) => {
        if (result !== 'done') viewer.send({ type: 'refused', ...notTaken(detail ?? result) })
      },
      (error: unknown) => viewer.send({ type: 'refused', ...notTaken(String(error)) }),
    )
  }

  #typed(): void {
    this.#typedAt = this.#options.clock.now().monoAt
  }

  /** One wake at a time, however much he types. */
  #awaitIdle(): void {
    const { clock, idleMs, viewer } = this.#options
    this.#cancelIdle = clock.wakeAt(this.#typedAt + idleMs, () => {
      if (clock.now().monoAt < this.#typedAt + idleMs) return this.#awaitIdle()
      this.#giveBack()
      viewer.send({ type: 'refused', ...IDLE })
    })
  }
}

const WHAT_IS_LEFT = 'The attach command shows what is left of it; agents are listed by `pan agents list`.'
const READ_ONLY = { sentence: 'You only watch this terminal', hint: 'Take it over before you type.' }
const ANOTHER_TYPES = { sentence: 'Somebody else types in this terminal', hint: 'Wait until it is given back.' }
const CLOISTER_TYPES = { sentence: 'Cloister is typing to the agent right now', hint: 'Try again in a moment.' }
const IDLE = {
  sentence: 'You typed nothing for a while, so the terminal was given back',
  hint: 'Take it over again; until then Cloister cares for the agent.',
}

function notTaken(why: string): { sentence: string; hint: string } {
  return { sentence: `That did not reach the terminal: ${why}`, hint: 'Try again, or use the attach command.' }
}
