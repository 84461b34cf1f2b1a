/**
 * What waits for a person, oldest first. What was settled keeps its place for a moment, and for as long as the pointer
 * is over the list and something in it still waits: no answer may come to stand where another one was.
 */
import { useEffect, useState, type RefObject } from 'react'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'

export interface Lingering {
  item: NeedsYou
  isSettled: boolean
}

const LINGER_MS = 4_000

export function useLingering(open: readonly NeedsYou[], list: RefObject<HTMLElement | null>): readonly Lingering[] {
  const [shown, setShown] = useState<readonly Lingering[]>([])
  const all = joined(shown, open)
  if (!isSame(all, shown)) setShown(all)
  const hasSettled = all.some(({ isSettled }) => isSettled)
  const hasOpen = open.length > 0
  useEffect(() => {
    if (!hasSettled) return
    const timer = setInterval(() => {
      const isHeld = hasOpen && list.current?.matches(':hover') === true
      if (!isHeld) setShown((before) => before.filter(({ isSettled }) => !isSettled))
    }, LINGER_MS)
    return () => clearInterval(timer)
  }, [hasSettled, hasOpen, list])
  return all
}

/** Those that were shown and are open no more are settled; what is new comes in by its age. */
export function joined(shown: readonly Lingering[], open: readonly NeedsYou[]): readonly Lingering[] {
  const ids = new Set(open.map(({ id }) => id))
  const settled = shown.flatMap(({ item }) => (ids.has(item.id) ? [] : [{ item, isSettled: true }]))
  return [...settled, ...open.map((item) => ({ item, isSettled: false }))].sort(
    (a, b) => a.item.raisedWallAt - b.item.raisedWallAt || (a.item.id < b.item.id ? -1 : 1),
  )
}

function isSame(one: readonly Lingering[], other: readonly Lingering[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ item, isSettled }, n) => item === other[n]?.item && isSettled === other[n].isSettled)
  )
}
