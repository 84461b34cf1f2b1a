/** What every step stands on: time that can be cut short, one dialog at a time, hooks, screen and transcript. */
import type { Hooks } from './hooks.ts'
import type { RegistryFile } from './registry-file.ts'
import type { Screen } from './screen.ts'
import type { Transcript } from './transcript.ts'

/** interrupt: the turn is over, no hook says so. skip: the step is over. */
export class Interruption extends Error {
  readonly why: 'interrupt' | 'skip'

  constructor(why: 'interrupt' | 'skip') {
    super(why)
    this.why = why
  }
}

export interface StageOptions {
  hooks: Hooks
  screen: Screen
  transcript: Transcript
  registry: RegistryFile
  cwd: string
  /** Durations are divided by this. */
  speed: number
}

export class Stage {
  readonly hooks: Hooks
  readonly screen: Screen
  readonly transcript: Transcript
  readonly registry: RegistryFile
  readonly cwd: string
  readonly speed: number
  /** Hears nothing: neither keys nor messages. */
  deaf = false
  /** Told to go on without a terminal. */
  outlives = false
  /** The program is ending. */
  over = false
  limitedUntil = 0
  /** Takes a typed line when a dialog is open; says whether the line was meant for it. */
  dialog: ((line: string) => boolean) | undefined
  /** Runs when the step is left, however that happens. */
  readonly #leaving = new Set<() => void>()
  readonly #ending = new Set<() => void>()
  #step = new AbortController()

  constructor({ hooks, screen, transcript, registry, cwd, speed }: StageOptions) {
    this.hooks = hooks
    this.screen = screen
    this.transcript = transcript
    this.registry = registry
    this.cwd = cwd
    this.speed = speed
  }

  scaled(ms: number): number {
    return ms / this.speed
  }

  wait(ms: number): Promise<void> {
    return this.until<void>((done) => {
      const timer = setTimeout(done, this.scaled(ms))
      return () => clearTimeout(timer)
    })
  }

  /** Waits for something that may be cut short; `begin` gives back what stops it. */
  until<T>(begin: (done: (value: T) => void) => (() => void) | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const { signal } = this.#step
    const cut = () => reject(signal.reason as Error)
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut, { once: true })
    const stop = begin(resolve)
    return promise.finally(() => {
      signal.removeEventListener('abort', cut)
      stop?.()
    })
  }

  /** The same for something that goes on by itself. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.until<never>(() => undefined)])
  }

  atLeaving(call: () => void): void {
    // A step may be between two waits when the end comes; what it begins after that ends at once.
    if (this.over) call()
    else this.#leaving.add(call)
  }

  /** Runs when the program ends by itself. */
  atEnd(call: () => void): void {
    this.#ending.add(call)
  }

  end(): void {
    this.over = true
    this.cut('interrupt')
    this.leave()
    for (const call of this.#ending) call()
  }

  async inStep<T>(perform: () => Promise<T>): Promise<T> {
    this.#step = new AbortController()
    if (this.over) this.cut('interrupt')
    try {
      return await perform()
    } finally {
      this.leave()
    }
  }

  leave(): void {
    for (const call of this.#leaving) call()
    this.#leaving.clear()
    this.dialog = undefined
  }

  cut(why: 'interrupt' | 'skip'): void {
    this.#step.abort(new Interruption(why))
  }
}
