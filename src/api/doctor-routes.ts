/** What `pan doctor` cannot see from a shell: the programs that the daemon itself would start. */
import * as z from 'zod'
import { doctorView } from '../contract/doctor-view.ts'
import { ok } from './answer.ts'
import { get } from './route.ts'

export const doctorRoutes = [
  get('/api/doctor', {
    summary: "The programs that agents need, as the daemon's own environment has them; the folder is one to work in.",
    query: z.strictObject({ folder: z.string().startsWith('/').max(4096).default('/') }),
    answer: doctorView,
    handler: async ({ query }, deps) => ok({ checks: [...(await deps.doctor(query.folder))] }),
  }),
] as const
