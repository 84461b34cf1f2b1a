/** What every process of an agent carries, so that its tree can be found and its hooks know whom they speak for. */
import type { Handle } from './ports.ts'

export function runTags(handle: Handle, where: { home: string; homeId: string }): Record<string, string> {
  return { ...treeTags(handle, where.homeId), CLOISTER_SPOOL: where.home }
}

/** Those by which the tree is found; the terminal sets them too, whatever it is given to start. */
export function treeTags({ agent, generation, run }: Handle, homeId: string): Record<string, string> {
  return {
    CLOISTER_RUN: `${homeId}.${run}`,
    CLOISTER_GENERATION: String(generation),
    PANOPTICON_AGENT_ID: agent,
  }
}
