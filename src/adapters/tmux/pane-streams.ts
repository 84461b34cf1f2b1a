/** The panes that are watched live, each by one client however many watch it. */
import type { View, Viewer } from '../../core/ports.ts'
import type { FoundPane } from './pane-lines.ts'
import { PaneStream } from './pane-stream.ts'
import type { TmuxServer } from './server.ts'
import { sessionName } from './start-script.ts'

export class PaneStreams {
  readonly #server: TmuxServer
  readonly #watch: (call: () => void) => () => void
  /** By run; opened, or about to be. */
  readonly #streams = new Map<string, { stream: PaneStream; opened: Promise<boolean> }>()
  #unwatch: (() => void) | undefined
  #isClosed = false

  constructor(server: TmuxServer, watch: (call: () => void) => () => void) {
    this.#server = server
    this.#watch = watch
  }

  async view(pane: FoundPane, viewer: Viewer): Promise<View | undefined> {
    if (this.#isClosed) return undefined
    const { stream, opened } = this.#streams.get(pane.run) ?? this.#open(pane)
    if (!(await opened) || this.#isClosed) return undefined
    // Its last viewer left while we waited.
    return stream.isOver ? this.view(pane, viewer) : stream.add(viewer)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const streams = [...this.#streams.values()]
    await Promise.all(streams.map(({ stream }) => stream.close('the daemon stopped showing it')))
  }

  #open(pane: FoundPane): { stream: PaneStream; opened: Promise<boolean> } {
    const { run } = pane
    const stream = new PaneStream({
      server: this.#server,
      pane,
      session: sessionName(pane),
      over: () => {
        if (this.#streams.get(run)?.stream === stream) this.#streams.delete(run)
        if (this.#streams.size > 0) return
        this.#unwatch?.()
        this.#unwatch = undefined
      },
    })
    const entry = { stream, opened: stream.open() }
    this.#streams.set(run, entry)
    // A death is told to the one client that listens for it, and to no other.
    this.#unwatch ??= this.#watch(() => {
      for (const each of this.#streams.values()) each.stream.check()
    })
    return entry
  }
}
