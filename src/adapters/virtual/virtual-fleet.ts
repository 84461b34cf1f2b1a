/**
 * Terminal, processes, git and reports of simulated agents: the in-memory fake of each port, over one state.
 * Faults are switched on from outside: a terminal server that is down, a spawn that fails, an outcome that
 * gets lost, git that cannot save.
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Sighting } from '../../contract/evidence.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Clock, Git, Pane, Processes, Reports, Spawn, Terminal } from '../../core/ports.ts'
import { VirtualAgent } from './virtual-agent.ts'

export interface Faults {
  terminalDown: boolean
  spawnFails: boolean
  salvageFails: boolean
  /** What is done is done, but nobody hears of it. */
  outcomesLost: boolean
  /** Reports lie in the spool and nobody is told. */
  reportsHeld: boolean
}

export class VirtualFleet implements Terminal, Processes, Git, Reports {
  readonly faults: Faults = {
    terminalDown: false,
    spawnFails: false,
    salvageFails: false,
    outcomesLost: false,
    reportsHeld: false,
  }
  /** Every start and every text, for properties to count. */
  readonly deeds: { deed: 'start' | 'type' | 'end' | 'salvage'; agent: AgentId; generation: number; monoAt: number }[] =
    []
  readonly #agents = new Map<AgentId, VirtualAgent>()
  readonly #clock: Clock
  readonly #spool = new Map<string, Sighting>()
  #latched = false
  #reported = 0
  #salvaged = 0
  #listener: ((report: { id: string; sighting: Sighting }) => boolean) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  agent(id: AgentId): VirtualAgent | undefined {
    return this.#agents.get(id)
  }

  /** How many reports nobody has taken yet. */
  get waiting(): number {
    return this.#spool.size
  }

  living(): readonly VirtualAgent[] {
    return [...this.#agents.values()].filter((agent) => agent.alive)
  }

  async list(): Promise<readonly Pane[]> {
    this.#needTerminal()
    const { monoAt } = this.#clock.now()
    return [...this.#agents.values()].map((agent) => ({
      ...agent.life,
      stamp: agent.screen,
      ageMs: monoAt - agent.changedAt,
      dead: !agent.alive,
      ...(agent.exitCode === undefined ? {} : { exitCode: agent.exitCode }),
    }))
  }

  async start(agent: AgentRecord, { generation, run }: Spawn): Promise<Outcome> {
    this.#needTerminal()
    if (this.faults.spawnFails) return { result: 'not_done', detail: 'the program is not there' }
    const report = (sighting: Sighting) => this.receive(sighting)
    const started = new VirtualAgent({ agent: agent.id, generation, run }, this.#clock, report)
    this.#agents.set(agent.id, started)
    this.#did('start', started)
    started.works()
    return this.#lose<Outcome>({ result: 'done' })
  }

  async type(id: AgentId, generation: number, text: string): Promise<Outcome> {
    this.#needTerminal()
    const agent = this.#agents.get(id)
    if (agent === undefined || agent.life.generation !== generation) return { result: 'fenced' }
    if (!agent.alive) return { result: 'not_done', detail: 'its process has ended' }
    this.#did('type', agent)
    agent.takeText(text)
    return this.#lose<Outcome>({ result: 'done' })
  }

  async lookAt(run: string): Promise<{ alive: boolean; busy?: boolean }> {
    const agent = this.#ofRun(run)
    return { alive: agent?.alive ?? false, ...(agent?.busy === undefined ? {} : { busy: agent.busy }) }
  }

  async end(run: string): Promise<{ survivors: readonly string[] }> {
    const agent = this.#ofRun(run)
    if (agent === undefined || !agent.alive) return { survivors: [] }
    if (agent.immortal) return { survivors: [`${run}:child`] }
    this.#did('end', agent)
    agent.dies()
    return this.#lose({ survivors: [] })
  }

  async stopFleet(): Promise<{ stopped: readonly AgentId[]; survivors: readonly string[] }> {
    this.#latched = true
    const stopped: AgentId[] = []
    const survivors: string[] = []
    for (const agent of this.#agents.values()) {
      if (agent.immortal && agent.alive) survivors.push(`${agent.life.run}:child`)
      else {
        if (agent.alive) agent.dies()
        stopped.push(agent.life.agent)
      }
    }
    return this.#lose({ stopped, survivors })
  }

  async rearm(): Promise<void> {
    this.#latched = false
  }

  async sentinel(): Promise<boolean> {
    return this.#latched
  }

  async lookIn(workspace: string): Promise<{ stamp: string; ageMs: number } | undefined> {
    const agent = this.#agents.get(workspace.split('/').at(-1) ?? '')
    return agent === undefined ? undefined : { stamp: `g${agent.progress}`, ageMs: 0 }
  }

  async salvage(agent: AgentRecord): Promise<string | undefined> {
    if (this.faults.salvageFails) throw new Error('the repository cannot be read')
    this.#salvaged += 1
    const living = this.#agents.get(agent.id)
    if (living !== undefined) this.#did('salvage', living)
    return this.#lose(`refs/cloister/${agent.id}/${agent.generation}-${this.#salvaged}`)
  }

  listen(call: (report: { id: string; sighting: Sighting }) => boolean): () => void {
    this.#listener = call
    this.offer()
    return () => {
      this.#listener = undefined
    }
  }

  taken(ids: readonly string[]): void {
    for (const id of ids) this.#spool.delete(id)
  }

  /** Offers again what nobody has taken yet. */
  offer(): void {
    for (const [id, sighting] of this.#spool) this.#listener?.({ id, sighting })
  }

  /** As if a hook had left it. */
  receive(sighting: Sighting): void {
    this.#reported += 1
    const id = `r${this.#reported}`
    this.#spool.set(id, sighting)
    if (!this.faults.reportsHeld) this.#listener?.({ id, sighting })
  }

  #did(deed: 'start' | 'type' | 'end' | 'salvage', { life }: VirtualAgent): void {
    this.deeds.push({ deed, agent: life.agent, generation: life.generation, monoAt: this.#clock.now().monoAt })
  }

  #ofRun(run: string): VirtualAgent | undefined {
    return [...this.#agents.values()].find((agent) => agent.life.run === run)
  }

  #needTerminal(): void {
    if (this.faults.terminalDown) throw new Error('no terminal server answers')
  }

  #lose<T>(answer: T): Promise<T> {
    return this.faults.outcomesLost ? new Promise<T>(() => {}) : Promise.resolve(answer)
  }
}
