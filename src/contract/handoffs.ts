/**
 * A hand-off: the work of an agent goes to another model, runtime, specialist or to a fresh context. One row per
 * hand-off, open in its agent's record until it has ended, then among the agent's last ones.
 */
import * as z from 'zod'
import { cycle } from './context-cycle.ts'
import { agentId, effectId, generation, handoffId, modelName, sessionId } from './ids.ts'

/** Ended hand-offs that are kept per agent; all of them stand in logs/handoffs.jsonl. */
export const HANDOFFS_KEPT = 20

export const handoffMethod = z.enum(['kill_spawn', 'specialist_wake', 'runtime_switch', 'context_cycle'])
export type HandoffMethod = z.infer<typeof handoffMethod>

/** The names of PAN-31, then ours. A reader must accept one that it does not know. */
export const HANDOFF_TRIGGERS = [
  'planning_complete',
  'stuck_escalation',
  'test_failure',
  'manual',
  'task_complete',
  'implementation_complete',
  'tests_pass',
  'merge_conflict',
  'ci_failed',
  'security_concern',
  'review_approved',
  'cost_downgrade',
  'next_task_complexity',
  'context_limit',
  'help_failed',
] as const
export const handoffTrigger = z.enum(HANDOFF_TRIGGERS)
export type HandoffTrigger = z.infer<typeof handoffTrigger>

/** The state of the machine (core/procedures/hand-off.ts). */
export const HANDOFF_STATES = [
  'proposed',
  'awaiting_approval',
  'resting',
  'saving',
  'capturing',
  'stopping',
  'starting',
  'proving',
  'rolling_back',
] as const
export const HANDOFF_RESULTS = ['done', 'rolled_back', 'needs_you', 'refused', 'lapsed', 'cancelled'] as const
export const handoffState = z.enum([...HANDOFF_STATES, ...HANDOFF_RESULTS])
export type HandoffState = z.infer<typeof handoffState>
export const handoffResult = z.enum(HANDOFF_RESULTS)
export type HandoffResult = z.infer<typeof handoffResult>

const reason = z.string().max(400)
const model = z.string().min(1).max(100)
const runtime = z.string().min(1).max(40)

/** What was read of the old generation before it was ended; the files lie in handoffs/<id>/ of the home. */
export const captured = z.object({
  /** Of the prompt that the successor gets. */
  digest: z.string().max(80),
  bytes: z.int().nonnegative(),
  /** The fingerprint by which it is known again when somebody to whom it was typed has heard it. */
  heard: z.string().max(80).optional(),
  /** What was there to be read: STATE.md, CLAUDE.md, git … */
  parts: z.array(z.string().max(60)).max(20),
})

/** In US dollars, where the prices are known: to go on as it is, and as it is to be; and with the dearest tier. */
export const estimate = z.object({
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
  opus: z.number().nonnegative().optional(),
})
export type Estimate = z.infer<typeof estimate>

/** What the successor really used, in US dollars, and what the same would have cost in other hands. */
export const savings = z.object({
  usedUsd: z.number().nonnegative().optional(),
  /** Less than nothing where it cost more. */
  againstStaying: z.number().optional(),
  againstOpus: z.number().optional(),
  why: z.string().max(400),
})
export type HandoffSavings = z.infer<typeof savings>

/** What spoke for it, one thing each. */
export const evidence = z.array(z.string().max(400)).max(12)
/** The work of an agent that rests is with a specialist, which owns it until it has given it back. */
export const loan = z.object({ to: agentId, handoff: handoffId, at: z.number(), deadlineAt: z.number() })
export type Loan = z.infer<typeof loan>

/** An act that a hand-off asked for, and how that ended. */
const asked = z.object({
  kind: z.string().max(20),
  decidedAt: z.number(),
  result: z.string().max(20).optional(),
  detail: z.string().max(1200).optional(),
  endedAt: z.number().optional(),
})

/** What the hand-off of somebody else's work last asked of a specialist. */
export const errand = asked.extend({ handoff: handoffId })
export type Errand = z.infer<typeof errand>

export const recovered = z.enum(['yes', 'no', 'unknown'])

/** Whether it helped, which is another question than whether it was done. */
export const handoffOutcome = z.object({
  recovered,
  method: z.enum(['heartbeat', 'manual', 'task_complete']),
  wallAt: z.number(),
  notes: reason.optional(),
})
export type HandoffOutcome = z.infer<typeof handoffOutcome>

export const handoff = z.object({
  id: handoffId,
  method: handoffMethod,
  trigger: handoffTrigger,
  reason,
  evidence: evidence.optional(),
  /** Of the occasion: nobody is asked twice for the same one. */
  key: z.string().max(32).optional(),
  by: z.string().max(100),
  /** A person asked for it; else a rule did. */
  isAsked: z.boolean(),
  from: z.object({ model, runtime, generation, sessionId: sessionId.optional() }),
  to: z.object({ model, runtime, specialist: agentId.optional() }),
  /** The specialist that gives the work back to the agent; left out, the agent itself hands its work over. */
  giver: agentId.optional(),
  /** To a dearer tier; these are counted per task. */
  isEscalation: z.boolean(),
  /** What the escalations are counted by. */
  task: z.string().max(100),
  /** What the successor must say before its work counts. */
  nonce: z.string().min(4).max(32),
  state: handoffState,
  startedAt: z.number(),
  startedWallAt: z.number(),
  /** Why it has to be approved; left out where it need not. */
  gate: reason.optional(),
  estimate: estimate.optional(),
  /** How it was with the agent when this began. */
  context: z
    .object({
      beadsTaskCompleted: z.string().max(100).optional(),
      stuckMinutes: z.number().optional(),
      costAtHandoff: z.number().optional(),
    })
    .optional(),
  /** The old generation is verifiably dead, so that it counts as begun whatever becomes of it. */
  hasEndedOld: z.literal(true).optional(),
  /** It rested already when this one came to it. */
  wasAtRest: z.literal(true).optional(),
  /** It came to nothing, and the agent that rests because of it has yet to be told. */
  untold: z.enum(['rests', 'saves']).optional(),
  /** Of the present state. */
  stateAt: z.number(),
  deadlineAt: z.number(),
  /** The effect that the present state waits for, where it is not one of an act. */
  effect: effectId.optional(),
  /** The act that it last asked for, and how that ended. */
  act: asked.optional(),
  captured: captured.optional(),
  /** Only of a context cycle. */
  cycle: cycle.optional(),
  salvage: z.string().max(200).optional(),
  /** The session of the successor. */
  successor: sessionId.optional(),
  /** The generation of whoever took over, when this was done: only what that one does shows whether it helped. */
  successorGeneration: generation.optional(),
  endedAt: z.number().optional(),
  endedWallAt: z.number().optional(),
  detail: reason.optional(),
  /** What made it roll back; how that ended is the detail. */
  because: reason.optional(),
  /** Until when it is to be seen whether it helped. */
  judgeAt: z.number().optional(),
  outcome: handoffOutcome.optional(),
  /** Computed after it. */
  savings: savings.optional(),
})
export type Handoff = z.infer<typeof handoff>

/** Who is to go on with the work. */
export const handoffTarget = z.object({
  model: modelName.optional(),
  runtime: runtime.optional(),
  specialist: agentId.optional(),
})
export type HandoffTarget = z.infer<typeof handoffTarget>
