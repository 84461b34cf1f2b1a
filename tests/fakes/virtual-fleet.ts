/**
 * Terminal, processes, git and reports of simulated agents: the in-memory fake of each port, over one state. Faults
 * are switched on from outside: a terminal server that is down, a spawn that fails, an outcome that gets lost.
 */
import type { Adopted, Leader } from '../../src/contract/adopted.ts'
import type { Outcome } from '../../src/contract/effects.ts'
import type { UnusableRepository } from '../../src/contract/evidence.ts'
import type { DiffStat } from '../../src/contract/finished.ts'
import type { AgentId } from '../../src/contract/ids.ts'
import type {
  Found,
  Git,
  GitDescription,
  GitState,
  OwnRepository,
  Restored,
  RestoreRequest,
  Salvage,
  SalvageRequest,
  Saved,
} from '../../src/core/git-port.ts'
import type {
  Adoptee,
  Clock,
  Handle,
  Key,
  Launch,
  Mailbox,
  Pane,
  Processes,
  Terminal,
  View,
  Viewer,
} from '../../src/core/ports.ts'
import { VirtualAgent } from './virtual-agent.ts'
import { VirtualGit } from './virtual-git.ts'
import { adoptable, ended, gone, paneOf, saidIn, VirtualPanes } from './virtual-panes.ts'
import { VirtualReports } from './virtual-reports.ts'

export class VirtualFleet extends VirtualReports implements Terminal, Processes, Git, Mailbox {
  /** Whether agents say which texts they took; and those texts, by fingerprint, of all agents. */
  confirms = false
  readonly heardTexts: string[] = []
  /** The first prompt of the newest start of each. */
  readonly toldAtStart = new Map<AgentId, string>()
  readonly documents = new Map<string, string>()
  readonly git = new VirtualGit()
  /** Every start and every text, for properties to count. */
  readonly deeds: { deed: 'start' | 'type' | 'end' | 'salvage'; agent: AgentId; generation: number; monoAt: number }[] =
    []
  /** By run; of one agent the newest is the last. */
  readonly #agents = new Map<string, VirtualAgent>()
  /** Runs that a person started; only he, or who is told to, ends them. */
  readonly #alone = new Set<string>()
  readonly #panes = new VirtualPanes()
  readonly #watchers = new Set<() => void>()
  /** Runs of which somebody asked before, so that «busy since then» can be told. */
  readonly #asked = new Set<string>()
  readonly #clock: Clock
  /** What a person gave as the reason of an emergency stop. */
  reason: string | undefined
  #started = 0
  #latched = false
  #unrecorded = false

  constructor(clock: Clock) {
    super()
    this.#clock = clock
  }

  agent(id: AgentId): VirtualAgent | undefined {
    return [...this.#agents.values()].findLast(({ life }) => life.agent === id)
  }

  living(): readonly VirtualAgent[] {
    return [...this.#agents.values()].filter((agent) => agent.alive)
  }

  /** As by a person, in a terminal of his own: its identity, so that it can be adopted. */
  async startAlone(id: AgentId): Promise<Adopted> {
    const run = `alone-${id}`
    this.#alone.add(run)
    await this.start({ agent: id, generation: 1, run })
    return adoptable(this.#agents.get(run)?.pid ?? 0)
  }

  async list(adopted: readonly Handle[] = []): Promise<readonly Pane[]> {
    this.#needTerminal()
    const { monoAt } = this.#clock.now()
    const own = [...this.#agents.values()].filter(({ lost, life }) => !lost && !this.#alone.has(life.run))
    return [...own.map(({ life }) => life), ...adopted].flatMap((life) => {
      const agent = this.#ofHandle(life)
      return agent === undefined ? [] : paneOf(agent, life, monoAt)
    })
  }

  async start(handle: Handle, launch?: Launch): Promise<Outcome> {
    this.#needTerminal()
    if (this.faults.spawnFails) return { result: 'not_done', detail: 'the program is not there' }
    const living = this.living().find(({ life }) => life.agent === handle.agent)
    if (living !== undefined) {
      return { result: 'not_done', detail: `the agent still lives in the run ${living.life.run}` }
    }
    const { session, prompt } = saidIn(launch?.argv ?? [])
    if (prompt === undefined) this.toldAtStart.delete(handle.agent)
    else this.toldAtStart.set(handle.agent, prompt)
    this.#started += 1
    const started = new VirtualAgent(handle, {
      pid: this.#started,
      clock: this.#clock,
      workspace: launch?.cwd ?? `/workspaces/${handle.agent}`,
      session: session ?? `s-${handle.run}`,
      confirms: this.confirms,
      took: (text) => void this.heardTexts.push(text),
      report: (sighting) => this.receive(sighting),
      progressed: (workspace) => this.git.stage(workspace),
      wrote: (path, text) => void this.documents.set(path, text),
      died: () => {
        this.#panes.end(handle.run, 'its program has ended')
        this.#hint()
      },
    })
    this.#agents.set(handle.run, started)
    this.#did('start', started)
    this.git.init(started.workspace)
    this.git.edit(started.workspace, 'thoughts.md', `half a thought of ${handle.run}`)
    started.begins({ session, prompt, faults: this.faults })
    return this.#lose<Outcome>({ result: 'done' })
  }

  async type(handle: Handle, text: string): Promise<Outcome> {
    this.#needTerminal()
    const agent = this.#ofHandle(handle)
    if (agent === undefined) return gone
    if (!agent.alive) return ended
    this.#did('type', agent)
    agent.takeText(text)
    this.#panes.print(handle.run, `${text}\r\n`)
    return this.#lose<Outcome>({ result: 'done' })
  }

  async press(handle: Handle, key: Key): Promise<Outcome> {
    this.#needTerminal()
    const agent = this.#ofHandle(handle)
    if (agent === undefined) return gone
    if (!agent.alive) return ended
    if (key === 'Escape') agent.becomes({ kind: 'idle' }, { busy: false })
    return { result: 'done' }
  }

  async view(handle: Handle, viewer: Viewer): Promise<View | undefined> {
    this.#needTerminal()
    const agent = this.#ofHandle(handle)
    return agent === undefined ? undefined : this.#panes.view(agent, viewer)
  }

  async screen(handle: Handle): Promise<string | undefined> {
    this.#needTerminal()
    const agent = this.#ofHandle(handle)
    return agent?.alive === true ? `${agent.typed.join('\n')}\n> ${agent.draft}` : undefined
  }

  async remove(handle: Handle): Promise<void> {
    this.#needTerminal()
    const agent = this.#ofHandle(handle)
    if (agent?.alive === true) {
      throw new Error(`The terminal of ${handle.agent} was kept: its program still runs. Stop the agent first.`)
    }
    if (agent !== undefined) this.#agents.delete(handle.run)
    this.#panes.end(handle.run, 'the terminal was closed')
  }

  watch(call: () => void): () => void {
    this.#watchers.add(call)
    return () => this.#watchers.delete(call)
  }

  attachCommand({ agent }: Handle): readonly string[] {
    return ['echo', `${agent} is simulated and has no terminal`]
  }

  async close(): Promise<void> {
    this.#panes.endAll('the daemon stopped showing it')
  }

  async answer(run: string, ask: string): Promise<Outcome> {
    const agent = this.#agents.get(run)
    if (agent?.alive !== true || agent.ask !== ask) return { result: 'not_done', detail: 'nobody waits for it' }
    agent.works()
    return this.#lose<Outcome>({ result: 'done' })
  }

  async order(run: string, text: string): Promise<Outcome> {
    const agent = this.#agents.get(run)
    if (agent !== undefined) agent.order = text
    return { result: 'done' }
  }

  async lookAt(run: string, leader?: Leader): ReturnType<Processes['lookAt']> {
    const agent = this.#ofTree(run, leader)
    if (agent?.alive !== true) return { alive: false }
    const busy = agent.hasWorked()
    const { pid } = agent
    if (this.#asked.has(run)) return { alive: true, pid, ...(busy === undefined ? {} : { busy }) }
    this.#asked.add(run)
    return { alive: true, pid }
  }

  async end(run: string, leader?: Leader): Promise<{ survivors: readonly string[] }> {
    const agent = this.#ofTree(run, leader)
    if (agent === undefined || !agent.alive) return { survivors: [] }
    if (agent.immortal) return { survivors: [`${run}:child`] }
    this.#did('end', agent)
    if (agent.writesToTheEnd) this.git.edit(agent.workspace, 'last.md', `the last thought of ${run}`)
    agent.dies()
    return this.#lose({ survivors: [] })
  }

  async stopFleet(
    adopted: readonly Adoptee[] = [],
  ): Promise<{ runs: readonly string[]; survivors: readonly string[] }> {
    this.#latched = true
    this.#unrecorded = false
    const meant = adopted.map(({ run, leader }) => this.#ofTree(run, leader))
    const living = this.living().filter((agent) => !this.#alone.has(agent.life.run) || meant.includes(agent))
    const survivors = living.filter((agent) => agent.immortal).map((agent) => `${agent.life.run}:child`)
    for (const agent of living) if (!agent.immortal) agent.dies()
    return this.#lose({ runs: living.filter((agent) => !agent.immortal).map((agent) => agent.life.run), survivors })
  }

  async rearm(): Promise<void> {
    this.#latched = false
  }

  async sentinel(): Promise<boolean> {
    return this.#latched
  }

  async stopNote(): Promise<{ reason?: string }> {
    return this.reason === undefined ? {} : { reason: this.reason }
  }

  /** As by `pan cloister resume` while no daemon runs. */
  resumeUnrecorded(): void {
    this.#unrecorded = this.#latched
    this.#latched = false
  }

  async unrecordedStop(): Promise<boolean> {
    return this.#unrecorded
  }

  async forgetStop(): Promise<void> {
    this.#unrecorded = false
  }

  /** Whoever is started works in a repository. */
  async find(workspace: string): Promise<Found> {
    const found = await this.git.find(workspace)
    if (found.repository === 'none') this.git.init(workspace)
    return this.git.find(workspace)
  }

  isGone(workspace: string): Promise<boolean> {
    return this.git.isGone(workspace)
  }

  unusable(where: Parameters<Git['unusable']>[0]): Promise<UnusableRepository | undefined> {
    return this.git.unusable(where)
  }

  lookIn(workspace: string, own?: OwnRepository): Promise<GitState | undefined> {
    return this.git.lookIn(workspace, own)
  }

  async salvage(request: SalvageRequest): Promise<Saved> {
    const living = this.agent(request.agent)
    const isTooLate = living?.alive !== true && this.faults.lateSalvageFails
    if (this.faults.salvageFails || isTooLate) throw new Error('the repository cannot be read')
    if (living !== undefined) this.#did('salvage', living)
    return this.#lose(await this.git.salvage(request))
  }

  describe(workspace: string): Promise<GitDescription | undefined> {
    return this.git.describe(workspace)
  }

  diffStat(workspace: string): Promise<DiffStat | undefined> {
    return this.git.diffStat(workspace)
  }

  salvages(agent: AgentId, workspace: string): Promise<readonly Salvage[]> {
    return this.git.salvages(agent, workspace)
  }

  async restore(request: RestoreRequest): Promise<Restored> {
    if (this.faults.salvageFails) throw new Error('the repository cannot be read')
    return this.#lose(await this.git.restore(request))
  }

  #did(deed: 'start' | 'type' | 'end' | 'salvage', { life }: VirtualAgent): void {
    this.deeds.push({ deed, agent: life.agent, generation: life.generation, monoAt: this.#clock.now().monoAt })
  }

  #ofTree(run: string, leader: Leader | undefined): VirtualAgent | undefined {
    if (leader === undefined) return this.#agents.get(run)
    return [...this.#agents.values()].find(({ pid, alive }) => alive && pid === leader.pid)
  }

  #ofHandle({ agent, generation, run, adopted }: Handle): VirtualAgent | undefined {
    const found = this.#ofTree(run, adopted?.leader)
    const isIt = found?.lost === false && found.life.agent === agent && found.life.generation === generation
    return isIt ? found : undefined
  }

  #hint(): void {
    if (!this.faults.hintsLost) for (const call of this.#watchers) call()
  }

  #needTerminal(): void {
    if (this.faults.terminalDown) throw new Error('no terminal server answers')
  }

  #lose<T>(answer: T): Promise<T> {
    return this.faults.outcomesLost ? new Promise<T>(() => {}) : Promise.resolve(answer)
  }
}
