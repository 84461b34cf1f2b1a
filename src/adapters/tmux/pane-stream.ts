/**
 * One pane shown live to any number of viewers by one control client, which ignores sizes and lives as long as the
 * first and the last of them. Screen and output come on the same client, so they join without gap or repetition.
 *
 * A viewer is `waiting` for a screen, then `live`; when it takes no more it is `behind` and gets nothing until it is
 * ready, which makes it wait again. While all are behind, tmux is told to pause the pane and forget what it prints:
 * nothing piles up, neither here nor there.
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Size, View, Viewer } from '../../core/ports.ts'
import { quoted } from './command-text.ts'
import { ControlClient, type Block } from './control-client.ts'
import { guarded, outcomeOf, readDone, type Deed, type Done } from './guarded.ts'
import { cutLetter, withoutOrphans } from './letters.ts'
import { keysCommands, pasteCommands, resizeCommands, restoreCommands } from './pane-deeds.ts'
import type { FoundPane } from './pane-lines.ts'
import { captureCommands, readCapture, type Captured } from './screen-capture.ts'
import type { TmuxServer } from './server.ts'

export interface StreamOptions {
  server: TmuxServer
  pane: FoundPane
  session: string
  /** It has no viewers any more and takes no new ones. */
  over: () => void
}

/** tmux pauses a pane by itself when we are this late with reading. */
const FLAGS = 'ignore-size,pause-after=2'
const MAX_UNANSWERED = 256
const RESTORE_MS = 1_000

export class PaneStream {
  readonly #options: StreamOptions
  readonly #client: ControlClient
  readonly #viewers = new Map<Viewer, 'waiting' | 'live' | 'behind'>()
  readonly #others = new Set<string>()
  #isAsked = false
  #isPaused = false
  #isOver = false
  /** Bytes of a letter that is not complete yet; undefined when output was missed. */
  #cut: Buffer | undefined
  /** Who made the window another size, and what it was before. */
  #sizedBy: Viewer | undefined
  #sizeBefore: Size | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    const { server, session } = options
    this.#client = new ControlClient({
      ...{ server, session, flags: FLAGS },
      output: (paneId, bytes) => this.#output(paneId, bytes),
      notice: (line) => this.#notice(line),
      ended: (why) => this.#end(why),
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get #paneId(): string {
    return this.#options.pane.paneId
  }

  /** False when the session is gone. */
  async open(): Promise<boolean> {
    const isThere = await this.#client.attach().catch((error: unknown) => {
      this.#end('tmux did not answer')
      throw error
    })
    if (!isThere) this.#end('the terminal is gone')
    return isThere && !this.#isOver
  }

  add(viewer: Viewer): View {
    this.#viewers.set(viewer, 'waiting')
    this.#want()
    return {
      ready: () => this.#ready(viewer),
      keys: async (bytes) => outcomeOf(await this.#act('alive', keysCommands(this.#paneId, bytes))),
      paste: async (text) => outcomeOf(await this.#act('alive', pasteCommands(this.#paneId, text))),
      resize: (size) => this.#resize(viewer, size),
      close: () => this.#remove(viewer),
    }
  }

  /** Finds out whether its process has ended: tmux tells control clients nothing of that. */
  check(): void {
    void this.#act('alive', [])
  }

  async close(why: string): Promise<void> {
    this.#end(why)
    await this.#client.close()
  }

  #ready(viewer: Viewer): void {
    if (this.#viewers.get(viewer) !== 'behind') return
    this.#viewers.set(viewer, 'waiting')
    this.#want()
  }

  /** Asks for the screen, once for all who wait for it until it comes. */
  #want(): void {
    if (this.#isAsked || this.#isOver || ![...this.#viewers.values()].includes('waiting')) return
    this.#isAsked = true
    this.#isPaused = false
    const commands = [`refresh-client -A '${this.#paneId}:continue'`, ...captureCommands(this.#paneId)]
    this.#client.ask(this.#command({ when: 'any', commands }), (blocks) => {
      this.#isAsked = false
      if (this.#isOver) return
      // Paused after it was asked: what comes would never go on.
      if (this.#isPaused) this.#want()
      else this.#captured(readCapture(blocks.slice(3).map(({ content }) => content)))
    })
  }

  #captured(captured: Captured | undefined): void {
    if (captured === undefined) {
      this.#end('the terminal is gone')
      return
    }
    const { cols, rows, bytes, dead, exitCode, sizeBefore } = captured
    const whole = this.#cut === undefined ? bytes : Buffer.concat([bytes, this.#cut])
    for (const [viewer, state] of this.#viewers) {
      if (state === 'waiting') this.#give(viewer, () => viewer.screen({ cols, rows }, whole))
    }
    this.#restAll()
    if (dead) this.#end(exitCode === undefined ? 'its program has ended' : `its program has ended with ${exitCode}`)
    // Somebody's size of a daemon that has crashed.
    else if (sizeBefore !== undefined && this.#sizedBy === undefined)
      void this.#act('any', restoreCommands(this.#paneId, sizeBefore))
  }

  #output(paneId: string, bytes: Buffer): void {
    if (paneId !== this.#paneId) {
      this.#pauseOther(paneId)
      return
    }
    const fresh = this.#cut === undefined ? withoutOrphans(bytes) : bytes
    this.#cut = cutLetter(this.#cut, fresh)
    for (const [viewer, state] of this.#viewers) {
      if (state === 'live') this.#give(viewer, () => viewer.output(fresh))
    }
    this.#restAll()
  }

  #give(viewer: Viewer, give: () => boolean): void {
    const takesMore = give()
    // It may have left meanwhile.
    if (this.#viewers.has(viewer)) this.#viewers.set(viewer, takesMore ? 'live' : 'behind')
  }

  #restAll(): void {
    const states = [...this.#viewers.values()]
    if (this.#isPaused || states.length === 0 || states.some((state) => state !== 'behind')) return
    this.#isPaused = true
    this.#client.ask(`refresh-client -A '${this.#paneId}:pause'`, () => undefined)
  }

  /** A pane that a person split off in the same session is nobody's to watch. */
  #pauseOther(paneId: string): void {
    if (this.#others.has(paneId) || !/^%\d+$/.test(paneId)) return
    this.#others.add(paneId)
    this.#client.ask(`refresh-client -A '${paneId}:pause'`, () => undefined)
  }

  #notice(line: string): void {
    const isPause = line === `%pause ${this.#paneId}`
    if (isPause) this.#cut = undefined
    // tmux and the viewer break lines differently in another size.
    if (!isPause && !line.startsWith('%layout-change ')) return
    this.#begin()
  }

  async #resize(viewer: Viewer, size: Size | undefined): Promise<Outcome> {
    if (size === undefined) return this.#giveSizeBack(viewer)
    this.#sizedBy = viewer
    const done = await this.#act('any', resizeCommands(this.#paneId, size))
    const [, cols, rows] = /^(\d+)x(\d+)$/m.exec(done.result === 'done' ? done.output : '') ?? []
    if (cols !== undefined && rows !== undefined) this.#sizeBefore = { cols: Number(cols), rows: Number(rows) }
    // He left while it was done.
    if (!this.#viewers.has(viewer)) await this.#giveSizeBack(viewer)
    return outcomeOf(done)
  }

  async #giveSizeBack(viewer: Viewer): Promise<Outcome> {
    const before = this.#sizeBefore
    if (this.#sizedBy !== viewer || before === undefined) return { result: 'done' }
    this.#sizedBy = undefined
    this.#sizeBefore = undefined
    return outcomeOf(await this.#act('any', restoreCommands(this.#paneId, before)))
  }

  async #remove(viewer: Viewer): Promise<void> {
    if (!this.#viewers.delete(viewer)) return
    if (this.#viewers.size > 0) {
      if (this.#sizedBy === viewer) await this.#giveSizeBack(viewer)
      return
    }
    this.#over()
    if (this.#sizedBy === viewer) await Promise.race([this.#giveSizeBack(viewer), elapsed(RESTORE_MS)])
    await this.close('nobody watches it')
  }

  #act(when: Deed['when'], commands: readonly string[]): Promise<Done> {
    if (this.#client.waiting >= MAX_UNANSWERED) {
      return Promise.resolve({ result: 'failed', why: 'the terminal is slow and too much waits already' })
    }
    const { promise, resolve } = Promise.withResolvers<Done>()
    this.#client.ask(this.#command({ when, commands }), (blocks) => {
      const done = readBlocks(this.#options.pane, blocks)
      resolve(done)
      if (done.result === 'dead' || done.result === 'gone') this.#begin()
    })
    return promise
  }

  #command(deed: Deed): string {
    return guarded(this.#options.pane, deed).map(quoted).join(' ')
  }

  /** All who are live begin anew, or hear that it is over. */
  #begin(): void {
    for (const [viewer, state] of this.#viewers) if (state === 'live') this.#viewers.set(viewer, 'waiting')
    this.#want()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.over()
  }

  #end(why: string): void {
    this.#over()
    const viewers = [...this.#viewers.keys()]
    this.#viewers.clear()
    void this.#client.close()
    for (const viewer of viewers) viewer.gone(why)
  }
}

/** The first block is the check's own and empty. */
function readBlocks(pane: FoundPane, blocks: readonly Block[]): Done {
  const [, first, ...rest] = blocks
  if (first === undefined) return { result: 'gone' }
  const failure = rest.find(({ failed }) => failed)
  if (failure !== undefined) return { result: 'failed', why: failure.content.toString('utf8').trim() }
  return readDone(pane, [first, ...rest].map(({ content }) => `${content.toString('utf8')}\n`).join(''))
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
