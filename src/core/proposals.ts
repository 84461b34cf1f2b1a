/** What a policy or a person wants done to one agent; arbitration lets at most one through. */
import type { AgentRecord } from '../contract/records.ts'
import type { Act, ActKind, Precedence } from '../contract/acts.ts'
import type { Settings } from '../contract/settings.ts'
import type { Citation } from '../contract/verdict.ts'
import type { Draft } from './turn.ts'

export interface Proposal {
  kind: ActKind
  precedence: Precedence
  /** Who wants it: a person's name, or the rule. */
  by: string
  reason: string
  citations: Citation[]
  /** What is typed, the first prompt of a spawn, or the answer to a question. */
  text?: string
  /** Answer: the question that waits. */
  ask?: { id: string; request: string }
  /** Restore: of which snapshot, and how. */
  restore?: { ref: string; paths?: string[] | undefined; force?: boolean | undefined }
  /** Message, and resume: the row of the ledger; `isTyped` when it only has to be checked whether it arrived. */
  message?: { id: string; isTyped: boolean; sinceWallAt: number; letter?: { message: string; text: string } }
  /** Resume: the session that is gone on with, and what is told to a new one where it cannot be. */
  session?: { id: string; summary: string }
  /** Spawn: it begins anew with its whole task; the text says where it stands. */
  anew?: true
  /** Switch: the model that is to be. */
  model?: string
  /** Kill: it is started again afterwards, or goes on with its session. */
  again?: Act['again']
  /** The hand-off that wants it. */
  handoff?: string
  /** What was written down for that hand-off is what is typed, or the first prompt. */
  handed?: { heard?: string | undefined }
  /** Of a rule: when it is judged whether it helped, and which one of its kind it is. */
  experiment?: { judgeAt: number; n?: number }
}

/** One agent at one moment, as a policy is told of it. */
export interface Situation {
  agent: AgentRecord
  now: number
  wallAt: number
  /** Silence counts from here at the earliest. */
  graceAt: number
  settings: Settings
  /** From 0 up to 1, another for each agent. Asked for only when something is due, since few policies ever need it. */
  chance: () => number
}

/** What a policy has to say about one agent at one moment. */
export interface Advice {
  drafts: readonly Draft[]
  proposal: Proposal | undefined
  /** When it wants to be asked again, though nothing else changed. */
  wakeAt: number | undefined
}

export const NO_ADVICE: Advice = { drafts: [], proposal: undefined, wakeAt: undefined }
