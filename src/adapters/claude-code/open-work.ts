/**
 * What one run of a client has open: tool calls by their id, waits for a person, and what it does beside them.
 * Calls run side by side and subagents report under the same run, so the end of one call says nothing of the others.
 */
import type { Doing } from '../../contract/evidence.ts'

/** Who reports: a subagent's id, or the empty text for the main conversation. */
export type Actor = string

interface OpenCall {
  actor: Actor
  identity: string
  doing: Doing
}

interface Wait {
  actor: Actor
  /** The call that waits, where it is known. */
  call: string | undefined
  doing: Doing
}

const CALLS_LIMIT = 200

export class OpenWork {
  readonly #calls = new Map<string, OpenCall>()
  readonly #waits = new Map<string, Wait>()
  #rest: Doing | undefined
  #shown: string | undefined

  /** Between calls: thinking, idle, in the background, limited … */
  get rest(): Doing | undefined {
    return this.#rest
  }

  get waits(): boolean {
    return this.#waits.size > 0
  }

  /** Nothing is open any more. */
  settle(doing: Doing): void {
    this.#rest = doing
    this.#calls.clear()
    this.#waits.clear()
  }

  /** Nothing of this actor is open any more. */
  finish(actor: Actor): void {
    for (const [id, call] of this.#calls) if (call.actor === actor) this.#calls.delete(id)
    for (const [id, wait] of this.#waits) if (wait.actor === actor) this.#waits.delete(id)
  }

  /** What it does beside what is open. */
  goOn(doing: Doing): void {
    this.#rest = doing
  }

  open(id: string, call: OpenCall): void {
    this.#endUnknownWaits(call.actor)
    if (this.#calls.size < CALLS_LIMIT) this.#calls.set(id, call)
  }

  close(id: string, actor: Actor): void {
    this.#endUnknownWaits(actor)
    this.#calls.delete(id)
    for (const [key, wait] of this.#waits) if (wait.call === id) this.#waits.delete(key)
  }

  /** A request names the tool and its input, not the id of the call. */
  wait(key: string, { actor, identity, doing }: OpenCall): void {
    const call = [...this.#calls].findLast(([, open]) => open.actor === actor && open.identity === identity)?.[0]
    if (this.#waits.size < CALLS_LIMIT) this.#waits.set(key, { actor, call, doing })
  }

  /** This wait is over. */
  answered(key: string): void {
    this.#waits.delete(key)
  }

  /** What it does apart from waiting for a person. */
  beyondWaits(): Doing | undefined {
    return [...this.#calls.values()].at(-1)?.doing ?? this.#rest
  }

  /** What it does now, when that is another thing than was last told; a wait for a person comes before all else. */
  news(): Doing | undefined {
    const [key, doing] = this.#current()
    const isTold = key !== undefined && key === this.#shown
    this.#shown = key
    return isTold ? undefined : doing
  }

  #current(): [string | undefined, Doing | undefined] {
    const [key, wait] = [...this.#waits].at(-1) ?? []
    if (wait !== undefined) return [`wait ${key}`, wait.doing]
    const [id, call] = [...this.#calls].at(-1) ?? []
    if (call !== undefined) return [`call ${id}`, call.doing]
    return [undefined, this.#rest]
  }

  #endUnknownWaits(actor: Actor): void {
    for (const [key, wait] of this.#waits) {
      if (wait.call === undefined && wait.actor === actor) this.#waits.delete(key)
    }
  }
}
