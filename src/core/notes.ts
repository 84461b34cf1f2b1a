/** What an agent that does not run has to know when it is started again. It is told by a message of the ledger. */
import type { AgentRecord } from '../contract/records.ts'
import { queueMessage } from './deliveries.ts'
import { CLOISTER } from './task-texts.ts'
import { agentOf, record, type Turn } from './turn.ts'

export function leaveNote(turn: Turn, id: string, note: string): void {
  const { generation, adopted } = agentOf(turn, id)
  if (adopted === undefined) record(turn, { type: 'agent.noted', agent: id, generation, note: note.slice(0, 1000) })
}

/** Only one who remembers what it was doing, or was told what to do, knows what they are about. */
export function tellNotes(turn: Turn, { id, notes = [], act }: AgentRecord): void {
  const remembers = act?.kind === 'resume' || act?.anew === true
  if (notes.length === 0 || !remembers) return
  queueMessage(turn, agentOf(turn, id), { by: CLOISTER, text: notes.map((note) => `Cloister: ${note}`).join('\n') })
}
