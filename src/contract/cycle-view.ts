/** The outlook on an agent's next context cycle, as it is shown. */
import * as z from 'zod'

/** When its context will be cleared, as it goes now. */
export const cycleView = z.object({
  /** Of what can be used of the window, before the program's own limit; and from when on it cycles. */
  share: z.number().nonnegative(),
  threshold: z.number().nonnegative(),
  /** Left out when it does not grow, or nobody can tell. */
  dueInMs: z.number().nonnegative().optional(),
  tokensPerMinute: z.number().optional(),
  /** There were so many of late that somebody should look why. */
  warning: z.string().optional(),
})
export type CycleView = z.infer<typeof cycleView>
