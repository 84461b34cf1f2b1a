/** How many need you, in the words of the control bar; nothing when nobody does. */
import type { NeedsYou } from '../../../../src/contract/records.ts'

export function attentionWords(items: readonly Pick<NeedsYou, 'agent'>[]): string | undefined {
  const agents = new Set(items.flatMap(({ agent }) => agent ?? [])).size
  const others = items.filter(({ agent }) => agent === undefined).length
  if (agents > 0) return agents === 1 ? '1 agent needs attention' : `${agents} agents need attention`
  if (others > 0) return others === 1 ? '1 thing needs attention' : `${others} things need attention`
  return undefined
}
