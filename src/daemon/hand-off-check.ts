/** Whether a successor could be started here, asked before anything is done to the agent that has the work. */
import type { Refusal } from '../contract/commands.ts'
import type { HandoffTarget } from '../contract/handoffs.ts'
import { targetOf } from '../core/handoffs/hand-offs.ts'
import type { Runtime } from '../core/runtime-port.ts'
import type { World } from '../core/world.ts'

export type Checkers = ReadonlyMap<string, Pick<Runtime, 'check'>>

/** A specialist is started by its own settings, and one that only gets an empty context runs already. */
export async function handoffCheck(
  world: World,
  runtimes: Checkers,
  { agent: id, to }: { agent: string; to: HandoffTarget },
): Promise<Refusal | undefined> {
  const agent = world.agents.get(id)
  if (agent === undefined || to.specialist !== undefined) return undefined
  const { model, runtime } = targetOf(world, agent, to)
  if (model === agent.model && runtime === agent.runtime) return undefined
  const problems = (await runtimes.get(runtime)?.check({ ...agent, model, runtime })) ?? []
  if (problems.length === 0) return undefined
  const sentence = `${id} cannot go on with ${model} in ${runtime}: ${problems.join(' ').replace(/\.$/, '')}`
  return { code: 'conflict', sentence, hint: 'Nothing was done to it. Mend that, or name another model or runtime.' }
}
