/** Whether an agent runs as far as is known: it works, or rests at its prompt. Free of schemas, for whoever starts often. */
import type { AgentRecord } from './records.ts'

export function lives({ lifecycle }: Pick<AgentRecord, 'lifecycle'>): boolean {
  return lifecycle === 'active' || lifecycle === 'idle'
}
