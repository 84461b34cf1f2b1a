/** The handle of an agent's terminal: its processes carry the generation that they were started as. */
import type { AgentRecord } from '../contract/records.ts'
import type { Handle } from './ports.ts'

/** Undefined when the agent was never started. */
export function handleOf({ id, run, generation, bornGeneration, adopted }: AgentRecord): Handle | undefined {
  if (run === undefined) return undefined
  return { agent: id, generation: bornGeneration ?? generation, run, ...(adopted === undefined ? {} : { adopted }) }
}
