/** One simulated agent: what it does, what its witnesses would see, and how it takes being typed to. */
import type { Doing, Gauges, Sighting, Trace } from '../../src/contract/evidence.ts'
import { MINUTE, SECOND } from '../../src/core/durations.ts'
import { fingerprint } from '../../src/core/fingerprint.ts'
import { obeyed } from '../../src/core/handoffs/orders.ts'
import type { Clock, Handle } from '../../src/core/ports.ts'
import type { Fact } from '../../src/contract/open-work.ts'
import type { Faults } from './virtual-reports.ts'
import type { Surroundings } from './virtual-surroundings.ts'

const REPORT_EVERY_MS = MINUTE
const REPORTS_PER_PROGRESS = 5
const ANSWER_MS = 30 * SECOND

/** What it takes for the command to clear its context. */
export const CLEAR = '/clear'

/** What stands in the text that makes it save its state, and in the one that makes it take over. */
const SAVES = 'goes on with your work'
const TAKES_OVER = 'CLOISTER-NEXT '
const SAVING_MS = 20 * SECOND

/** `talks`: it answers whatever it is told in words, and does nothing. */
export type Temper = 'obeys' | 'ignores' | 'talks'

interface Beginning {
  session: string | undefined
  prompt: string | undefined
  faults: Pick<Faults, 'resumesDie' | 'successors'>
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
  /** Files until the last moment, also after it was saved. */
  writesToTheEnd = false
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
  /** What it writes when it is told to write down where it stands. */
  writes: 'whole' | 'half' | 'nothing' = 'whole'
  /** The command to clear its context works; it says its next step. */
  clears = true
  echoes = true
  changedAt: number
  #progress = 0
  #outputs = 0
  #reports = 0
  #calls = 0
  #doing: Doing = { kind: 'thinking' }
  #cancel: () => void = () => {}
  #worked = false
  /** Calls that it has open, where it reports them as facts. */
  readonly #open = new Set<string>()
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

  /** Its first moment, alone or with a session to go on with. */
  begins({ session, prompt, faults }: Beginning): void {
    const takesOver = prompt?.includes(TAKES_OVER) === true
    if (takesOver ? faults.successors === 'die' : session !== undefined && faults.resumesDie) return this.dies(1)
    this.works()
    if (takesOver && faults.successors === 'rest') return this.silent({ rests: true })
    if (prompt !== undefined) this.takeText(prompt)
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

  /** Says how much its model was last given to read, of how much it can, or what it cost so far. */
  measures(gauges: Gauges): void {
    this.tell({ witness: 'transcript', gauges, sessionId: this.session })
  }

  /** Whatever one of its witnesses says. */
  tell(said: Omit<Sighting, 'agent' | 'generation'>): void {
    const { agent, generation } = this.life
    this.#surroundings.report({ agent, generation, ...said })
  }

  /** Has made a call of which more is known than that it was made. */
  called(tool: string, known: Pick<Extract<Trace, { kind: 'call' }>, 'test' | 'planned'>): void {
    this.#calls += 1
    const { wallAt } = this.#clock.now()
    const prints = { call: fingerprint(tool), result: fingerprint(`r${this.#calls}`) }
    this.#say({ kind: 'thinking' }, { kind: 'call', tool, ...prints, ok: true, ...known, wallAt }, tool)
  }

  /** Says once what it does, and then nothing more. */
  becomes(doing: Doing, { busy }: { busy: boolean }): void {
    this.busy = busy
    this.#cancel()
    this.#say(doing)
  }

  /** A person cuts its turn short in its own terminal: no hook says so, its program's own note does. */
  cutShort(): void {
    this.busy = false
    this.#cancel()
    this.#doing = { kind: 'idle' }
    this.tell({ witness: 'registry', stamp: `cut${this.#outputs}`, ageMs: 0, doing: this.#doing, objects: true })
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

  /** Begins a call beside those that are open. */
  opens(id: string, call: { tool: string; boundMs?: number }): void {
    this.#cancel()
    this.#open.add(id)
    this.#fact({ fact: 'call_opened', id, actor: '', identity: id, ...call })
  }

  closes(id: string): void {
    this.#open.delete(id)
    this.#fact({ fact: 'call_closed', id, actor: '' })
  }

  /** Its service refuses it for so long, and its program waits for that by itself. */
  waitsOut(ms: number): void {
    this.#cancel()
    this.busy = false
    const untilWallAt = this.#clock.now().wallAt + ms
    const doing: Doing = { kind: 'limited', waits: true, untilWallAt }
    this.tell({ witness: 'transcript', stamp: `w${this.#outputs}`, ageMs: 0, doing, objects: true })
  }

  /** Its program says that it waits for input, a while after it began to. */
  notices(): void {
    this.#fact({ fact: 'rest_noticed' })
  }

  #fact(fact: Fact): void {
    this.#print()
    const said = { witness: 'hook', stamp: `f${this.#outputs}`, ageMs: 0, facts: [fact] } as const
    this.tell({ ...said, facts: [fact], sessionId: this.session })
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
    if (text === CLEAR && !this.clears) return
    if (text === CLEAR) {
      this.session += 'c'
      return this.becomes({ kind: 'idle' }, { busy: false })
    }
    this.hears(text)
    // It only waits for the end of the calls that are open.
    if (this.#open.size > 0) return
    if (this.temper === 'obeys' && text.includes(SAVES)) return this.#save()
    const asked = obeyed(text, 'the tests')
    if (asked !== undefined) return this.writes === 'nothing' ? this.works() : this.#write(asked)
    if (this.temper === 'talks') return this.#talk()
    if (this.temper === 'obeys') {
      this.#echo(text)
      this.#later(ANSWER_MS, () => {
        this.#advance()
        this.works()
      })
    }
  }

  /** «I am on it.» */
  #talk(): void {
    this.#say({ kind: 'thinking' })
    this.#later(ANSWER_MS, () => this.becomes({ kind: 'idle' }, { busy: false }))
  }

  #save(): void {
    this.#say({ kind: 'thinking' })
    this.#later(SAVING_MS, () => this.becomes({ kind: 'idle' }, { busy: false }))
  }

  #write({ path, text }: { path: string; text: string }): void {
    const written = this.writes === 'half' ? text.slice(0, text.length / 2) : text
    this.#surroundings.wrote(`${this.workspace}/${path}`, written)
    this.#save()
  }

  /** What it is asked to say first. */
  #echo(text: string): void {
    const [, nonce] = new RegExp(`${TAKES_OVER}([A-Za-z0-9]+) `).exec(text) ?? []
    if (nonce === undefined || !this.echoes) return
    const echo = { nonce, task: 'the tests', step: 'go on with the tests' }
    this.tell({ witness: 'hook', stamp: `echo-${nonce}`, ageMs: 0, echo })
  }

  /** Its program takes a text as its input. */
  hears(text: string): void {
    const heard = fingerprint(text)
    this.taken.push({ fingerprint: heard, wallAt: this.#clock.now().wallAt })
    this.#surroundings.took(heard)
    if (!this.#surroundings.confirms && this.#open.size === 0) return
    if (this.#open.size > 0) return this.#fact({ fact: 'prompt_heard' })
    const said = { witness: 'hook', stamp: `heard${this.taken.length}`, ageMs: 0, heard } as const
    this.tell({ ...said, sessionId: this.session, doing: { kind: 'thinking' } })
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
    this.tell({
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
