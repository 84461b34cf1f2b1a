/** A command on its way: with the id of its request, so that a request sent twice counts once. */
import type * as z from 'zod'
import { command, type Command } from '../contract/commands.ts'
import type { AcceptedView, ApiError } from '../contract/views.ts'
import { accepted, invalid, refused, type Answer } from './answer.ts'
import type { ApiDeps } from './deps.ts'
import { problemIn } from './problem-in.ts'
import type { ApiRequest } from './route.ts'

/** Whoever holds the token of the home is its owner. */
const BY = 'you'

export async function submit(
  given: z.input<typeof command>,
  { requestId }: Pick<ApiRequest, 'requestId'>,
  deps: ApiDeps,
): Promise<Answer<AcceptedView> | Answer<ApiError>> {
  const parsed = command.safeParse(given)
  if (!parsed.success) return invalid(problemIn('command', parsed.error), 'Correct it and send it again.')
  const reply = await deps.submit({ id: requestId, by: BY, command: parsed.data })
  if (!reply.ok) return refused(reply.refusal)
  const { seq, handoff } = reply
  const view: AcceptedView = { seq, ...agentOf(parsed.data), ...(handoff === undefined ? {} : { handoff }) }
  return accepted(view)
}

function agentOf(given: Command): { agent?: string } {
  return 'agent' in given ? { agent: given.agent } : {}
}
