/**
 * The night ribbon: what was true of an agent, minute by minute, and what happened to it.
 * Derived from the journal; instants are wall-clock milliseconds.
 */
import * as z from 'zod'
import { agentId, generation } from './ids.ts'
import { actKind } from './acts.ts'
import { SHOWN } from './shown.ts'
import { causeClass } from './verdict.ts'

/** What it was shown as; `unwatched` while no daemon looked. */
export const ribbonShade = z.enum([...SHOWN, 'unwatched'])
export type RibbonShade = z.infer<typeof ribbonShade>

export const ribbonSegment = z.object({
  from: z.number(),
  to: z.number(),
  shade: ribbonShade,
  /** While health is judged. */
  cause: causeClass.optional(),
  reason: z.string().optional(),
  generation,
})
export type RibbonSegment = z.infer<typeof ribbonSegment>

export const ribbonMark = z.object({
  seq: z.int(),
  at: z.number(),
  kind: z.enum([...actKind.options, 'handoff', 'needs-you', 'emergency']),
  sentence: z.string(),
})
export type RibbonMark = z.infer<typeof ribbonMark>

export const ribbon = z.object({
  agent: agentId,
  /** Without gaps, oldest first; the last one ends at `to` of the view. */
  segments: z.array(ribbonSegment),
  marks: z.array(ribbonMark),
})
export type Ribbon = z.infer<typeof ribbon>

export const ribbonsView = z.object({
  from: z.number(),
  to: z.number(),
  /** Up to which event it is true; what came later is in the stream. */
  seq: z.int().nonnegative(),
  ribbons: z.array(ribbon),
})
export type RibbonsView = z.infer<typeof ribbonsView>
