/** Why Claude Code could not be started for an agent, each reason with its fix. Starts nothing and writes nothing. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import { clientSettings, type ClientSettings } from './client-settings.ts'
import { findProgram } from './find-program.ts'
import { fieldsOf, listOf, parseBody, textOf, type Fields } from './hook-body.ts'
import { folderToTrust, isTrusted } from './trust.ts'

export interface StartSituation {
  /** Name or path of the client. */
  program: string
  permissionMode: string
  /** The environment that it will get. */
  env: Readonly<Record<string, string>>
  uid: number
}

export interface StartProblem {
  found: string
  fix: string
}

type Starter = Pick<AgentRecord, 'id' | 'workspace'>

/** One sentence each. */
export async function checkStart(agent: Starter, situation: StartSituation): Promise<readonly string[]> {
  return (await startProblems(agent, situation)).map(({ found, fix }) => `${found} ${fix}`)
}

export async function startProblems(agent: Starter, situation: StartSituation): Promise<readonly StartProblem[]> {
  const { env } = situation
  const settings = await clientSettings(configFolder(env), agent.workspace)
  const problems = [...(await programProblem(situation)), ...rootProblem(situation, settings)]
  const folder = await stat(agent.workspace).catch(() => undefined)
  if (folder?.isDirectory() !== true) return [...problems, noFolder(agent)]
  const state = await stateOf(env)
  if ('fix' in state) return [...problems, state]
  // The welcome goes on to the login and to trust, so that one way out mends all three.
  if (state.fields['hasCompletedOnboarding'] !== true) return [...problems, await neverSetUp(agent)]
  const [trust, login] = await Promise.all([
    trustProblem(agent, state.fields, env),
    loginProblem(state.fields, env, settings),
  ])
  return [...problems, ...trust, ...login]
}

async function programProblem({ program, env }: StartSituation): Promise<readonly StartProblem[]> {
  if ((await findProgram(program, env['PATH'])) !== undefined) return []
  return [
    {
      found: `Claude Code is not installed: there is no program «${program}» on the daemon's PATH.`,
      fix: 'Install it with `npm install -g @anthropic-ai/claude-code`.',
    },
  ]
}

function rootProblem(
  { uid, permissionMode, env }: StartSituation,
  { userEnv }: ClientSettings,
): readonly StartProblem[] {
  if (uid !== 0 || permissionMode !== 'bypassPermissions') return []
  // Exactly «1», seen: the client does not take «true». A project's settings come too late for it.
  if (['IS_SANDBOX', 'CLAUDE_CODE_BUBBLEWRAP'].some((name) => (env[name] ?? userEnv[name]) === '1')) return []
  return [
    {
      found: 'Claude Code refuses permission mode «bypassPermissions» as root.',
      fix:
        'Run as another user, choose another `runtimes.claude-code.permission_mode`, ' +
        'or set IS_SANDBOX=1 where this machine is a sandbox.',
    },
  ]
}

function noFolder({ id, workspace }: Starter): StartProblem {
  return {
    found: `The workspace ${workspace} of ${id} is not a folder.`,
    fix: 'Create it, or register the agent with another one.',
  }
}

async function neverSetUp({ workspace }: Starter): Promise<StartProblem> {
  return {
    found: 'Claude Code was never set up for this user:',
    fix: `run \`claude\` once in ${await folderToTrust(workspace)}, finish its welcome, log in and trust the folder.`,
  }
}

/** What the client remembers. */
async function stateOf(env: StartSituation['env']): Promise<{ fields: Fields } | StartProblem> {
  const file = join(env['CLAUDE_CONFIG_DIR'] ?? env['HOME'] ?? '/', '.claude.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error) {
    if (text.code === 'ENOENT') return { fields: {} }
    const found = `Claude Code's own state ${file} cannot be read (${text.code}).`
    return { found, fix: 'Make it readable for this user.' }
  }
  const fields = parseBody(text)
  if (fields !== undefined) return { fields }
  return { found: `Claude Code's own state ${file} is no JSON.`, fix: 'Run `claude` once in a terminal to mend it.' }
}

async function trustProblem(
  { workspace }: Starter,
  state: Fields,
  env: StartSituation['env'],
): Promise<readonly StartProblem[]> {
  if (env['CLAUDE_CODE_SANDBOXED'] === '1' || (await isTrusted(workspace, state))) return []
  return [
    {
      found: `Claude Code does not trust ${workspace} yet and would stop at its trust dialog.`,
      fix: `Run \`claude\` once in ${await folderToTrust(workspace)} in a terminal and accept.`,
    },
  ]
}

const TOKENS = [
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
]

/** Any one of these lets the client in without a dialog. */
async function loginProblem(
  state: Fields,
  env: StartSituation['env'],
  settings: ClientSettings,
): Promise<readonly StartProblem[]> {
  const all: Fields = { ...env, ...settings.env }
  if (settings.hasKeyHelper || TOKENS.some((name) => textOf(all[name]) !== undefined)) return []
  const key = textOf(all['ANTHROPIC_API_KEY'])
  if (key === undefined) return (await hasCredentials(configFolder(env))) ? [] : [NO_LOGIN]
  const approved = listOf(fieldsOf(state['customApiKeyResponses'])['approved'])
  if (approved.includes(key.slice(-20))) return []
  return [
    {
      found: 'Claude Code has not been allowed to use ANTHROPIC_API_KEY and would stop at a dialog.',
      fix: 'Run `claude` once in a terminal and accept the key, or pass it as ANTHROPIC_AUTH_TOKEN.',
    },
  ]
}

const NO_LOGIN: StartProblem = {
  found: 'Claude Code is not logged in:',
  fix: 'run `claude` in a terminal and use /login, or set ANTHROPIC_API_KEY for the daemon.',
}

/** The account in the client's state stays behind when the login is gone, so that it is no sign of one. */
async function hasCredentials(folder: string): Promise<boolean> {
  const credentials = parseBody(await readFile(join(folder, '.credentials.json'), 'utf8').catch(() => ''))
  return textOf(fieldsOf(credentials?.['claudeAiOauth'])['accessToken']) !== undefined
}

function configFolder(env: StartSituation['env']): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude')
}
