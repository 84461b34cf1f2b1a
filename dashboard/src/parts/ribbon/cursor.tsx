/** The minute that is looked at, shared by all ribbons on a page. The line is moved without drawing anything anew. */
import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react'

export interface Pointed {
  /** Wall clock, a whole minute. */
  at: number
  /** Whose ribbon the pointer or the focus is on. */
  agent: string
}

export class Cursor {
  readonly #calls = new Set<() => void>()
  #pointed: Pointed | undefined

  current = (): Pointed | undefined => this.#pointed

  set(pointed: Pointed | undefined): void {
    if (pointed?.at === this.#pointed?.at && pointed?.agent === this.#pointed?.agent) return
    this.#pointed = pointed
    for (const call of this.#calls) call()
  }

  subscribe = (call: () => void): (() => void) => {
    this.#calls.add(call)
    return () => this.#calls.delete(call)
  }
}

const Shared = createContext(new Cursor())

export function CursorProvider({ children }: { children: ReactNode }) {
  const [cursor] = useState(() => new Cursor())
  return <Shared value={cursor}>{children}</Shared>
}

export function useCursor(): Cursor {
  return useContext(Shared)
}

/** Undefined while nobody points; then «now» is what counts. */
export function usePointed(): Pointed | undefined {
  const cursor = useCursor()
  return useSyncExternalStore(cursor.subscribe, cursor.current)
}

/** The minute alone: what does not care about whom does not draw anew from row to row. */
export function usePointedMinute(): number | undefined {
  const cursor = useCursor()
  return useSyncExternalStore(cursor.subscribe, () => cursor.current()?.at)
}
