/**
 * What the daemon needs from the outside world. Each port has one in-memory fake under adapters/virtual and,
 * from its issue on, one real adapter; both pass the same suite in tests/contract.
 */
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Event } from '../contract/events.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord, HouseRecord } from '../contract/records.ts'

/** Wall time may jump; monotonic time never goes back and stands still while the machine sleeps. */
export interface Clock {
  now(): { wallAt: number; monoAt: number }
  /** Calls back once at or after the monotonic instant. The returned function cancels. */
  wakeAt(monoAt: number, call: () => void): () => void
}

/** One durable step: all of it is committed in one transaction or none. */
export interface Batch {
  events: readonly Event[]
  /** New rows of the outbox: intents that run only after this batch is durable. */
  effects: readonly Effect[]
  /** Rows of the outbox that have their outcome now. */
  settled: readonly { effect: string; outcome: Outcome['result'] }[]
  /** Current state of the agents that changed. */
  agents: readonly AgentRecord[]
  house: HouseRecord
  /** Ids of inputs that must not count twice when their sender repeats them. */
  seen: readonly string[]
}

export interface Recovered {
  house: HouseRecord | undefined
  agents: readonly AgentRecord[]
  /** Effects that were committed and have no outcome: to be re-judged, never repeated blindly. */
  openEffects: readonly Effect[]
  seen: readonly string[]
}

export interface EventQuery {
  afterSeq: number
  limit: number
  agent?: AgentId
}

export interface Journal {
  recover(): Promise<Recovered>
  /** Resolves when durable. Batches become durable in the order given; a rejection is final for the journal. */
  commit(batch: Batch): Promise<void>
  events(query: EventQuery): Promise<readonly Event[]>
  close(): Promise<void>
}

/** Where an agent's terminal is. Opaque to all but the adapter that made it. */
export interface Pane {
  agent: AgentId
  generation: number
  run: string
  /** Changes whenever the pane printed something. */
  stamp: string
  ageMs: number
  dead: boolean
  exitCode?: number
}

export interface Spawn {
  generation: number
  /** Tags the whole process tree. */
  run: string
  prompt?: string | undefined
}

/** The agents' terminals. Every call throws when the terminal server cannot be reached. */
export interface Terminal {
  /** All panes of this home, in one question. */
  list(): Promise<readonly Pane[]>
  start(agent: AgentRecord, spawn: Spawn): Promise<Outcome>
  /** Types text and Enter into the pane of exactly this generation. */
  type(agent: AgentId, generation: number, text: string): Promise<Outcome>
}

/** Process trees, found by their run tag. */
export interface Processes {
  /** Whether the tree lives, and, where that can be told, whether its children used CPU since the last question. */
  lookAt(run: string): Promise<{ alive: boolean; busy?: boolean }>
  /** Ends the whole tree, verified; survivors are named. */
  end(run: string): Promise<{ survivors: readonly string[] }>
  /**
   * Latches the sentinel that blocks every spawn, then ends every tree of this home. `stopped` names every
   * agent whose tree is verified gone, also those that were gone before, so that it can be asked twice.
   */
  stopFleet(): Promise<{ stopped: readonly AgentId[]; survivors: readonly string[] }>
  rearm(): Promise<void>
  sentinel(): Promise<boolean>
}

export interface Git {
  /** Identity of the newest commit, index and worktree change; undefined outside a repository. */
  lookIn(workspace: string): Promise<{ stamp: string; ageMs: number } | undefined>
  /** Saves everything uncommitted under a ref; undefined when there is nothing to save. */
  salvage(agent: AgentRecord): Promise<string | undefined>
}

/** What agents report by themselves (hooks). A report is kept by its sender until it is taken. */
export interface Reports {
  /** The listener answers false when it cannot take more now; the report is offered again later. */
  listen(call: (report: { id: string; sighting: Sighting }) => boolean): () => void
  /** Called after what these reports said is durable. */
  taken(ids: readonly string[]): void
  /** Offers again all that was not taken. */
  offer(): void
}
