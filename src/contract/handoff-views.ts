/** Hand-offs as people and scripts read them: a line of logs/handoffs.jsonl, lists with both rates, a suggestion. */
import * as z from 'zod'
import {
  captured,
  estimate,
  evidence,
  handoff,
  handoffMethod,
  handoffOutcome,
  handoffState,
  handoffTrigger,
  savings,
} from './handoffs.ts'
import { agentId, handoffId, issueId } from './ids.ts'

const party = z.object({
  model: z.string(),
  runtime: z.string(),
  sessionId: z.string().optional(),
  /** Who has the work, where that is not the agent itself. */
  specialist: agentId.optional(),
})

/** One line of logs/handoffs.jsonl, as PAN-31 shapes it, with what is known beyond that. */
export const handoffEvent = z
  .object({
    id: handoffId,
    timestamp: z.string(),
    agentId,
    issueId: issueId.or(z.literal('')),
    from: party,
    to: party,
    trigger: handoffTrigger,
    method: handoffMethod,
    reason: z.string(),
    /** What spoke for it. */
    evidence: evidence.optional(),
    context: z.object({
      beadsTaskCompleted: z.string().optional(),
      stuckMinutes: z.number().optional(),
      costAtHandoff: z.number().optional(),
      /** Of the usable window, when a context cycle began. */
      contextPercent: z.number().optional(),
    }),
    state: handoffState,
    /** That the operation was done: the successor lives and has begun. */
    success: z.boolean(),
    errorMessage: z.string().optional(),
    /** Whether it helped; left out as long as there is nothing that could have. */
    outcome: z
      .object({
        verified: z.boolean(),
        agentRecovered: z.boolean(),
        verifiedAt: z.string().optional(),
        verificationMethod: handoffOutcome.shape.method.optional(),
        notes: z.string().optional(),
      })
      .optional(),
    /** In US dollars: what going on as it was would have cost more. */
    estimatedSavings: z.number().optional(),
    estimate: estimate.optional(),
    /** Computed after it, from what was really used. */
    savings: savings.optional(),
    durationMs: z.number().nonnegative().optional(),
    by: z.string(),
    /** Why it waits for a yes, or waited. */
    gate: z.string().optional(),
    /** What was written down for the successor, and the snapshot of the work. */
    captured: captured.optional(),
    salvage: handoff.shape.salvage,
    /** Of a context cycle: what the agent wrote for itself, in its workspace. */
    document: z.string().optional(),
  })
  .meta({ description: 'One line of logs/handoffs.jsonl' })
export type HandoffEvent = z.infer<typeof handoffEvent>

const rate = z.object({
  good: z.int().nonnegative(),
  of: z.int().nonnegative(),
  /** Left out where there is none to count. */
  share: z.number().min(0).max(1).optional(),
})

export const handoffsView = z.object({
  handoffs: z.array(handoffEvent),
  total: z.int().nonnegative(),
  /** Of those that were begun and have ended: how many were done. */
  operation: rate,
  /** Of those that were done and are judged: how many helped. */
  recovery: rate,
})
export type HandoffsView = z.infer<typeof handoffsView>

export const handoffSuggestion = z.object({
  suggested: z.boolean(),
  trigger: handoffTrigger.nullable(),
  currentModel: z.string(),
  suggestedModel: z.string(),
  /** Who gets the work, where it is not another model. */
  suggestedSpecialist: z.string().optional(),
  reason: z.string(),
  evidence: evidence.optional(),
  /** Of the occasion: it is asked for once. */
  key: z.string().optional(),
  /** Why it does not begin by itself now. */
  notNow: z.string().optional(),
  estimatedSavings: z.number().optional(),
  estimate: estimate.optional(),
  /** A hand-off that is open now, or waits for a yes. */
  open: z.object({ id: handoffId, state: handoffState, to: z.string() }).optional(),
})
export type HandoffSuggestion = z.infer<typeof handoffSuggestion>
