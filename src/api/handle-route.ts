/** Checks what a request gives against its route, and only then asks the handler. */
import type { Context } from 'hono'
import { ID_HINT, ID_PATTERN, notAnId } from '../contract/id-pattern.ts'
import { inputId } from '../contract/ids.ts'
import { invalid, type Answer } from './answer.ts'
import type { ApiDeps } from './deps.ts'
import type { DoorEnv } from './door-env.ts'
import { problemIn } from './problem-in.ts'
import { GONE, NOT_JSON_TYPE } from './refusals.ts'
import type { Route } from './route.ts'

const USE = `Use ${ID_HINT}.`

export async function handleRoute(route: Route, context: Context<DoorEnv>, deps: ApiDeps): Promise<Answer> {
  const given = context.req.param('id') ?? ''
  if (route.path.includes(':id') && !ID_PATTERN.test(given)) {
    return invalid(notAnId(given), USE)
  }
  const param = route.path.startsWith('/api/agents/') ? agentNamed(given, deps) : given
  const requestId = context.get('requestId')
  if (!inputId.safeParse(requestId).success) return invalid('The header x-request-id is not valid', USE)
  const query = route.query.safeParse(context.req.query())
  if (!query.success) return invalid(problemIn('query', query.error), 'Correct the address and ask again.')
  const read = route.method === 'GET' ? { value: undefined } : await readBody(context)
  if ('refusal' in read) return read.refusal
  const body = route.body.safeParse(read.value)
  if (!body.success) return invalid(problemIn('body', body.error), 'Correct it and send it again.')
  // Whoever gave up must not find it carried out later, when the daemon goes on after a stop.
  if (route.method !== 'GET' && (await context.env?.isGone?.()) === true) return GONE
  return route.handler({ param, query: query.data, body: body.data, requestId, caller: context.get('caller') }, deps)
}

/** An issue's name stands for its agent: exactly `agent-<name>`, never a prefix of anything. */
export function agentNamed(name: string, deps: Pick<ApiDeps, 'agent'>): string {
  const ofIssue = `agent-${name}`
  return deps.agent(name) === undefined && deps.agent(ofIssue) !== undefined ? ofIssue : name
}

/** A page of another site can send forms and plain text without being asked, but not JSON. */
async function readBody(context: Context<DoorEnv>): Promise<{ value: unknown } | { refusal: Answer }> {
  const type = context.req.header('content-type')
  const isJson = /^application\/json[ \t]*(;|$)/i.test(type ?? '')
  if ((type !== undefined && !isJson) || context.req.header('content-encoding') !== undefined) {
    return { refusal: NOT_JSON_TYPE }
  }
  const text = await context.req.text()
  if (text === '') return { value: undefined }
  if (!isJson) return { refusal: NOT_JSON_TYPE }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { refusal: invalid('The body is not JSON', 'Correct it and send it again.') }
  }
}
