/**
 * What the daemon needs of one kind of agent program. The understudy, and each real client, is one such runtime.
 * The documents' AgentRuntime is all here, cut so that a runtime only knows its program, and the daemon does the deeds:
 *
 *   session path, list sessions   sessions.path, sessions.list
 *   resume, spawn                 resume, launch: what to run; the Terminal port starts it
 *   last activity, heartbeat      read (its hooks) and insight (its files); core/heartbeat.ts makes one of both
 *   token usage, session cost     usage
 *   send                          phrase and draft; the Terminal port types, and the ledger (core/deliveries.ts) confirms
 *   interrupt, kill               interruptKey; the Processes port ends the whole tree, whatever program it is
 */
import type { Sighting } from '../contract/evidence.ts'
import type { CallBounds } from '../contract/open-work.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Capability } from '../contract/views.ts'
import type { SessionsUse } from './costs/price.ts'
import type { Handle, Key, Launch, RawReport } from './ports.ts'
import type { KnownModels } from './routing/known-models.ts'

/**
 * What an agent's program itself keeps of its sessions. Asked before a session is gone on with, and where no hook says
 * what happened. «Undefined» is always: nobody can tell.
 */
export interface Sessions {
  /** Why the session cannot be gone on with; undefined when it can. */
  unusable(session: string): Promise<Unusable | undefined>
  /** Every living program that has a session open, whoever started it, the oldest first. */
  living(): readonly LivingSession[]
  /** The model that it last used. */
  model(session: string): Promise<string | undefined>
  /** The living program that has it open, in words; undefined when none is known. */
  holder(session: string): Promise<string | undefined>
  /** Whether the program that has it open waits at its prompt. */
  rests(session: string): Promise<boolean | undefined>
  /** Whether a text was taken as input since then, or lies in the program's own queue. */
  took(session: string, text: { fingerprint: string; sinceWallAt: number }): Promise<Took | undefined>
  /** Whether a text was taken after the last answer: one that is cut short then goes back into the program's line. */
  unanswered(session: string, fingerprint: string): Promise<boolean | undefined>
  /** What its model last said in words, the newest last: a few texts, each cut. Empty when it said nothing. */
  lastWords(session: string): Promise<readonly string[] | undefined>
}

/**
 * missing: nothing of it is there, be it deleted or never written. empty: there is no word of a conversation in it.
 * garbled: it holds what is no transcript. too_large: more than can be read, and what was read is no conversation.
 */
export type Unusable = 'missing' | 'empty' | 'garbled' | 'too_large'

/** A program with its session, by what it keeps itself. */
export interface LivingSession {
  session: string
  pid: number
  /** Clock ticks since the start of the machine: with the pid an identity. */
  startTime: number
}

export type Took = 'transcript' | 'queue' | 'no'

/** What one witness says of an agent, before it is known whose and of which generation. */
export type Said = Omit<Sighting, 'agent' | 'generation'>

/**
 * What a runtime sees of its own running program by the files that the program keeps. The second witness for moments
 * that no hook reports. Cheap: no process is started for it.
 */
export interface Insight {
  look(agent: AgentRecord): readonly Said[]
  /** Calls back when something of a run changed, a moment later; a hint to look at that agent. */
  watch(call: (run: string) => void): () => void
  /** A run was heard to begin something: it is looked at a moment later, too. */
  heard(run: string): void
  /** These runs live; what is kept for others is let go. */
  retain(runs: ReadonlySet<string>): void
}

/** What a runtime can do; rules ask «can it?», never which one it is. */
export interface Capabilities extends Record<Capability, boolean> {
  /** It goes on with a session that it had. */
  resume: boolean
  interrupt: boolean
  clear: boolean
  /** It takes an order to come to rest from its hooks, without anything being typed. */
  softStop: boolean
  /** Its questions and permissions can be answered without typing. */
  ask: boolean
  /** It says when a text was submitted, so that a delivery can be confirmed. */
  confirmsText: boolean
  usage: boolean
  /** The models that it knows; left out where nobody can tell without a look. */
  models?: KnownModels
}

/** One kind of agent program: how it is started, what its reports mean, which keys it knows. */
export interface Runtime {
  name: string
  /** What it read of sessions is kept; nothing is asked of it afterwards. */
  close?(): Promise<void>
  capabilities: Capabilities
  /** Why it could not be started here, each with its fix; empty when it could. */
  check(agent: AgentRecord): Promise<readonly string[]>
  launch(agent: AgentRecord, handle: Handle, prompt: string | undefined): Promise<Launch>
  /** The same program, going on with a session it had; undefined where it cannot. */
  resume?(agent: AgentRecord, handle: Handle, given: { session: string; prompt?: string }): Promise<Launch>
  sessions?: Sessions
  /** What sessions used, by the program's own record of them; undefined where it keeps none. */
  usage?(sessions: readonly string[]): Promise<SessionsUse>
  /**
   * What a hook's report says, as facts; undefined when it says nothing of interest or cannot be read. A pure function:
   * nothing is remembered from one report to the next.
   */
  read(report: RawReport, bounds?: CallBounds): Said | undefined
  /** How long a program that is started now, or was just started, lets its calls run; left out where nobody knows. */
  bounds?(agent: AgentRecord): Promise<CallBounds>
  /** The session that a report comes from, for those of a person's own sessions, which name no run. */
  sessionOf?(report: RawReport): string | undefined
  insight?: Insight
  /** What the ask hook prints so that the program takes the person's answer to its request. */
  answer(request: string, answer: string): string
  /** The text as it must be typed so that the program takes it as text. */
  phrase(text: string): string
  /**
   * What a person has begun to type and not sent, by the pane's screen: our text would be sent together with it.
   * Undefined when nothing is seen there, or when the screen cannot be read.
   */
  draft?(screen: string): string | undefined
  /** What a hook prints so that the program comes to rest after its present calls; undefined where it cannot. */
  softStop?(reason: string): string
  interruptKey: Key
  /** Takes a line out of its input; pressed until nothing stands there. */
  emptyLineKey?: Key
  clearText: string | undefined
}
