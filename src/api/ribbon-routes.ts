/** What was true of the agents in the last hours, as the night ribbon shows it. */
import * as z from 'zod'
import { ribbonsView } from '../contract/ribbon.ts'
import { noAgent, ok } from './answer.ts'
import { get } from './route.ts'

const window = z.strictObject({
  hours: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(1).max(72))
    .default(8),
})

export const ribbonRoutes = [
  get('/api/ribbons', {
    summary: 'The ribbons of all agents: segments of what was true, and marks of what happened.',
    query: window,
    answer: ribbonsView,
    handler: async ({ query }, deps) => ok(await deps.ribbons({ hours: query.hours })),
  }),
  get('/api/agents/:id/ribbon', {
    summary: "One agent's ribbon.",
    query: window,
    answer: ribbonsView,
    refusals: ['not_found'],
    handler: async ({ param, query }, deps) =>
      deps.agent(param) === undefined ? noAgent(param) : ok(await deps.ribbons({ hours: query.hours, agent: param })),
  }),
] as const
