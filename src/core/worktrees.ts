/** Whose a worktree is: one agent's at a time, so that no two write over each other. */
import type { Refusal } from '../contract/commands.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { World } from './world.ts'

type Claim = Pick<AgentRecord, 'id' | 'kind' | 'workspace' | 'worktree'>

/**
 * A worktree has one owner; specialists, which are sent into the worktrees of others, own none. Nobody else is started
 * where one of them works, though.
 */
export function ownerOf(world: Pick<World, 'agents'>, claim: Claim): AgentRecord | undefined {
  if (claim.kind === 'specialist') return undefined
  for (const other of world.agents.values()) {
    if (other.id === claim.id || placeOf(other) !== placeOf(claim)) continue
    if (other.kind === 'specialist') {
      if (worksThere(other)) return other
      continue
    }
    if (isAtWork(other) || other.lifecycle === 'suspended') return other
  }
  return undefined
}

function worksThere({ lifecycle, act }: AgentRecord): boolean {
  return lifecycle === 'active' || act?.kind === 'spawn' || act?.kind === 'resume'
}

export function placeOf({ worktree, workspace }: Claim): string {
  return worktree ?? workspace
}

export function takenBy(owner: AgentRecord, id: string): Refusal {
  return {
    code: 'conflict',
    sentence: `${id} is not started: ${owner.id} ${owner.kind === 'specialist' ? 'works in' : 'owns'} the worktree ${placeOf(owner)}`,
    hint: `${endOf(owner)}, or give ${id} a worktree of its own (\`git worktree add\`).`,
  }
}

function endOf({ id, adopted }: AgentRecord): string {
  if (adopted !== undefined) return `End your session first, or release it with \`pan agents forget ${id}\``
  return `Kill ${id} first (\`pan agents kill ${id}\`)`
}

export function isAtWork(agent: AgentRecord): boolean {
  return lives(agent) || agent.act !== undefined
}
