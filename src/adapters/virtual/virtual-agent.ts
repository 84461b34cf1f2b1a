/** One simulated agent: what it does, what its witnesses would see, and how it takes being typed to. */
import type { Doing, Sighting, Trace } from '../../contract/evidence.ts'
import { MINUTE, SECOND } from '../../core/durations.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import type { Clock, Handle } from '../../core/ports.ts'

const REPORT_EVERY_MS = MINUTE
const REPORTS_PER_PROGRESS = 5
const ANSWER_MS = 30 * SECOND

/** What it takes for the command to clear its context. */
export const CLEAR = '/clear'

export type Temper = 'obeys' | 'ignores'

/** What an agent is given, and whom it tells what happens to it. */
export interface Surroundings {
  pid: number
  clock: Clock
  workspace: string
  /** The conversation that it begins or goes on with. */
  session: string
  /** It says which texts it took. */
  confirms: boolean
  took: (fingerprint: string) => void
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
  /** What it took as its input, by fingerprint, with the instant. */
  readonly taken: { fingerprint: string; wallAt: number }[] = []
  session: string
  /** What its next hook will be told. */
  order = ''
  /** Texts that are typed to it vanish. */
  loses = false
  /** Its screen moves all the time, as a spinner does. */
  ticking = false
  changedAt: number
  #progress = 0
  #outputs = 0
  #reports = 0
  #calls = 0
  #doing: Doing = { kind: 'thinking' }
  #cancel: () => void = () => {}
  #worked = false
  readonly #clock: Clock
  readonly #surroundings: Surroundings

  constructor(life: Handle, surroundings: Surroundings) {
    this.life = life
    this.workspace = surroundings.workspace
    this.session = surroundings.session
    this.pid = surroundings.pid
    this.#clock = surroundings.clock
    this.#surroundings = surroundings
    this.changedAt = this.#clock.now().monoAt
  }

  /** Identity of the last thing on its screen. */
  get screen(): string {
    if (this.ticking && this.alive) this.#print()
    return `s${this.#outputs}`
  }

  get rests(): boolean {
    return this.#doing.kind === 'idle'
  }

  /** The question that it waits with. */
  get ask(): string | undefined {
    return 'ask' in this.#doing ? this.#doing.ask?.id : undefined
  }

  works(): void {
    this.busy = true
    this.#say({ kind: 'thinking' })
    this.#later(REPORT_EVERY_MS, () => this.#work())
  }

  /** Its account has nothing left, and its program says until when. */
  isLimited(ms: number): void {
    this.becomes({ kind: 'limited', untilWallAt: this.#clock.now().wallAt + ms }, { busy: false })
  }

  /** Says how much its model was last given to read. */
  hasRead(tokens: number): void {
    const { agent, generation } = this.life
    const gauges = { context: { tokens, source: 'transcript' as const } }
    this.#surroundings.report({ agent, generation, witness: 'transcript', gauges, sessionId: this.session })
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

  /** Calls the same again and again; the result is the same, too, or another one each time. */
  repeats(command: string, { everyMs, changes, ok }: { everyMs: number; changes: boolean; ok: boolean }): void {
    this.busy = true
    const call = () => {
      this.#calls += 1
      const result = changes ? `r${this.#calls}` : 'r'
      const { wallAt } = this.#clock.now()
      this.#say(
        { kind: 'thinking' },
        { kind: 'call', tool: 'Bash', call: fingerprint(command), result: fingerprint(result), ok, wallAt },
        `Bash: ${command}`,
      )
      this.#later(everyMs, call)
    }
    this.#later(everyMs, call)
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
    if (this.loses) return
    if (text === CLEAR) {
      this.session += 'c'
      return this.becomes({ kind: 'idle' }, { busy: false })
    }
    this.hears(text)
    if (this.temper === 'obeys') {
      this.#later(ANSWER_MS, () => {
        this.#advance()
        this.works()
      })
    }
  }

  /** Its program takes a text as its input. */
  hears(text: string): void {
    const heard = fingerprint(text)
    this.taken.push({ fingerprint: heard, wallAt: this.#clock.now().wallAt })
    this.#surroundings.took(heard)
    if (!this.#surroundings.confirms) return
    const { agent, generation } = this.life
    const said = { witness: 'hook', stamp: `heard${this.taken.length}`, ageMs: 0, heard } as const
    this.#surroundings.report({ agent, generation, ...said, sessionId: this.session, doing: { kind: 'thinking' } })
  }

  #work(): void {
    if (this.order !== '') {
      this.order = ''
      return this.becomes({ kind: 'idle' }, { busy: false })
    }
    this.#reports += 1
    if (this.#reports % REPORTS_PER_PROGRESS === 0) this.#advance()
    this.#say({ kind: 'thinking' })
    this.#later(REPORT_EVERY_MS, () => this.#work())
  }

  #advance(): void {
    this.#progress += 1
    this.#surroundings.progressed(this.workspace)
  }

  #say(doing: Doing, trace?: Trace, action?: string): void {
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
      sessionId: this.session,
      progress: `p${this.#progress}`,
      activity: {
        ts,
        state: doing.kind === 'idle' ? 'idle' : 'active',
        ...(doing.kind === 'tool' ? { tool: doing.name } : {}),
        ...(action === undefined ? {} : { tool: 'Bash', action }),
      },
      ...(trace === undefined ? {} : { trace }),
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

/** What a command line says: the session to go on with, and the first prompt. */
export function saidIn(argv: readonly string[]): { session: string | undefined; prompt: string | undefined } {
  const after = (flag: string) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined)
  return { session: after('--resume'), prompt: after('--') }
}
