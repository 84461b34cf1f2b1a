/** Starts the program of an agent in a pane of its own, with a session that it had or a new one. */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Handle } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'
import { typeable } from '../core/typeable.ts'
import type { ActorPorts } from './act.ts'
import { boundsOf, latched, withGround } from './act-outcomes.ts'
import { withToken } from './run-token.ts'
import { untilItShows } from './until-it-shows.ts'

interface Start {
  handle: Handle
  runtime: Runtime
  prompt: string | undefined
  session?: string
}

/**
 * The sentinel is asked before and after: an emergency stop between the two must find nothing new alive.
 * Whatever still lives of this agent, of any generation, is a reason not to start another.
 */
export async function startSession(ports: ActorPorts, agent: AgentRecord, given: Start): Promise<Outcome> {
  const { handle, runtime, session } = given
  // It becomes an argument, which a NUL byte would make impossible; what else is no text goes with it.
  const prompt = given.prompt === undefined ? undefined : typeable(given.prompt)
  const { processes, terminal } = ports
  if (await processes.sentinel()) return latched
  const living = (await terminal.list()).find((pane) => pane.agent === agent.id && !pane.dead)
  if (living !== undefined) return { result: 'not_done', detail: `generation ${living.generation} still lives` }
  const problems = await runtime.check(agent)
  if (problems.length > 0) return { result: 'not_done', detail: problems.join(' ') }
  // Before anything runs there that could change it.
  const found = await ports.git.find(agent.workspace)
  const launch =
    session === undefined || runtime.resume === undefined
      ? await runtime.launch(agent, handle, prompt)
      : await runtime.resume(agent, handle, { session, ...(prompt === undefined ? {} : { prompt }) })
  const bounds = await boundsOf(agent, runtime)
  const outcome = await terminal.start(handle, withToken(launch, ports.tokenOf?.(handle)))
  if (!(await processes.sentinel())) return { ...withGround(agent, found, outcome), ...bounds }
  await untilItShows(ports, handle.run)
  await processes.end(handle.run)
  return { result: 'not_done', detail: 'an emergency stop came while it started' }
}
