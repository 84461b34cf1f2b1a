/** The delivery ledger: every text that somebody sent to an agent, until it was heard or given up. */
import * as z from 'zod'
import { generation, messageId } from './ids.ts'
import { TEXT_LIMIT } from './text-limit.ts'

/** Rows of the delivery ledger that are kept per agent. */
export const MESSAGES_KEPT = 50

/**
 * One row of the delivery ledger. queued: waits until the way is free. typed: given to the program, which has not
 * said yet that it took it. heard: it has. undelivered: given up, and a person can have it
 * tried again. recalled: a person took it back before it was typed.
 */
export const messageRecord = z.object({
  id: messageId,
  by: z.string(),
  /** Whole until it was heard and lies in a file of its own (task-texts.ts), then its beginning. */
  text: z.string().max(TEXT_LIMIT),
  /** By which what was typed is known again when it was heard. */
  fingerprint: z.string(),
  state: z.enum(['queued', 'typed', 'heard', 'undelivered', 'recalled']),
  /** The generation that it was last meant for; only that one's word counts. */
  generation,
  /** How often it was typed. */
  attempts: z.int().nonnegative(),
  queuedAt: z.number(),
  queuedWallAt: z.number(),
  /** Not tried before this instant. */
  notBeforeAt: z.number(),
  /** When it was first typed to its generation: what the program took earlier is another text. */
  typedWallAt: z.number().optional(),
  /** Why it waits, or why it was given up. */
  why: z.string().max(1400).optional(),
  /** What says that it was taken: a hook, the program's transcript, its own queue, or only that it was typed. */
  evidence: z.enum(['hook', 'transcript', 'queue', 'typed']).optional(),
  settledWallAt: z.number().optional(),
  /** Of one that was heard: the same in observed time. */
  settledAt: z.number().optional(),
  /** Only the beginning of its text is left. */
  cut: z.literal(true).optional(),
  /** A person wants it tried again, also where nobody can tell whether it arrived. */
  insisted: z.literal(true).optional(),
})
export type MessageRecord = z.infer<typeof messageRecord>
