/** Turns what hooks left in the spool into sightings, in the words of the agent's own runtime. */
import type { Sighting } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Clock, RawReport, Spool } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

/** What agents report by themselves. A report is kept by its sender until it is taken. */
export interface Reports {
  /** The listener answers false when it cannot take more now; the report is offered again later. */
  listen(call: (report: { id: string; sighting: Sighting | undefined }) => boolean): () => void
  /** Called after what these reports said is durable. */
  taken(ids: readonly string[]): void
  /** Offers again all that was not taken. */
  offer(): void
}

export interface ReportsOptions {
  spool: Spool
  clock: Clock
  runtimes: ReadonlyMap<string, Runtime>
  agentOfRun: (run: string) => AgentRecord | undefined
}

/** A report that says nothing, or of nobody we know, is still passed on, so that it is taken and goes away. */
export function spoolReports({ spool, clock, runtimes, agentOfRun }: ReportsOptions): Reports {
  return {
    listen: (call) =>
      spool.listen((raw) => {
        const agent = agentOfRun(raw.run)
        const said = agent === undefined ? undefined : runtimes.get(agent.runtime)?.read(raw)
        const sighting = agent === undefined || said === undefined ? undefined : toSighting(raw, agent, said)
        return call({ id: raw.id, sighting })
      }),
    taken: (ids) => spool.taken(ids),
    offer: () => spool.offer(),
  }

  function toSighting(raw: RawReport, agent: AgentRecord, said: Partial<Sighting>): Sighting {
    const ageMs = Math.max(0, clock.now().wallAt - raw.wallAt)
    return { witness: 'hook', stamp: raw.id, ageMs, ...said, agent: agent.id, generation: raw.generation }
  }
}
