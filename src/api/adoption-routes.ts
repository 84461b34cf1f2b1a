/** Sessions that a person started alone, and that shall be watched. */
import { adoptBody, type AdoptBody } from '../contract/adopted.ts'
import * as views from '../contract/views.ts'
import { refused } from './answer.ts'
import type { ApiDeps } from './deps.ts'
import { COMMAND_REFUSALS, post, type ApiRequest } from './route.ts'
import { isSimulated } from './spawn-command.ts'
import { submit } from './submit.ts'

export const adoptionRoutes = [
  post('/api/adoptions', {
    summary: 'Registers a session that you started yourself, to be watched; more only where it is allowed.',
    body: adoptBody,
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: adopt,
  }),
] as const

async function adopt(request: ApiRequest<unknown, AdoptBody>, deps: ApiDeps) {
  const { id, project, title, allow } = request.body
  const found = await deps.findSession(request.body)
  if ('code' in found) return refused(found)
  const { runtime, session, workspace, model = 'unknown', leader, pane, rests } = found
  const located = await deps.locate(workspace)
  return submit(
    {
      type: 'agent.adopt',
      agent: id ?? `own-${session.toLowerCase().slice(0, 8)}`,
      kind: 'project',
      ...(project === undefined ? {} : { project }),
      ...(title === undefined ? {} : { title }),
      ...{ workspace, ...located, runtime, model },
      simulated: isSimulated(runtime),
      adopted: { ...(pane === undefined ? {} : { pane }), leader, allow: [...new Set(allow)] },
      sessionId: session,
      ...(rests === undefined ? {} : { rests }),
    },
    request,
    deps,
  )
}
