/** What every process of an agent carries, so that its tree can be found and its hooks know whom they speak for. */
import type { Handle } from './ports.ts'

export function runTags(
  { agent, generation, run }: Handle,
  where: { home: string; homeId: string },
): Record<string, string> {
  return {
    CLOISTER_RUN: `${where.homeId}.${run}`,
    CLOISTER_GENERATION: String(generation),
    CLOISTER_SPOOL: where.home,
    PANOPTICON_AGENT_ID: agent,
  }
}
