/** What simulated agents show on their terminals, live: texts that were typed, and keys, which are echoed. */
import type { Adopted } from '../../src/contract/adopted.ts'
import type { Outcome } from '../../src/contract/effects.ts'
import type { Handle, Pane, Size, View, Viewer } from '../../src/core/ports.ts'
import type { VirtualAgent } from './virtual-agent.ts'

/** As much as a terminal scrolls back, about. */
const KEPT = 100_000
const SIZE: Size = { cols: 200, rows: 50 }

export class VirtualPanes {
  /** By run. */
  readonly #panes = new Map<string, VirtualPane>()

  print(run: string, text: string): void {
    this.#of(run).print(text)
  }

  view(agent: VirtualAgent, viewer: Viewer): View {
    return this.#of(agent.life.run).view(agent, viewer)
  }

  /** Nobody sees anything more of it. */
  end(run: string, why: string): void {
    this.#panes.get(run)?.end(why)
  }

  endAll(why: string): void {
    for (const pane of this.#panes.values()) pane.end(why)
  }

  #of(run: string): VirtualPane {
    const pane = this.#panes.get(run) ?? new VirtualPane()
    this.#panes.set(run, pane)
    return pane
  }
}

/** The agent's pane as a look finds it. */
export function paneOf(agent: VirtualAgent, life: Handle, monoAt: number): Pane {
  return {
    ...life,
    stamp: agent.screen,
    ageMs: monoAt - agent.changedAt,
    dead: !agent.alive,
    ...(agent.exitCode === undefined ? {} : { exitCode: agent.exitCode }),
  }
}

/** The identity of one that a person started. */
export function adoptable(pid: number): Adopted {
  const pane = { socket: '/tmp/own', server: { pid: 1, startTime: 1 }, id: `%${pid}` }
  return { pane, leader: { pid, startTime: pid, boot: 'virtual' }, allow: [] }
}

export const gone: Outcome = { result: 'fenced', detail: 'this run has no terminal' }
export const ended: Outcome = { result: 'not_done', detail: 'its process has ended' }

class VirtualPane {
  readonly #viewers = new Map<Viewer, { isBehind: boolean }>()
  #printed = ''
  #line = ''
  #size = SIZE
  #sizedBy: Viewer | undefined

  print(text: string): void {
    this.#printed = (this.#printed + text).slice(-KEPT)
    for (const [viewer, state] of this.#viewers) {
      if (!state.isBehind) state.isBehind = !viewer.output(new TextEncoder().encode(text))
    }
  }

  view(agent: VirtualAgent, viewer: Viewer): View {
    const state = { isBehind: false }
    this.#viewers.set(viewer, state)
    this.#show(viewer, state)
    if (!agent.alive) this.end('its program has ended')
    return {
      ready: () => {
        if (state.isBehind && this.#viewers.has(viewer)) this.#show(viewer, state)
      },
      keys: async (bytes) => this.#take(agent, new TextDecoder().decode(bytes)),
      paste: async (text) => this.#take(agent, text),
      resize: async (size) => this.#resize(viewer, size),
      close: async () => {
        if (this.#viewers.delete(viewer)) this.#resize(viewer, undefined)
      },
    }
  }

  end(why: string): void {
    const viewers = [...this.#viewers.keys()]
    this.#viewers.clear()
    for (const viewer of viewers) viewer.gone(why)
  }

  #show(viewer: Viewer, state: { isBehind: boolean }): void {
    state.isBehind = !viewer.screen(this.#size, new TextEncoder().encode(this.#printed))
  }

  /** Enter hands the line over. */
  #take(agent: VirtualAgent, keys: string): Outcome {
    if (!agent.alive) return { result: 'not_done', detail: 'its process has ended' }
    this.print(keys)
    const [first = '', ...more] = keys.split('\r')
    this.#line += first
    for (const next of more) {
      agent.takeText(this.#line)
      this.#line = next
    }
    return { result: 'done' }
  }

  #resize(viewer: Viewer, size: Size | undefined): Outcome {
    if (size === undefined && this.#sizedBy !== viewer) return { result: 'done' }
    this.#sizedBy = size === undefined ? undefined : viewer
    this.#size = size ?? SIZE
    for (const [each, state] of this.#viewers) if (!state.isBehind) this.#show(each, state)
    return { result: 'done' }
  }
}

/** What a command line says: the session to go on with, and the first prompt. */
export function saidIn(argv: readonly string[]): { session: string | undefined; prompt: string | undefined } {
  const after = (flag: string) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined)
  return { session: after('--resume'), prompt: after('--') }
}
