/** Whom what needs you is about: one agent, several that share a trouble, or nobody. */
import { useMemo } from 'react'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'
import { useStatus } from '../live/store.ts'

export function agentsOf({ agent, agents = [] }: Pick<NeedsYou, 'agent' | 'agents'>): readonly string[] {
  return agent === undefined ? agents : [agent]
}

/** Every agent that needs you. */
export function useNeedsYou(): ReadonlySet<string> {
  const items = useStatus()?.needsYou
  return useMemo(() => new Set(items?.flatMap(agentsOf)), [items])
}
