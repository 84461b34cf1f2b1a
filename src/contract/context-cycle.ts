/** What is kept of a context cycle beside what every hand-off has: its document, and how that looked. */
import * as z from 'zod'
import { effectId, handoffId } from './ids.ts'

export const cycle = z.object({
  /** The document that the agent writes for itself, in its workspace, and the mark of its last line. */
  document: z.string().max(200),
  nonce: z.string().min(4).max(32),
  /** How full the usable window was when it began, where that was known. */
  percent: z.number().nonnegative().optional(),
  /** How often each state was entered. */
  tries: z.record(z.string().max(20), z.int().positive()),
})
export type Cycle = z.infer<typeof cycle>

/** How a document looked when it was last looked at; kept with the agent, like evidence. */
export const documentLook = z.object({
  handoff: handoffId,
  /** The look that is under way. */
  effect: effectId.optional(),
  /** Looks at it so far, and when the last one ended. */
  n: z.int().nonnegative(),
  at: z.number(),
  /** Not looked at again before this instant. */
  dueAt: z.number(),
  /** Left out when there was nothing to read. */
  stamp: z.string().max(64).optional(),
  /** The look before it saw the same. */
  isSame: z.boolean(),
  /** It ends as it should; all that it needs is in it; it says what comes next. */
  isWhole: z.boolean(),
  isUsable: z.boolean(),
  /** It is whole and says that nothing is left to do. */
  isFinished: z.boolean(),
  findings: z.array(z.string().max(300)).max(10),
})
export type DocumentLook = z.infer<typeof documentLook>

/** What one look at a document brings. */
export const documentReport = documentLook.pick({
  stamp: true,
  isWhole: true,
  isUsable: true,
  isFinished: true,
  findings: true,
})
export type DocumentReport = z.infer<typeof documentReport>

/** What is recorded of one that was done, or that failed. */
export const cycleRecord = {
  handoff: handoffId,
  status: z.enum(['ok', 'critical']),
  percent: cycle.shape.percent,
  document: cycle.shape.document,
  durationMs: z.number().nonnegative(),
  detail: z.string().max(400),
}
