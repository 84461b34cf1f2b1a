/** From what a person said to a whole spawn command: what is left out comes from what is known, then from the defaults. */
import type { Command, Refusal } from '../contract/commands.ts'
import type { AgentView, SpawnBody } from '../contract/views.ts'
import type { ApiDeps } from './deps.ts'

type SpawnCommand = Extract<Command, { type: 'agent.spawn' }>
type Identity = Pick<SpawnCommand, 'agent' | 'kind' | 'issue' | 'project'>

export function spawnCommand(
  body: SpawnBody,
  deps: Pick<ApiDeps, 'agent' | 'spawnDefaults'>,
): { command: SpawnCommand } | { refusal: Refusal } {
  const defaults = deps.spawnDefaults()
  const identity = identify(body, deps, defaults.specialists)
  if (identity === undefined) {
    return refuse('It is not said who is to be started', 'Name an agent or an issue, or give --issue or --project.')
  }
  const known = deps.agent(identity.agent)
  const workspace = body.workspace ?? known?.workspace ?? body.cwd
  if (workspace === undefined) {
    return refuse(`There is no workspace for ${identity.agent}`, 'Give the folder it works in with --workspace.')
  }
  const runtime = body.runtime ?? known?.runtime ?? defaults.runtime
  return {
    command: {
      type: 'agent.spawn',
      ...identity,
      ...given({ title: body.title ?? known?.title, prompt: body.prompt }),
      workspace,
      runtime,
      model: body.model ?? known?.model ?? defaults.model,
      simulated: SIMULATED.includes(runtime),
    },
  }
}

/** Runtimes whose agents are always labelled as simulated. */
const SIMULATED: readonly string[] = ['understudy', 'virtual']

function identify(
  { id, issue, project }: SpawnBody,
  { agent }: Pick<ApiDeps, 'agent'>,
  specialists: readonly string[],
): Identity | undefined {
  if (issue !== undefined) return { agent: id ?? agentOf(issue), kind: 'issue', issue, ...given({ project }) }
  if (project !== undefined) return { agent: id ?? `${project}-ps`, kind: 'project', project }
  if (id === undefined) return undefined
  const known = agent(id) ?? agent(agentOf(id))
  if (known !== undefined) return identityOf(known)
  if (specialists.includes(id)) return { agent: id, kind: 'specialist' }
  return { agent: agentOf(id), kind: 'issue', issue: id.replace(/^agent-/, '') }
}

/** `pan-18` and `agent-pan-18` are the same agent. */
function agentOf(issue: string): string {
  return issue.startsWith('agent-') ? issue : `agent-${issue}`
}

function identityOf({ id, kind, issue, project }: AgentView): Identity {
  return { agent: id, kind, ...given({ issue, project }) }
}

/** Optional properties are left out rather than set to undefined. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

function refuse(sentence: string, hint: string): { refusal: Refusal } {
  return { refusal: { code: 'invalid', sentence, hint } }
}
