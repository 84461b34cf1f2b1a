/** What the doctor found: the whole of it offline, and of a daemon what it finds with its own environment. */
import * as z from 'zod'

/** One thing that was looked at, and how to mend it. */
export const doctorCheck = z.object({
  what: z.string(),
  result: z.enum(['ok', 'warn', 'fail']),
  found: z.string(),
  fix: z.string().optional(),
})

export const doctorView = z.object({ checks: z.array(doctorCheck) })
export type DoctorView = z.infer<typeof doctorView>
