/** What saving an agent's work came to: before it is ended, after its verified end, or after an emergency stop. */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import { raise } from './needs-you.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { keepWorkspace } from './workspace-item.ts'

type Whose = Pick<AgentRecord, 'id' | 'generation'>

export function recordSaved(turn: Turn, { id, generation }: Whose, outcome: Partial<Outcome>): void {
  const { salvageRef: ref, noRepository, plain, incomplete, gone, detail } = outcome
  const { workspace } = agentOf(turn, id)
  record(turn, {
    type: 'agent.salvaged',
    agent: id,
    generation,
    ...(ref === undefined ? {} : { ref }),
    ...(plain === undefined ? {} : { plain }),
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(noRepository === true ? { unsaved: `${workspace} is no git repository` } : {}),
    ...(gone === true ? { unsaved: `its workspace ${detail ?? `${workspace} is gone`}`, gone } : {}),
  })
  if (gone === true) keepWorkspace(turn, agentOf(turn, id), { instead: detail })
}

/** What lay there when nothing of it lived any more: the newest snapshot counts, and no other is newer than the end. */
export function recordLate(turn: Turn, { id, generation }: Whose, outcome: Partial<Outcome>): void {
  const { salvageRef: ref, plain, incomplete } = outcome
  if (ref === undefined || ref === agentOf(turn, id).salvages.at(-1)) return
  const files = { ...(plain === undefined ? {} : { plain }), ...(incomplete === undefined ? {} : { incomplete }) }
  record(turn, { type: 'agent.salvaged', agent: id, generation, ref, ...files, late: true })
}

/** It has ended, and what was not saved is nowhere but in its workspace. */
export function reportIncomplete(turn: Turn, { id, workspace }: AgentRecord, outcome: Partial<Outcome>): void {
  const { salvageRef: ref, incomplete } = outcome
  if (ref === undefined || incomplete === undefined) return
  raise(turn, {
    kind: 'salvage_failed',
    agent: id,
    sentence: `Not all work of ${id} was saved (${incomplete}).`,
    hint: `What was saved is ${ref}; the rest lies in ${workspace} alone. Look at it before it is changed.`,
  })
}

/** It has ended, and what it wrote after the first snapshot is nowhere but in its workspace. */
export function reportUnsaved(turn: Turn, { id, workspace, salvages }: AgentRecord, why: string): void {
  const before = salvages.at(-1)
  const saved = before === undefined ? 'Nothing of it was saved before' : `What was saved before its end is ${before}`
  raise(turn, {
    kind: 'salvage_failed',
    agent: id,
    sentence: `What ${id} wrote until its end was not saved (${why}).`,
    hint: `${saved}; its last files may lie in ${workspace} alone. Look at them before they are changed.`,
  })
}
