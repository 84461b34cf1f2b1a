/** What a drill found out: the shape that `pan drill --json` prints. */
import * as z from 'zod'
import { FAULTS, type Fault } from './faults.ts'
import { agentId } from './ids.ts'

export const drillReport = z.object({
  fault: z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]),
  /** A temporary home is made for the drill and removed after it. */
  home: z.enum(['live', 'temporary']),
  agents: z.array(agentId),
  /** What the fault was taken for; left out when it was not noticed. */
  seenAs: z.string().optional(),
  detectedMs: z.number().nonnegative().optional(),
  /** By when it must be noticed, with the settings of that home. */
  boundMs: z.number().positive(),
  /** What Cloister did, oldest first, counted from the fault. */
  done: z.array(z.object({ afterMs: z.number().nonnegative(), what: z.string(), sentence: z.string() })),
  passed: z.boolean(),
  /** What was verified in the end, or why the drill failed. */
  outcome: z.string(),
})
export type DrillReport = z.infer<typeof drillReport>

export const drillView = z.object({ passed: z.boolean(), drills: z.array(drillReport) })
export type DrillView = z.infer<typeof drillView>
