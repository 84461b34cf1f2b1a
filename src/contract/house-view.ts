/** The whole house in one sentence, the same wherever it is said: the worst condition wins. */
import * as z from 'zod'
import { needsYouId } from './ids.ts'

/** The worst first. `held`: rules may not act; `watching` is all that is normal. */
export const CONDITIONS = ['stopped', 'blind', 'degraded', 'held', 'paused', 'watching'] as const
export type Condition = (typeof CONDITIONS)[number]

export const remedy = z.object({
  /** What to do, or what comes by itself. */
  sentence: z.string(),
  /** To be run in a terminal. */
  command: z.string().optional(),
  /** What can be asked of the daemon: to resume after a stop, to start monitoring, to settle an item. */
  act: z.enum(['resume', 'start', 'settle']).optional(),
  /** The item to be settled. */
  item: needsYouId.optional(),
})
export type Remedy = z.infer<typeof remedy>

export const houseView = z.object({
  condition: z.enum(CONDITIONS),
  /** Instants in it are by the clock of the machine that the daemon runs on. */
  sentence: z.string(),
  /** Of everything that is not normal. */
  remedy: remedy.optional(),
})
export type HouseView = z.infer<typeof houseView>

/** status.json in the home: as it was when it was last written, which `lastCheck` tells. */
export const statusFile = houseView.extend({ watching: z.int(), lastCheck: z.string().optional() })
export type StatusFile = z.infer<typeof statusFile>
