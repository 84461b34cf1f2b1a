/** What is kept of the last emergency stop: who, when, why, whom it ended, what was saved and what it cut off. */
import * as z from 'zod'
import { agentId } from './ids.ts'

/** Agents of one stop of which details are kept. */
export const STOP_DETAILS_KEPT = 1000

const cutOff = z.object({ agent: agentId, sentence: z.string().max(1000) })

/** Who did not run when it came, and is started again like those whom it ended. */
export const stopDown = z.object({
  /** Whom a stop before this one ended, and nobody had started since. */
  earlier: z.array(agentId).max(10_000).optional(),
  /** Who had died and waited for a restart or for a person. */
  dead: z.array(agentId).max(10_000).optional(),
  /** Who slept. */
  asleep: z.array(agentId).max(10_000).optional(),
})
export type StopDown = z.infer<typeof stopDown>

/** Where the file of the stop says it: no daemon saw it come. */
export const stopAsked = { person: z.string().optional(), askedWallAt: z.number().optional() }

/** What it found when it came. */
export const stopFound = z.object({
  /** How many ran, those that were to be left alone not counted. */
  of: z.int().nonnegative(),
  /** Who of them was at work. */
  atWork: z.array(agentId).max(10_000).optional(),
  /** What agents had asked and nobody had answered. */
  questions: z.array(cutOff).max(STOP_DETAILS_KEPT),
  /** Hand-offs that were under way. */
  handoffs: z.array(cutOff).max(STOP_DETAILS_KEPT),
  ...stopDown.shape,
})
export type StopFound = z.infer<typeof stopFound>

export const lastStop = stopFound.extend({
  /** «sentinel» as long as nobody has said. */
  by: z.string(),
  reason: z.string(),
  wallAt: z.number(),
  /** Who ran and does not any more; empty until the stop has reported. */
  ended: z.array(agentId).max(10_000),
  survivors: z.array(z.string()).max(1000),
  /** Whose work was looked after when they had ended; without a ref there was nothing to save, or why it was not. */
  saved: z
    .array(z.object({ agent: agentId, ref: z.string().optional(), unsaved: z.string().max(1000).optional() }))
    .max(STOP_DETAILS_KEPT),
  /** Absent until it has reported; false: it was never confirmed. */
  confirmed: z.boolean().optional(),
  /** Adopted agents, which go on. */
  leftAlone: z.array(agentId).max(10_000).optional(),
  /** When a person resumed from it. */
  resumedWallAt: z.number().optional(),
})
export type LastStop = z.infer<typeof lastStop>

export const lastStopView = lastStop.extend({
  /** Who was ended by it and has not been started since. */
  startable: z.array(agentId),
})
export type LastStopView = z.infer<typeof lastStopView>
