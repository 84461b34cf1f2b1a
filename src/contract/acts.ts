/** What is done to an agent, as it is kept: the act under way, automatic acts on trial, and the episode they belong to. */
import * as z from 'zod'
import { effectId, generation, handoffId, messageId, runId, sessionId } from './ids.ts'
import { TEXT_LIMIT } from './text-limit.ts'

/** Who may interrupt whom: earlier wins. */
export const PRECEDENCE = ['emergency', 'human', 'budget', 'context', 'crash', 'stuck', 'routing', 'idle'] as const
export const precedence = z.enum(PRECEDENCE)
export type Precedence = z.infer<typeof precedence>

export const actKind = z.enum([
  'spawn',
  'poke',
  'message',
  'answer',
  'kill',
  'restore',
  'resume',
  'suspend',
  'switch',
  'interrupt',
  'rest',
  'clear',
  /** A text that a rule types: go on after a usage limit; begin with what waits. */
  'continue',
  'nudge',
])
export type ActKind = z.infer<typeof actKind>

/** The one thing under way on an agent. `step` is the state of its machine (core/procedures). */
export const act = z.object({
  kind: actKind,
  effect: effectId,
  step: z.enum(['salvaging', 'ending', 'saving', 'doing', 'confirming', 'checking', 'proving']),
  generation,
  /** Spawn: the tag of the process tree, known before it exists, so that it can always be found. */
  run: runId.optional(),
  /** Poke and message: the fingerprint by which the text is known again when the agent heard it. */
  fingerprint: z.string().optional(),
  /** Message, and resume: the row of the delivery ledger that it is about. */
  message: messageId.optional(),
  /** Resume: the session that is gone on with. Clear: the one that is left. */
  session: sessionId.optional(),
  /** Spawn: it begins anew with its whole task. */
  anew: z.literal(true).optional(),
  /** Switch: the model that is to be. */
  model: z.string().min(1).max(100).optional(),
  precedence,
  by: z.string(),
  reason: z.string(),
  /** How often the present step was tried. */
  attempts: z.int().positive(),
  /** Kill: the agent is started again afterwards, with this prompt, or goes on with its session. */
  again: z.object({ prompt: z.string().max(TEXT_LIMIT).optional(), resume: z.literal(true).optional() }).optional(),
  /** The hand-off that wants it; what comes after its end is that one's concern. */
  handoff: handoffId.optional(),
  /** What it is told is what was written down for that hand-off. */
  handed: z.literal(true).optional(),
  decidedAt: z.number(),
  deadlineAt: z.number(),
})
export type Act = z.infer<typeof act>

/** An automatic act whose help is yet to be seen. */
export const experiment = z.object({
  act: actKind,
  /** Poke: which one of its episode. */
  n: z.int().optional(),
  decidedAt: z.number(),
  judgeAt: z.number(),
})
export type Experiment = z.infer<typeof experiment>

/** Automatic acts of one agent that may wait for their judgement at once; more of them push the oldest out. */
export const EXPERIMENTS_KEPT = 8

/** From the first sign of trouble to verified progress. The counters live exactly as long. */
export const episode = z.object({
  openedAt: z.number(),
  pokes: z.int().nonnegative(),
  lastPokeAt: z.number().optional(),
  /** The rungs after the pokes, each at most once: its turn was cut short, it was told why, it was to be ended. */
  interruptedAt: z.number().optional(),
  toldAt: z.number().optional(),
  escalatedAt: z.number().optional(),
  killedAt: z.number().optional(),
  exhausted: z.boolean(),
  /** A person has seen that it is exhausted and is not asked again. */
  acknowledged: z.boolean().optional(),
  /** Why an automatic act was last held back, so that it is recorded once. */
  heldFor: z.string().optional(),
})
export type Episode = z.infer<typeof episode>
