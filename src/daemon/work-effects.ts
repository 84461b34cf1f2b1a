/** Saves an agent's work, and brings it back. */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Git } from '../core/git-port.ts'
import { ownOf } from '../core/own-repository.ts'
import { restored } from './restored.ts'

type WorkEffect = Extract<AgentEffect, { type: `work.${string}` }>

export async function actOnWork(git: Git, agent: AgentRecord, effect: WorkEffect): Promise<Outcome> {
  const { id, generation, workspace, place } = agent
  const own = ownOf(agent)
  if (effect.type === 'work.restore') {
    const { ref, paths, force } = effect
    return restored(await git.restore({ agent: id, workspace, own, place, ref, paths, force }))
  }
  const since = effect.type === 'work.salvage' ? effect.since : undefined
  const saved = await git.salvage({ agent: id, generation, workspace, own, place, since })
  if (saved === 'clean') return { result: 'done' }
  if (saved === 'no_repository') return { result: 'done', noRepository: true }
  if (saved === 'gone') return { result: 'done', gone: true }
  if ('gone' in saved) return { result: 'done', gone: true, detail: saved.gone.slice(0, 600) }
  if ('unusable' in saved) return { result: 'not_done', detail: saved.unusable }
  const { ref, plain, incomplete } = saved
  return {
    result: 'done',
    salvageRef: ref,
    ...(plain === undefined ? {} : { plain: plain.slice(0, 600) }),
    ...(incomplete === undefined ? {} : { incomplete: incomplete.slice(0, 600) }),
  }
}
