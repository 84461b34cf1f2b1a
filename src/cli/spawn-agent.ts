/** Starts an agent in the worktree that is its own: made before, and undone when the agent was never started. */
import { lives } from '../contract/lives.ts'
import type { AcceptedView, AgentView } from '../contract/views.ts'
import type { SpawnBody } from '../contract/bodies.ts'
import type { Client } from './client.ts'
import { EXIT, Failure } from './failure.ts'
import { followAct, type Waiting } from './outcome.ts'
import { complain, print, printable } from './output.ts'
import type { MadeWorktree, WorktreeProgram, WorktreeResult } from './worktrees.ts'

export interface SpawnWish {
  /** Without a workspace it gets its own. */
  body: SpawnBody
  /** Where a new one is made; undefined: never. */
  folder?: string
  /** Where a new branch begins. */
  base?: string
  /** An issue's own worktree, whatever the agent had before; without a repository nothing is started. */
  ofIssue?: true
}

export interface Spawning {
  client: Client
  worktrees: () => Promise<WorktreeProgram>
  options: Waiting
}

export async function spawnAgent(spawning: Spawning, wish: SpawnWish): Promise<number> {
  const { client, options } = spawning
  const known = await findAgent(client, namesOf(wish.body))
  if (wish.ofIssue && known !== undefined) refuseIfAlive(known)
  const { worktrees, made } = await worktreeFor(spawning, wish, known)
  if (made !== undefined && worktrees !== undefined && !options.json) print(printable(worktrees.describe(made)))
  const body = bodyFor(wish, made, worktrees)
  const undo = async () => {
    if (made?.made.worktree === true && worktrees !== undefined) await undoAndSay(worktrees, made)
  }
  let accepted: AcceptedView
  try {
    accepted = await client.call('POST /api/agents', { body })
  } catch (error) {
    // Without an answer nobody knows: it may have been started there.
    if (error instanceof Failure && error.exitCode !== EXIT.noDaemon) await undo()
    throw error
  }
  const { seq, agent = '', chosen } = accepted
  if (chosen !== undefined && !options.json) print(printable(`Its model is ${chosen.model}: ${chosen.why}`))
  const about = {
    ...(made === undefined ? {} : { worktree: tellOf(made) }),
    ...(chosen === undefined ? {} : { chosen }),
  }
  const code = await followAct(client, options, { seq, agent, act: 'spawn', about })
  if (code !== EXIT.ok && known === undefined && (await forgetUnborn(client, agent))) await undo()
  return code
}

/** The first of these names that is known. */
export async function findAgent(client: Client, names: readonly string[]): Promise<AgentView | undefined> {
  for (const name of names) {
    try {
      return await client.call('GET /api/agents/:id', { id: name })
    } catch (error) {
      if (!(error instanceof Failure) || error.error.code !== 'not_found') throw error
    }
  }
  return undefined
}

/** As the daemon finds it: pan-18 and agent-pan-18 are the same agent. */
export function namesOf({ id, issue, project }: SpawnBody): string[] {
  if (issue !== undefined) return [id ?? ofIssue(issue)]
  if (project !== undefined) return [id ?? `${project}-ps`]
  return id === undefined ? [] : [...new Set([id, ofIssue(id)])]
}

function ofIssue(issue: string): string {
  return issue.startsWith('agent-') ? issue : `agent-${issue}`
}

function refuseIfAlive(agent: AgentView): void {
  if (!lives(agent)) return
  const hint = `Tell it something with \`pan work tell ${agent.issue ?? agent.id} …\`, or kill it first.`
  throw new Failure({ code: 'conflict', sentence: `${agent.id} already runs in ${agent.workspace}`, hint })
}

async function worktreeFor(
  { worktrees }: Spawning,
  { body, folder, base, ofIssue: always }: SpawnWish,
  known: AgentView | undefined,
): Promise<{ worktrees?: WorktreeProgram; made?: MadeWorktree }> {
  if (body.workspace !== undefined || folder === undefined) return {}
  if (known !== undefined && !always && lives(known)) return {}
  const program = await worktrees()
  const { id, issue, project } = body
  const who = Object.fromEntries(
    Object.entries({ id, issue, project, base }).filter(([, value]) => value !== undefined),
  )
  const result: WorktreeResult | undefined =
    known === undefined || always ? await program.make({ folder, ...who }) : await program.makeAgain(known.workspace)
  if (result !== undefined && 'refused' in result) throw new Failure({ code: 'conflict', ...result.refused })
  if (result !== undefined) return { worktrees: program, made: result }
  if (!always) return {}
  const hint = 'Go to the project, or name it with --repo <dir>.'
  throw new Failure({ code: 'conflict', sentence: `${folder} is in no git repository`, hint })
}

/** Somebody may have cleared its worktree away while it did not run. */
export async function worktreeAgain({ worktrees, options }: Spawning, { workspace }: AgentView): Promise<void> {
  const program = await worktrees()
  const result = await program.makeAgain(workspace)
  if (result === undefined) return
  if ('refused' in result) throw new Failure({ code: 'conflict', ...result.refused })
  if (!options.json) print(printable(program.describe(result)))
}

function bodyFor({ body, ofIssue: isIssue }: SpawnWish, made?: MadeWorktree, worktrees?: WorktreeProgram): SpawnBody {
  if (made === undefined || worktrees === undefined) return body
  const { issue, title, prompt } = body
  const { path: workspace, branch } = made
  if (!isIssue || issue === undefined || prompt !== undefined) return { ...body, workspace }
  return {
    ...body,
    workspace,
    prompt: worktrees.promptFor({ issue, branch, ...(title === undefined ? {} : { title }) }),
  }
}

function tellOf({ path, branch, commit, made }: MadeWorktree): object {
  return { path, branch, commit, newBranch: made.branch === true, newWorktree: made.worktree === true }
}

async function undoAndSay(worktrees: WorktreeProgram, made: MadeWorktree): Promise<void> {
  const rest = await worktrees.undo(made).catch(() => [made.path])
  if (rest.length === 0) complain(`The worktree ${made.path} was removed again.`)
  else complain(`${rest.join(' and ')} was left as it is, since there is something in it.`)
}

/** True when it was never started: then it is off the list, and what went wrong has been said. */
async function forgetUnborn(client: Client, agent: string): Promise<boolean> {
  const view = await findAgent(client, [agent])
  if (view?.lifecycle !== 'uninitialized' || view.act !== undefined) return false
  try {
    await client.call('POST /api/agents/:id/forget', { id: agent })
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
