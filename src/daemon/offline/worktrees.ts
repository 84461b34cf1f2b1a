/** The worktrees of agents, for the CLI, which loads this by path: which one an agent gets, made, and undone. */
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import {
  makeWorktree,
  repositoryRoot,
  undoWorktree,
  type MadeWorktree,
  type WorktreeResult,
} from '../../adapters/git/worktree.ts'
import { issueText } from '../../core/prompts.ts'

export { undoWorktree as undo }
export { issueText as promptFor }

export interface Wish {
  /** Where the person stands. */
  folder: string
  id?: string
  issue?: string
  project?: string
  base?: string
}

/** Undefined where there is no repository. */
export async function make({ folder, base, ...who }: Wish): Promise<WorktreeResult | undefined> {
  if ((await repositoryRoot(folder)) === undefined) return undefined
  const name = await nameFor(who)
  return makeWorktree({ folder, name, branch: branchOf(name), ...(base === undefined ? {} : { base }) })
}

/** The worktree that an agent had, when somebody deleted it. Undefined when it is there, or was none of ours. */
export async function makeAgain(workspace: string): Promise<WorktreeResult | undefined> {
  const folder = dirname(workspace)
  const isThere = (await stat(workspace).catch(() => undefined)) !== undefined
  const root = dirname(folder)
  if (isThere || basename(folder) !== 'workspaces' || (await repositoryRoot(root)) !== root) return undefined
  const name = basename(workspace)
  return makeWorktree({ folder: root, name, branch: branchOf(name) })
}

/** What was done, in a sentence. */
export function describe({ path, branch, from, made }: MadeWorktree): string {
  if (!made.worktree) return `Worktree ${path} was there, clean, and is used again; it stands at ${from}.`
  if (!made.branch) return `Made the worktree ${path} on the branch ${branch}, which was there; it stands at ${from}.`
  return `Made the worktree ${path} on the new branch ${branch}, from ${from}.`
}

/** An issue has one worktree, which belongs to its own agent; everybody else gets one by name. */
async function nameFor({ id, issue, project }: Omit<Wish, 'folder' | 'base'>): Promise<string> {
  if (issue !== undefined) return id === undefined || id === `agent-${issue}` ? `feature-${issue}` : id
  if (project !== undefined) return id ?? `${project}-ps`
  const given = id ?? ''
  const { config } = await loadSettings(process.env)
  if (config !== undefined && Object.hasOwn(config.specialists, given)) return given
  return `feature-${given.replace(/^agent-/, '')}`
}

/** As the documents name them: workspaces/feature-pan-18 is on feature/pan-18. */
function branchOf(name: string): string {
  return name.startsWith('feature-') ? name.replace('-', '/') : `agent/${name}`
}
