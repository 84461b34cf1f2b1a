/**
 * What keeps an agent back or drives it on, beside its verdict: holds, usage limits, restarts, work that waits. Each is
 * a row with a deadline of its own, in observed time (…At) and, where people or programs name an instant, by the wall
 * clock as well: whichever comes first ends it, so that no jump of a clock keeps an agent held.
 */
import * as z from 'zod'

const reason = z.string().max(400)

/** hold: rules leave it alone, people need not. frozen: nobody starts, types or ends anything, but for a kill. */
export const hold = z.object({
  state: z.enum(['hold', 'frozen']),
  by: z.string(),
  reason,
  sinceWallAt: z.number(),
  untilAt: z.number().optional(),
  untilWallAt: z.number().optional(),
})
export type Hold = z.infer<typeof hold>

/** A usage limit, or an outage of the model's service: held until it ends, then told to go on, once. */
export const limitHold = z.object({
  /** Left out: a usage limit. */
  of: z.literal('outage').optional(),
  sinceAt: z.number(),
  sinceWallAt: z.number(),
  untilAt: z.number(),
  untilWallAt: z.number(),
  /** Its program said when it ends; else that is a guess within bounds. */
  isRead: z.boolean(),
  /** How often in a row it was limited again right after it had been told to go on. */
  round: z.int().positive(),
  tries: z.int().nonnegative(),
  /** When it was told to go on. */
  continuedAt: z.number().optional(),
})
export type LimitHold = z.infer<typeof limitHold>

/** How many restarts one after the other, and the next one, if one is planned. */
export const restarts = z.object({
  /** Those of the last quarter of an hour. */
  recentAt: z.array(z.number()).max(10),
  inARow: z.int().nonnegative(),
  dueAt: z.number().optional(),
  why: reason.optional(),
  /** So many that a person must look. */
  exhausted: z.literal(true).optional(),
})

/** Work that was given to an agent and that it has not begun. */
export const assignment = z.object({
  what: z.string().min(1).max(1000),
  by: z.string(),
  at: z.number(),
  nudges: z.int().nonnegative(),
  lastNudgeAt: z.number().optional(),
})
export type Assignment = z.infer<typeof assignment>

/** What is wanted of an agent; every actuator asks it. */
export const desiredView = z.object({
  state: z.enum(['run', 'hold', 'stop', 'frozen']),
  by: z.string(),
  reason,
  sinceWallAt: z.number().optional(),
  untilWallAt: z.number().optional(),
})
export type DesiredView = z.infer<typeof desiredView>

/** What going on with its session would cost before it says a word. */
export const resumeView = z.object({
  tokens: z.int().nonnegative(),
  /** Left out where the model has no known price. */
  usd: z.number().nonnegative().optional(),
})
export type ResumeView = z.infer<typeof resumeView>

/** How one kind of automatic act has done. */
export const interventionTally = z.object({
  tried: z.int().nonnegative(),
  recovered: z.int().nonnegative(),
  answered: z.int().nonnegative(),
  notRecovered: z.int().nonnegative(),
  unknown: z.int().nonnegative(),
})
export type InterventionTally = z.infer<typeof interventionTally>

export const interventionsView = z.object({
  kinds: z.array(
    interventionTally.extend({
      act: z.string(),
      /** Not judged yet, or verifiably not done. */
      open: z.int().nonnegative(),
      /** Recovered, of those that are judged and known; left out when there are none. */
      rate: z.number().min(0).max(1).optional(),
    }),
  ),
})
export type InterventionsView = z.infer<typeof interventionsView>
