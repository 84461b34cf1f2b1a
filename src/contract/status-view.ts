/** The home as it is shown. */
import * as z from 'zod'
import { emergencyState } from './house-record.ts'
import { finishedBrief } from './finished.ts'
import { houseView } from './house-view.ts'
import { lastStopView } from './last-stop.ts'
import { needsYou } from './needs-you.ts'
import { SHOWN_ACTIVE } from './shown.ts'

export const statusView = z.object({
  /** What is to be said of the house as a whole. */
  house: houseView,
  running: z.boolean(),
  degraded: z.string().optional(),
  lastCheckWallAt: z.number().optional(),
  /** The same as ISO 8601. */
  lastCheck: z.string().optional(),
  /** What the settings in force say; the whole of them is at /api/cloister/config. */
  config: z.object({
    autoStart: z.boolean(),
    /** Minutes. */
    thresholds: z.object({ stale: z.number(), warning: z.number(), stuck: z.number() }),
  }),
  emergency: emergencyState,
  /** How many active agents are shown as what. */
  summary: z.record(z.enum(SHOWN_ACTIVE), z.int()),
  /** Agents that live: they work, or rest at their prompt. */
  watching: z.int(),
  needsYou: z.array(needsYou),
  /** How many these are: the one number that every place shows. */
  needsYouCount: z.int().nonnegative(),
  /** What is known of the last emergency stop, also when it is over. */
  lastStop: lastStopView.optional(),
  /** Who finished and was not looked at since, the newest first; not counted among what needs you. */
  finished: z.array(finishedBrief),
})
export type StatusView = z.infer<typeof statusView>
