/**
 * An order that does not run away: the worst come first, but rows change places only every few seconds and never while
 * the pointer or the focus is on them. Who is new comes last until then.
 */
import { useEffect, useRef, useState } from 'react'
import type { LiveAgent } from '../../live/store.ts'
import { severityOf, shadeOf } from '../../parts/shade.ts'

const CALM_MS = 10_000

interface CalmOrder {
  agents: readonly LiveAgent[]
  isByName: boolean
  /** Asked when the next change of places is due. */
  isHeld: () => boolean
}

export function useCalmOrder({ agents, isByName, isHeld }: CalmOrder): readonly string[] {
  const [settled, setSettled] = useState<readonly string[]>(() => worstFirst(agents))
  const isFirst = settled.length === 0 && agents.length > 0
  if (isFirst) setSettled(worstFirst(agents))
  const latest = useRef(agents)
  useEffect(() => {
    latest.current = agents
  }, [agents])
  useEffect(() => {
    const timer = setInterval(() => isHeld() || setSettled(worstFirst(latest.current)), CALM_MS)
    return () => clearInterval(timer)
  }, [isHeld])
  return isByName ? agents.map(({ id }) => id) : kept(settled, agents)
}

export function worstFirst(agents: readonly LiveAgent[]): string[] {
  return agents.toSorted((a, b) => severityOf(shadeOf(a)) - severityOf(shadeOf(b))).map(({ id }) => id)
}

/** The settled order without who is gone, and who came since at its end. */
export function kept(settled: readonly string[], agents: readonly Pick<LiveAgent, 'id'>[]): string[] {
  const present = new Set(agents.map(({ id }) => id))
  const stayed = settled.filter((id) => present.delete(id))
  return [...stayed, ...present]
}
