/** One simulated agent: what it does, what its witnesses would see, and how it takes being typed to. */
import type { Doing, Sighting } from '../../contract/evidence.ts'
import { MINUTE, SECOND } from '../../core/durations.ts'
import type { Clock, Handle } from '../../core/ports.ts'

const REPORT_EVERY_MS = MINUTE
const REPORTS_PER_PROGRESS = 5
const ANSWER_MS = 30 * SECOND

export type Temper = 'obeys' | 'ignores'

/** What an agent is given, and whom it tells what happens to it. */
export interface Surroundings {
  pid: number
  clock: Clock
  workspace: string
  report: (sighting: Sighting) => void
  progressed: (workspace: string) => void
  died: () => void
}

export class VirtualAgent {
  readonly life: Handle
  readonly workspace: string
  readonly pid: number
  temper: Temper = 'obeys'
  alive = true
  exitCode: number | undefined
  /** Its children use CPU; undefined when nobody can tell. */
  busy: boolean | undefined = true
  /** Its terminal is gone and it lives on. */
  lost = false
  /** Its children ignore every signal. */
  immortal = false
  /** What a person has begun to type to it and not sent. */
  draft = ''
  readonly typed: string[] = []
  changedAt: number
  #progress = 0
  #outputs = 0
  #reports = 0
  #doing: Doing = { kind: 'thinking' }
  #cancel: () => void = () => {}
  #worked = false
  readonly #clock: Clock
  readonly #surroundings: Surroundings

  constructor(life: Handle, surroundings: Surroundings) {
    this.life = life
    this.workspace = surroundings.workspace
    this.pid = surroundings.pid
    this.#clock = surroundings.clock
    this.#surroundings = surroundings
    this.changedAt = this.#clock.now().monoAt
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

  /** Its children use the CPU for a moment, and rest again. */
  stirs(): void {
    this.#worked = true
  }

  /** Whether its children used CPU since the last question; undefined when nobody can tell. */
  hasWorked(): boolean | undefined {
    const worked = this.#worked ? true : this.busy
    this.#worked = false
    return worked
  }

  dies(exitCode?: number): void {
    this.#cancel()
    this.alive = false
    this.busy = false
    this.exitCode = exitCode
    this.#surroundings.died()
  }

  takeText(text: string): void {
    this.typed.push(this.draft + text)
    this.draft = ''
    this.#print()
    if (this.temper === 'obeys') {
      this.#later(ANSWER_MS, () => {
        this.#advance()
        this.works()
      })
    }
  }

  #work(): void {
    this.#reports += 1
    if (this.#reports % REPORTS_PER_PROGRESS === 0) this.#advance()
    this.#say({ kind: 'thinking' })
    this.#later(REPORT_EVERY_MS, () => this.#work())
  }

  #advance(): void {
    this.#progress += 1
    this.#surroundings.progressed(this.workspace)
  }

  #say(doing: Doing): void {
    this.#doing = doing
    this.#print()
    const ts = new Date(this.#clock.now().wallAt).toISOString()
    this.#surroundings.report({
      agent: this.life.agent,
      generation: this.life.generation,
      witness: 'hook',
      stamp: `h${this.#outputs}`,
      ageMs: 0,
      doing: this.#doing,
      progress: `p${this.#progress}`,
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
