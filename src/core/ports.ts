/**
 * What the daemon needs from the outside world. Each port has one in-memory fake under tests/fakes and one real
 * adapter; both pass the same suite in tests/contract.
 */
import type { StopNote } from './inputs.ts'
import type { Adopted, AdoptedPane, Leader } from '../contract/adopted.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Event } from '../contract/events.ts'
import type { Handoff } from '../contract/handoffs.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { StatusFile } from '../contract/house-view.ts'
import type { RibbonsView } from '../contract/ribbon.ts'

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
  /** Agents of which no state is kept any more. */
  forgotten: readonly AgentId[]
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

/** A stretch of wall time, of one agent or of all. */
export interface RibbonQuery {
  from: number
  to: number
  agent?: AgentId
}

export interface Journal {
  recover(): Promise<Recovered>
  /** Resolves when durable. Batches become durable in the order given; a rejection is final for the journal. */
  commit(batch: Batch): Promise<void>
  events(query: EventQuery): Promise<readonly Event[]>
  /** Drawn where the events are: there may be very many, and the daemon's thread has no time to read them. */
  ribbons(query: RibbonQuery): Promise<RibbonsView>
  /** Written down for readers outside, status.json in the home; the newest only. Never fails: see `trouble`. */
  publish(status: StatusFile): void
  /** The same for what an agent cost so far, in its state.json; undefined where that is not known. */
  publishCost(agent: AgentId, usd: number | undefined): void
  /** Why what is published cannot be written now; the journal itself is well. */
  trouble(): string | undefined
  close(): Promise<void>
}

/** What runs in a pane, made by a runtime adapter. */
export interface Launch {
  argv: readonly string[]
  cwd: string
  /** Set on top of the clean environment of the terminal server. */
  env: Readonly<Record<string, string>>
}

/** Which spawn something is for: an agent's generation, and the tag of its whole process tree. */
export interface Handle {
  agent: AgentId
  generation: number
  run: string
  /** A person's own session: only the pane that is named here, and only while its leader is in front there. */
  adopted?: Adopted
}

/** An agent's terminal as a look finds it. */
export interface Pane extends Handle {
  /** Changes whenever the pane printed something. */
  stamp: string
  ageMs: number
  dead: boolean
  exitCode?: number
}

/** Keys that mean something to an agent's own program; text goes by `type`. */
export type Key = 'Escape' | 'Enter' | 'C-u'

export interface Size {
  cols: number
  rows: number
}

/** Who watches a pane live. What is told comes in the order in which it happened, without gap or repetition. */
export interface Viewer {
  /**
   * The pane as it is now, first of all and whenever the view has to begin anew: the bytes draw scrollback, screen and
   * cursor on an empty terminal of that size. `false` as for `output`.
   */
  screen(size: Size, bytes: Uint8Array): boolean
  /** What the pane printed since. `false`: it takes no more until it says that it is ready, and then begins anew. */
  output(bytes: Uint8Array): boolean
  /** Once, the last of all: there is nothing more to see, and why. */
  gone(why: string): void
}

/** One viewer's hold on a pane. After `close` or `gone` it does nothing any more. */
export interface View {
  ready(): void
  /** Exactly these bytes, as a keyboard would send them. */
  keys(bytes: Uint8Array): Promise<Outcome>
  /** A text of several lines as one paste; control characters are left out. */
  paste(text: string): Promise<Outcome>
  /** Fits the pane to somebody's screen; without a size it gets the one back that it had. */
  resize(size: Size | undefined): Promise<Outcome>
  /** A size that is not the pane's own is given back. */
  close(): Promise<void>
}

/**
 * The agents' terminals. Every call throws when the terminal server cannot be reached. Every call that does
 * something checks, in the very command that does it, that the pane still belongs to the handle; else «fenced».
 */
export interface Terminal {
  /**
   * All panes of this home, in one question. Empty, not an error, when no server was ever started. Those of adopted
   * agents only when they are asked for; one whose server cannot be asked is left out.
   */
  list(adopted?: readonly Handle[]): Promise<readonly Pane[]>
  start(handle: Handle, launch: Launch): Promise<Outcome>
  /** Types text as one paste, then Enter as a key of its own. */
  type(handle: Handle, text: string): Promise<Outcome>
  press(handle: Handle, key: Key): Promise<Outcome>
  /** Shows it live, a pane whose process has ended too; undefined when there is no such pane. Looking changes nothing. */
  view(handle: Handle, viewer: Viewer): Promise<View | undefined>
  /**
   * All that a living pane shows now, colours and all (SGR sequences), for `Runtime.draft`; undefined when there is
   * no such pane. Never a source of status.
   */
  screen(handle: Handle): Promise<string | undefined>
  /** Takes a pane whose process has ended away. */
  remove(handle: Handle): Promise<void>
  /** Calls back as soon as a pane dies, a session goes or the server is gone; a hint to look at once. */
  watch(call: () => void): () => void
  /** What a person runs to see the pane with his own eyes. */
  attachCommand(handle: Handle): readonly string[]
  close(): Promise<void>
}

/** Process trees, found by their run tag; that of an adopted agent, which has none, by its leader. */
export interface Processes {
  /**
   * Whether the tree lives, and, where that can be told, the pid of its first process and whether its children used
   * CPU since the last question.
   */
  lookAt(run: string, leader?: Leader): Promise<{ alive: boolean; pid?: number; busy?: boolean }>
  /**
   * Ends the whole tree, bounded and verified: asks the agent's own program by SIGTERM, then SIGTERM to all that are
   * left, then SIGKILL. Survivors are named.
   */
  end(run: string, leader?: Leader): Promise<{ survivors: readonly string[] }>
  /**
   * Latches the sentinel that blocks every spawn, then ends every tree of this home, and those of the adopted agents
   * that are named. `runs` names every run whose tree was found and is verified gone.
   */
  stopFleet(adopted?: readonly Adoptee[]): Promise<{ runs: readonly string[]; survivors: readonly string[] }>
  rearm(): Promise<void>
  sentinel(): Promise<boolean>
  /** Who stopped the fleet, when and why, as far as the sentinel or its note says; never throws. */
  stopNote(): Promise<StopNote>
  /** Whether a stop came, and a person resumed from it, while no daemon ran; so until `forgetStop`. */
  unrecordedStop(): Promise<boolean>
  forgetStop(): Promise<void>
}

/** An adopted agent's tree, for those who end it. */
export interface Adoptee {
  run: string
  leader: Leader
}

/** A pane of somebody's own terminal server. */
export interface ForeignPane extends AdoptedPane {
  /** The device by which a process is known to be in it. */
  tty: string
  /** What a person calls it: `work`, `work:1`, `work:editor`, `work:1.0` … */
  names: readonly string[]
}

/** A process that nobody of ours started. */
export interface ForeignProcess {
  leader: Leader
  /** The folder that it works in. */
  folder: string
  tty?: string
  /** The socket of the terminal server that it was started in, as its environment says. */
  socket?: string
  /** Why it must not be touched: it is of another user, or a run of Cloister's own. */
  barred?: string
}

/** What a person started alone, as it is found when it is to be adopted. Asking starts and changes nothing. */
export interface Foreign {
  /** Undefined when no server answers there. */
  panes(socket: string): Promise<readonly ForeignPane[] | undefined>
  /** Undefined when it is gone. */
  process(pid: number): ForeignProcess | undefined
}

/** One file of the spool, as a hook left it. */
export interface RawReport {
  /** The file's name: unique, and the id by which it counts once. */
  id: string
  run: string
  generation: number
  /** The hook event's name, from the file name. */
  kind: string
  /** Exactly what the agent's program gave the hook; may be garbage. */
  body: string
  wallAt: number
}

/** The spool of hook files. A file is removed only after `taken`. */
export interface Spool {
  /** The listener answers false when it cannot take more now; the report is offered again later. */
  listen(call: (report: RawReport) => boolean): () => void
  taken(ids: readonly string[]): void
  /** Reads the folder again and offers all that was not taken. */
  offer(): void
  /** What is wrong with the spool (full, unreadable, garbage seen), for doctor and degraded. */
  problems(): readonly string[]
  /** Why what hooks report now does not arrive; undefined when nothing is known to stand in its way. */
  deaf(): string | undefined
}

/** Answers to an agent's own questions and orders for its next stop, handed over by the hooks. */
export interface Mailbox {
  /** Gives the waiting ask hook its answer. not_done when nobody waits (any more): it was answered elsewhere. */
  answer(run: string, ask: string, text: string): Promise<Outcome>
  /** Leaves an order that the next Stop or PostToolBatch hook of the run takes; an empty one takes it back. */
  order(run: string, text: string): Promise<Outcome>
}

/** Long texts for agents, as files that they can read; what is typed only names the file. */
export interface Letters {
  folder: string
  /** Leaves it where `letterPath` (core/letters.ts) says. */
  leave(agent: AgentId, message: string, text: string): Promise<void>
}

/** The texts of agents' tasks, whole, each a file for its owner alone. */
export interface TaskTexts {
  keep(agent: AgentId, name: string, text: string): Promise<void>
  /** Undefined when it is not there, or not to be trusted. */
  read(agent: AgentId, name: string): Promise<string | undefined>
  /** What is not there is gone already. */
  forget(agent: AgentId, names: readonly string[]): Promise<void>
}

/** What is known of an agent's work, written down for the one who takes over. */
export interface Handoffs {
  /** As often as one likes. `giver` is the specialist that gives the work back, where one does. */
  writeDown(agent: AgentRecord, handoff: Handoff, giver?: AgentRecord): Promise<Outcome>
  /** How the document of a context cycle looks now. */
  seeDocument(agent: AgentRecord, handoff: Handoff): Promise<Outcome>
  /** What the successor is told; undefined when it is not there any more as it was written. */
  prompt(handoff: Pick<Handoff, 'id' | 'captured'>): Promise<string | undefined>
  /** What one that was done has saved; left out where nobody knows what is used. */
  reckon?(agent: AgentRecord, handoff: string): Promise<Outcome>
}
