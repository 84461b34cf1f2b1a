/** Saves an agent's work, and brings it back. */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Git } from '../core/git-port.ts'
import { restored } from './restored.ts'

type WorkEffect = Extract<AgentEffect, { type: `work.${string}` }>

export async function actOnWork(
  git: Git,
  { id, generation, workspace }: AgentRecord,
  effect: WorkEffect,
): Promise<Outcome> {
  if (effect.type === 'work.restore') {
    const { ref, paths, force } = effect
    return restored(await git.restore({ workspace, ref, paths, force }))
  }
  const saved = await git.salvage(id, generation, workspace)
  if (saved === 'no_repository') return { result: 'done', noRepository: true }
  return { result: 'done', ...(saved === 'clean' ? {} : { salvageRef: saved.ref }) }
}
