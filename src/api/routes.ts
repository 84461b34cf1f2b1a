/** Every route of the API, once. The app, its documentation, the client's types and the tests are made from this table. */
import { adoptionRoutes } from './adoption-routes.ts'
import { agentRoutes } from './agent-routes.ts'
import { cloisterRoutes } from './cloister-routes.ts'
import { configRoutes } from './config-routes.ts'
import { doctorRoutes } from './doctor-routes.ts'
import { doorRoutes } from './door-routes.ts'
import { handoffRoutes } from './handoff-routes.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { openApiRoutes } from './openapi-route.ts'
import { recordingRoutes } from './recording-routes.ts'
import { ribbonRoutes } from './ribbon-routes.ts'
import type { Route } from './route.ts'
import { sessionRoutes } from './session-routes.ts'
import { standingRoutes } from './standing-routes.ts'
import { workRoutes } from './work-routes.ts'

const TABLE = [
  ...cloisterRoutes,
  ...configRoutes,
  ...agentRoutes,
  ...adoptionRoutes,
  ...sessionRoutes,
  ...standingRoutes,
  ...handoffRoutes,
  ...workRoutes,
  ...ribbonRoutes,
  ...recordingRoutes,
  ...inboxRoutes,
  ...doctorRoutes,
  ...doorRoutes,
  ...openApiRoutes,
] as const

/** For types only: each row as it was written. */
export type Table = typeof TABLE

export const ROUTES: readonly Route[] = TABLE
