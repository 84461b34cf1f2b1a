/** What a session and its subagents used, all models together. */
import type { Tokens } from '../../core/runtime-port.ts'
import { Transcripts } from './transcripts.ts'
import { addTo, nothing } from './transcripts/ledger.ts'

let transcripts: Transcripts | undefined

export async function usageOf(transcript: string): Promise<Tokens> {
  transcripts ??= new Transcripts()
  const { models } = await transcripts.look(transcript)
  const sum = nothing()
  for (const figures of Object.values(models)) addTo(sum, figures)
  return sum
}
