/** One look at all agents: asks each witness once and brings back only what changed. Decides nothing. */
import type { StopNote } from '../core/inputs.ts'
import type { Sighting, Witness } from '../contract/evidence.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Git } from '../core/git-port.ts'
import { handleOf } from '../core/handle.ts'
import { ownOf } from '../core/own-repository.ts'
import type { Pane, Processes, Terminal } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

export interface Witnesses {
  terminal: Terminal
  processes: Processes
  git: Git
  /** Those that see more of their own programs. */
  runtimes?: ReadonlyMap<string, Runtime>
  /** The plan of its issue, where it is whole; left out, nobody looks for one. */
  planOf?: (agent: AgentRecord) => Promise<Sighting['plan']>
}

export interface Look extends StopNote {
  sightings: readonly Sighting[]
  blind?: string
  sentinel: boolean
}

const AT_ONCE = 16

export class Observer {
  readonly #witnesses: Witnesses
  /** What was last brought back, per agent and witness, so that a quiet agent costs nothing further on. */
  readonly #last = new Map<string, string>()
  /** Agents whose pane the last look did not find, with the run that it should have had. */
  readonly #missed = new Map<string, string>()

  constructor(witnesses: Witnesses) {
    this.#witnesses = witnesses
  }

  /** Witnesses that are switched off are not asked. */
  async look(agents: Iterable<AgentRecord>, off: readonly Witness[] = []): Promise<Look> {
    const { processes, terminal } = this.#witnesses
    let sentinel = false
    const living = [...agents].filter(lives)
    let panes: readonly Pane[]
    try {
      sentinel = await processes.sentinel()
      panes = await terminal.list(living.flatMap((agent) => (inForeignPane(agent) ? (handleOf(agent) ?? []) : [])))
    } catch (error) {
      return { sightings: [], ...(await this.latched(sentinel)), blind: messageOf(error) }
    }
    const sightings = await this.#witness(living, panes, off)
    return { sightings, ...(await this.latched(sentinel)) }
  }

  /**
   * Asked after all else: whom an emergency stop ended is then never seen dead without it, and a stop from which a
   * person resumed during the look is not taken for a new one.
   */
  async latched(before = false): Promise<Pick<Look, 'sentinel'> & StopNote> {
    const { processes } = this.#witnesses
    const isThere = () => processes.sentinel().catch(() => before)
    if (!(await isThere())) return { sentinel: false }
    const note = await processes.stopNote()
    // Again, with nothing more to wait for: the house may have been re-armed while the note was read.
    return (await isThere()) ? { sentinel: true, ...note } : { sentinel: false }
  }

  /** One agent alone, by what its runtime sees of it: for a hint that concerns nobody else. */
  glance(agent: AgentRecord, off: readonly Witness[] = []): readonly Sighting[] {
    if (!lives(agent)) return []
    return this.#insightsOf(agent).filter((sighting) => !off.includes(sighting.witness) && this.#isNews(sighting))
  }

  /** A witness that fails says nothing: unknown is not dead. */
  #insightsOf(agent: AgentRecord): Sighting[] {
    try {
      const said = this.#witnesses.runtimes?.get(agent.runtime)?.insight?.look(agent) ?? []
      return said.map((each) => ({ ...each, ...of(agent) }))
    } catch {
      return []
    }
  }

  #retain(living: readonly AgentRecord[]): void {
    const runs = new Set(living.flatMap(({ run }) => run ?? []))
    for (const { insight } of this.#witnesses.runtimes?.values() ?? []) insight?.retain(runs)
  }

  async #witness(living: readonly AgentRecord[], panes: readonly Pane[], off: readonly Witness[]): Promise<Sighting[]> {
    // A pane of an earlier run may still stand there, dead.
    const byRun = new Map(panes.map((pane) => [pane.run, pane]))
    this.#retain(living)
    const sightings: Sighting[] = []
    for (let i = 0; i < living.length; i += AT_ONCE) {
      const some = await Promise.all(
        living.slice(i, i + AT_ONCE).map((each) => this.#lookAt(each, byRun.get(each.run ?? ''), off)),
      )
      sightings.push(...some.flat())
    }
    return sightings
  }

  async #lookAt(agent: AgentRecord, pane: Pane | undefined, off: readonly Witness[]): Promise<Sighting[]> {
    const asked = <T>(witness: Witness, question: () => T) => (off.includes(witness) ? undefined : question())
    const [process, git] = await Promise.all([
      asked('process', () => this.#processOf(agent)),
      asked('git', () => this.#gitOf(agent)),
    ])
    const terminal = this.#terminalOf(agent, pane)
    // Between its start and its first own instruction a process does not carry its tag yet: unknown is not dead.
    const isUntagged = terminal?.alive === true && process?.alive === false
    const sightings = [terminal, isUntagged ? undefined : process, git].filter(
      (sighting) => sighting !== undefined && this.#isNews(sighting),
    ) as Sighting[]
    return [...sightings, ...this.glance(agent, off)]
  }

  /** A pane that one look misses may be just coming or going; one that two miss is lost. */
  #terminalOf(agent: AgentRecord, pane: Pane | undefined): Sighting | undefined {
    if (agent.adopted !== undefined) return pane === undefined ? undefined : printedIn(agent, pane)
    if (pane?.generation === (agent.bornGeneration ?? agent.generation) && pane.agent === agent.id) {
      this.#missed.delete(agent.id)
      return terminalOf(agent, pane)
    }
    const isLost = agent.run !== undefined && this.#missed.get(agent.id) === agent.run
    if (agent.run !== undefined) this.#missed.set(agent.id, agent.run)
    return isLost ? { ...of(agent), witness: 'terminal', lost: true } : undefined
  }

  async #processOf(agent: AgentRecord): Promise<Sighting | undefined> {
    if (agent.run === undefined) return undefined
    try {
      return { ...of(agent), witness: 'process', ...(await this.#lookAtTree(agent.run, agent)) }
    } catch {
      // A witness that cannot tell says nothing: unknown is not dead.
      return undefined
    }
  }

  #lookAtTree(run: string, { adopted }: AgentRecord): ReturnType<Processes['lookAt']> {
    const { processes } = this.#witnesses
    return adopted === undefined ? processes.lookAt(run) : processes.lookAt(run, adopted.leader)
  }

  async #gitOf(agent: AgentRecord): Promise<Sighting | undefined> {
    try {
      const { git, planOf } = this.#witnesses
      const [state, plan] = await Promise.all([git.lookIn(agent.workspace, ownOf(agent)), planOf?.(agent)])
      if (state === undefined) return await this.#missingOf(agent)
      const planned = plan === undefined ? {} : { plan }
      return { ...of(agent), witness: 'git', ...state, progress: state.stamp, ...planned }
    } catch {
      return undefined
    }
  }

  /** Without its repository all that can be said of it is whether it is there, and where a commit would go. */
  async #missingOf(agent: AgentRecord): Promise<Sighting | undefined> {
    const { git } = this.#witnesses
    const seen = { ...of(agent), witness: 'git' } as const
    if (await git.isGone(agent.place ?? agent.workspace)) return { ...seen, missing: true }
    const unusable = await git.unusable({ workspace: agent.workspace, own: ownOf(agent), place: agent.place })
    if (unusable !== undefined) return { ...seen, unusable }
    const before = agent.evidence.git
    return before?.missing === true || before?.unusable !== undefined ? seen : undefined
  }

  /**
   * A busy process is news at every look, since each is another sign of work; so is whatever is said against what is
   * believed, as long as that is believed. A dead one is told twice, to be sure.
   */
  #isNews(sighting: Sighting): boolean {
    const { ageMs: _, plan, ...rest } = sighting
    const always = sighting.busy === true || sighting.objects === true
    const key = `${sighting.agent} ${sighting.witness}`
    const said = JSON.stringify(plan === undefined ? rest : { ...rest, plan: [plan.path, plan.stamp] })
    const last = this.#last.get(key)
    const isAgain = sighting.alive === false && last === said
    if (!always && !isAgain && (last === said || last === `${said} again`)) return false
    this.#last.set(key, isAgain ? `${said} again` : said)
    return true
  }
}

/** The pane is the person's: that it goes, or that another program is in it, says nothing of the session. */
function printedIn(agent: AgentRecord, { stamp, ageMs }: Pane): Sighting {
  return { ...of(agent), witness: 'terminal', stamp, ageMs }
}

function inForeignPane({ adopted }: AgentRecord): boolean {
  return adopted?.pane !== undefined
}

function terminalOf(agent: AgentRecord, pane: Pane): Sighting {
  const { stamp, ageMs, dead, exitCode } = pane
  const ended = exitCode === undefined ? {} : { exitCode }
  return { ...of(agent), witness: 'terminal', stamp, ageMs, alive: !dead, ...ended }
}

function of(agent: AgentRecord): { agent: string; generation: number } {
  return { agent: agent.id, generation: agent.generation }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
