/** Turns what hooks left in the spool into sightings, in the words of the agent's own runtime. */
import type { Sighting } from '../contract/evidence.ts'
import { lives } from '../contract/lives.ts'
import type { Fact } from '../contract/open-work.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Clock, RawReport, Spool } from '../core/ports.ts'
import type { LivingSession, Runtime } from '../core/runtime-port.ts'

/** What agents report by themselves. A report is kept by its sender until it is taken. */
export interface Reports {
  /** The listener answers false when it cannot take more now; the report is offered again later. */
  listen(call: (report: { id: string; sighting: Sighting | undefined }) => boolean): () => void
  /** Called after what these reports said is durable. */
  taken(ids: readonly string[]): void
  /** Offers again all that was not taken. */
  offer(): void
  /** Why reports do not arrive at present; undefined when nothing stands in their way. */
  deaf(): string | undefined
}

export interface ReportsOptions {
  spool: Spool
  clock: Clock
  runtimes: ReadonlyMap<string, Runtime>
  agentOfRun: (run: string) => AgentRecord | undefined
  /** Agents that were adopted: their reports name no run, only their session. */
  adopted?: () => Iterable<AgentRecord>
}

const BEGINNINGS: readonly Fact['fact'][] = ['session_began', 'prompt_heard']

/** The run of reports from a person's own sessions. */
const USER = 'user'

/** A report that says nothing, or of nobody we know, is still passed on, so that it is taken and goes away. */
export function spoolReports({ spool, clock, runtimes, agentOfRun, adopted = () => [] }: ReportsOptions): Reports {
  return {
    listen: (call) =>
      spool.listen((given) => {
        const agent = given.run === USER ? readable(() => ownerOf(given, { runtimes, adopted })) : agentOfRun(given.run)
        const raw = given.run === USER && agent !== undefined ? asOfRun(given, agent) : given
        const runtime = agent === undefined ? undefined : runtimes.get(agent.runtime)
        const said = readable(() => runtime?.read(raw, agent?.bounds))
        // What it keeps of itself changes in the same moment.
        if (said?.facts?.some(({ fact }) => BEGINNINGS.includes(fact)) === true) runtime?.insight?.heard(raw.run)
        const sighting = agent === undefined || said === undefined ? undefined : toSighting(raw, agent, said)
        return call({ id: raw.id, sighting })
      }),
    taken: (ids) => spool.taken(ids),
    offer: () => spool.offer(),
    deaf: () => spool.deaf(),
  }

  function toSighting(raw: RawReport, agent: AgentRecord, said: Partial<Sighting>): Sighting {
    const ageMs = Math.max(0, clock.now().wallAt - raw.wallAt)
    return { witness: 'hook', stamp: raw.id, ageMs, ...said, agent: agent.id, generation: raw.generation }
  }
}

/** What an agent's program writes must not end the daemon, at this start and at every later one: it says nothing then. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * By the program that has the session open now, since the same session can be gone on with in another one, and a new one
 * be begun in the same. One that has just ended has none open: then by the session that was last known.
 */
function ownerOf(raw: RawReport, given: Pick<ReportsOptions, 'runtimes'> & Required<Pick<ReportsOptions, 'adopted'>>) {
  const agents = [...given.adopted()].filter(isLiving)
  for (const runtime of agents.length === 0 ? [] : given.runtimes.values()) {
    const session = runtime.sessionOf?.(raw)
    const holders = runtime.sessions?.living().filter((each) => each.session === session) ?? []
    const found = agents.find((agent) => {
      if (agent.runtime !== runtime.name || session === undefined) return false
      return holders.length === 0 ? agent.sessionId === session : holders.some((each) => isLeader(agent, each))
    })
    if (found !== undefined) return found
  }
  return undefined
}

function isLeader({ adopted }: AgentRecord, { pid, startTime }: LivingSession): boolean {
  return adopted?.leader.pid === pid && adopted.leader.startTime === startTime
}

function isLiving(agent: AgentRecord): boolean {
  return agent.adopted !== undefined && lives(agent)
}

function asOfRun(raw: RawReport, { run = USER, generation, bornGeneration }: AgentRecord): RawReport {
  return { ...raw, run, generation: bornGeneration ?? generation }
}
