/** The API's own description. */
import * as z from 'zod'
import { ok } from './answer.ts'
import { get } from './route.ts'

const document = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
type Document = z.infer<typeof document>

export const openApiRoutes = [
  get('/api/openapi.json', {
    summary: 'This description, as OpenAPI 3.1.',
    answer: document,
    // It is made from the table that this route stands in, so it can only be asked for later.
    handler: async () => ok((await import('./openapi.ts')).openApi() as Document),
  }),
] as const
