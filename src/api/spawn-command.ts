/** From what a person said to a whole spawn command: what is left out comes from what is known, then from the defaults. */
import type { Command, Refusal } from '../contract/commands.ts'
import type { AgentView } from '../contract/views.ts'
import type { SpawnBody } from '../contract/bodies.ts'
import type { ApiDeps, Chosen } from './deps.ts'

type SpawnCommand = Extract<Command, { type: 'agent.spawn' }>
type Identity = Pick<SpawnCommand, 'agent' | 'kind' | 'issue' | 'project'>

export async function spawnCommand(
  body: SpawnBody,
  deps: Pick<ApiDeps, 'agent' | 'spawnDefaults'>,
): Promise<{ command: SpawnCommand; chosen?: Chosen } | { refusal: Refusal }> {
  const defaults = deps.spawnDefaults()
  const identity = identify(body, deps, defaults.specialists)
  if (identity === undefined) {
    return refuse('It is not said who is to be started', 'Name an agent or an issue, or give --issue or --project.')
  }
  const known = deps.agent(identity.agent)
  const workspace = body.workspace ?? known?.workspace ?? body.cwd
  if (workspace === undefined) {
    const hint = 'Give the folder it works in (workspace), or a repository in which it gets a worktree (repo).'
    return refuse(`There is no workspace for ${identity.agent}`, hint)
  }
  const title = body.title ?? known?.title
  const isSpecialist = identity.kind === 'specialist'
  // A specialist has its model by the settings, whether one is to be chosen or not.
  const isChosen = body.model === undefined && (body.auto === true || (isSpecialist && known === undefined))
  const { agent, issue } = identity
  const who = { agent, issue, ...(isSpecialist ? { specialist: agent } : {}) }
  const chosen = isChosen ? await defaults.choose({ ...who, title, prompt: body.prompt, workspace }) : undefined
  const model = body.model ?? chosen?.model ?? known?.model ?? defaults.model
  const runtime = body.runtime ?? chosen?.runtime ?? known?.runtime ?? defaults.runtimeOf(model)
  return {
    ...given({ chosen }),
    command: {
      type: 'agent.spawn',
      ...identity,
      ...given({ title, prompt: body.prompt }),
      workspace,
      runtime,
      model,
      simulated: isSimulated(runtime),
    },
  }
}

/** One that is known has its workspace. */
export function isKnown(body: SpawnBody, deps: Pick<ApiDeps, 'agent' | 'spawnDefaults'>): boolean {
  const identity = identify(body, deps, deps.spawnDefaults().specialists)
  return identity !== undefined && deps.agent(identity.agent) !== undefined
}

/** Runtimes whose agents are always labelled as simulated. */
const SIMULATED: readonly string[] = ['understudy', 'virtual']

export function isSimulated(runtime: string): boolean {
  return SIMULATED.includes(runtime)
}

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
