/** One simulated agent: what it does, what its witnesses would see, and how it takes being typed to. */
import type { Doing, Sighting } from '../../contract/evidence.ts'
import { MINUTE, SECOND } from '../../core/durations.ts'
import type { Clock } from '../../core/ports.ts'

const REPORT_EVERY_MS = MINUTE
const REPORTS_PER_PROGRESS = 5
const ANSWER_MS = 30 * SECOND

export type Temper = 'obeys' | 'ignores'

export interface Life {
  agent: string
  generation: number
  run: string
}

export class VirtualAgent {
  readonly life: Life
  temper: Temper = 'obeys'
  alive = true
  exitCode: number | undefined
  /** Its children use CPU; undefined when nobody can tell. */
  busy: boolean | undefined = true
  /** Its children ignore every signal. */
  immortal = false
  readonly typed: string[] = []
  changedAt: number
  progress = 0
  #outputs = 0
  #reports = 0
  #doing: Doing = { kind: 'thinking' }
  #cancel: () => void = () => {}
  readonly #clock: Clock
  readonly #report: (sighting: Sighting) => void

  constructor(life: Life, clock: Clock, report: (sighting: Sighting) => void) {
    this.life = life
    this.#clock = clock
    this.#report = report
    this.changedAt = clock.now().monoAt
  }

  /** Identity of the last thing on its screen. */
  get screen(): string {
    return `s${this.#outputs}`
  }

  works(): void {
    this.busy = true
    this.#say({ kind: 'thinking' })
    this.#later(REPORT_EVERY_MS, () => this.#work())
  }

  /** Says once what it does, and then nothing more. */
  becomes(doing: Doing, { busy }: { busy: boolean }): void {
    this.busy = busy
    this.#cancel()
    this.#say(doing)
  }

  /** Stops giving any sign, whatever it last said. */
  silent({ rests }: { rests: boolean }): void {
    this.#cancel()
    this.busy = rests ? false : undefined
  }

  runs(tool: { name: string; boundMs: number; takesMs: number }): void {
    this.becomes({ kind: 'tool', name: tool.name, boundMs: tool.boundMs }, { busy: true })
    this.#later(tool.takesMs, () => this.works())
  }

  dies(exitCode?: number): void {
    this.#cancel()
    this.alive = false
    this.busy = false
    this.exitCode = exitCode
  }

  takeText(text: string): void {
    this.typed.push(text)
    this.#print()
    if (this.temper === 'obeys') {
      this.#later(ANSWER_MS, () => {
        this.progress += 1
        this.works()
      })
    }
  }

  #work(): void {
    this.#reports += 1
    if (this.#reports % REPORTS_PER_PROGRESS === 0) this.progress += 1
    this.#say({ kind: 'thinking' })
    this.#later(REPORT_EVERY_MS, () => this.#work())
  }

  #say(doing: Doing): void {
    this.#doing = doing
    this.#print()
    const ts = new Date(this.#clock.now().wallAt).toISOString()
    this.#report({
      agent: this.life.agent,
      generation: this.life.generation,
      witness: 'hook',
      stamp: `h${this.#outputs}`,
      ageMs: 0,
      doing: this.#doing,
      progress: `p${this.progress}`,
      activity: {
        ts,
        state: doing.kind === 'idle' ? 'idle' : 'active',
        ...(doing.kind === 'tool' ? { tool: doing.name } : {}),
      },
    })
  }

  #print(): void {
    this.#outputs += 1
    this.changedAt = this.#clock.now().monoAt
  }

  #later(ms: number, call: () => void): void {
    this.#cancel()
    this.#cancel = this.#clock.wakeAt(this.#clock.now().monoAt + ms, () => {
      if (this.alive) call()
    })
  }
}
