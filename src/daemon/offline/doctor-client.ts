/** Claude Code: whether an agent could be started with it, as far as an environment and a folder can tell. */
import { allowedEnv } from '../../adapters/claude-code/allowed-env.ts'
import { startProblems, type StartProblem } from '../../adapters/claude-code/check-start.ts'
import { findProgram } from '../../adapters/claude-code/find-program.ts'
import { versionProbe } from '../../adapters/claude-code/version.ts'
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { repositoryRoot } from '../../adapters/git/worktree.ts'
import { warn, well, type Check, type Patient } from './doctor-check.ts'

/** Never a failure: agents of other programs can be started all the same. */
export async function client({ env }: Patient, folder: string, uid: number): Promise<Check> {
  const { config } = await loadSettings(env)
  if (config === undefined) return warn('claude', 'not looked at', 'Correct the settings first.')
  const { permission_mode: permissionMode, environment } = config.runtimes['claude-code']
  const own = allowedEnv(env, environment)
  // Whether a folder is trusted is of interest only where agents work.
  const root = await repositoryRoot(folder)
  const situation = { program: 'claude', permissionMode, uid, env: root ? own : { ...own, CLAUDE_CODE_SANDBOXED: '1' } }
  const problems = await startProblems({ id: 'an agent', workspace: root ?? folder }, situation)
  if (problems.length > 0) return warn('claude', told(problems, 'found'), told(problems, 'fix'))
  const program = (await findProgram('claude', own['PATH'])) ?? 'claude'
  const version = await versionProbe(own)(program)
  return well('claude', `${version?.join('.') ?? 'of an unknown version'}, logged in`)
}

/** Each a sentence of its own. */
function told(problems: readonly StartProblem[], what: keyof StartProblem): string {
  return problems
    .map((problem) => problem[what].replace(/[:.]$/, ''))
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
    .join(' ')
}
