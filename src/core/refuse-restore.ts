/** Files come back only where nobody works, whoever's workspace it is, and only of the agent's own salvages. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentRecord } from '../contract/records.ts'
import { isAtWork, placeOf } from './worktrees.ts'
import type { World } from './world.ts'

export function refuseRestore({ agents }: World, agent: AgentRecord, ref: string): Refusal | undefined {
  const { id } = agent
  if (!ref.startsWith(`refs/cloister/${id}/`) && !ref.startsWith(`salvage/${id}/`)) {
    const hint = `List what there is with \`pan restore ${id}\`.`
    return { code: 'invalid', sentence: `${ref} is no salvage of ${id}`, hint }
  }
  for (const other of agents.values()) {
    if (other.id === id || placeOf(other) !== placeOf(agent) || !isAtWork(other)) continue
    const sentence = `${other.id} works in the same workspace and may be changing its files`
    return { code: 'conflict', sentence, hint: `Kill it first: \`pan agents kill ${other.id}\`.` }
  }
  return undefined
}
