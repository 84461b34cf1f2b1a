/** What is shown around hand-offs beside the hand-offs themselves: the open one, who could take over, steps, the document. */
import * as z from 'zod'
import { captured, estimate, handoff, handoffMethod, handoffState, handoffTrigger } from './handoffs.ts'
import { agentId, handoffId } from './ids.ts'

/** The hand-off that is open now: how far it is, since when, and how long that may take yet. */
export const openHandoffView = z.object({
  id: handoffId,
  state: handoffState,
  trigger: handoffTrigger,
  method: handoffMethod,
  to: handoff.shape.to,
  /** The specialist that gives the work back. */
  giver: handoff.shape.giver,
  forMs: z.number().nonnegative(),
  leftMs: z.number().nonnegative(),
})
export type OpenHandoffView = z.infer<typeof openHandoffView>

/** Its work is with a specialist; how long that one may have it yet. */
export const lentView = z.object({ to: agentId, handoff: handoffId, leftMs: z.number().nonnegative() })

/** The next tier in one direction, or why there is none. */
const tierChoice = z.object({ model: z.string().optional(), why: z.string().optional() })

/** Who could take an agent's work over. */
export const handoffChoices = z.object({
  agent: agentId,
  model: z.string(),
  runtime: z.string(),
  /** Why its work cannot be handed over now, to whomever, and what to do. */
  barred: z.object({ sentence: z.string(), hint: z.string() }).optional(),
  /** The price is what its present session would have cost with that model. */
  models: z.array(z.object({ model: z.string(), tier: z.string().optional(), estimate: estimate.optional() })),
  runtimes: z.array(z.string()),
  dearer: tierChoice,
  cheaper: tierChoice,
})
export type HandoffChoices = z.infer<typeof handoffChoices>

/** How a hand-off went on, oldest first. */
export const handoffTimeline = z.object({
  id: handoffId,
  steps: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(['proposed', 'approved', 'stepped', 'captured', 'ended']),
      /** Where it was from then on. */
      state: handoffState.optional(),
      sentence: z.string(),
      /** What ended the step before, where that was not its purpose. */
      detail: z.string().optional(),
      /** By when the step had to be over. */
      deadline: z.string().optional(),
    }),
  ),
})
export type HandoffTimeline = z.infer<typeof handoffTimeline>
export type HandoffStep = HandoffTimeline['steps'][number]

/** What the successor was given to read. It holds words of agents and of files: to be shown as plain text only. */
export const handoffDocument = z.object({
  id: handoffId,
  text: z.string(),
  bytes: captured.shape.bytes,
  /** It is not any more what was written down. */
  changed: z.literal(true).optional(),
})
export type HandoffDocument = z.infer<typeof handoffDocument>
