/** The home as it is kept: observed time, monitoring, emergency, and the items that concern no single agent. */
import * as z from 'zod'
import { actKind } from './acts.ts'
import { agentId, effectId } from './ids.ts'
import { lastStop } from './last-stop.ts'
import { needsYou } from './needs-you.ts'
import { interventionTally } from './standing.ts'

export const emergencyState = z.enum(['armed', 'stopping', 'stopped', 'rearming'])
export type EmergencyState = z.infer<typeof emergencyState>

export const houseRecord = z.object({
  seq: z.int().nonnegative(),
  /** Observed time, and the wall clock when it was last advanced. */
  observedAt: z.number(),
  wallAt: z.number(),
  monitoring: z.enum(['running', 'paused']),
  /** Who paused it; a pause by the settings ends with the settings. */
  pausedBy: z.string().optional(),
  emergency: z.object({
    state: emergencyState,
    /** Who asked for it; «sentinel» as long as nobody has said. */
    by: z.string().optional(),
    /** Adopted agents are ended, too. */
    adopted: z.literal(true).optional(),
    effect: effectId.optional(),
    deadlineAt: z.number().optional(),
    /** Whoever was first missed after this was ended by it: nobody had stopped anything at the look before. */
    sinceAt: z.number().optional(),
    /** Who is started again when it is over, and who wants that. */
    start: z.object({ by: z.string(), agents: z.array(agentId) }).optional(),
    attempts: z.int().nonnegative(),
    survivors: z.array(z.string()),
  }),
  /** Of the last emergency stop; kept when it is over, until the next one. */
  lastStop: lastStop.optional(),
  /** `what`: what most of them did. */
  mass: z.object({ sinceAt: z.number(), agents: z.array(agentId), what: z.string().max(100).optional() }).optional(),
  /** How automatic acts have done, by kind, since the journal began. */
  interventions: z.partialRecord(actKind, interventionTally).optional(),
  /** Items that concern no single agent. */
  needsYou: z.array(needsYou),
})
export type HouseRecord = z.infer<typeof houseRecord>
