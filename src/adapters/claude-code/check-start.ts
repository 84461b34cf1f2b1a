/** Why Claude Code could not be started for an agent, each reason with its fix. Starts nothing and writes nothing. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import { findProgram } from './find-program.ts'
import { fieldsOf, listOf, parseBody, textOf, type Fields } from './hook-body.ts'
import { isTrusted } from './trust.ts'

export interface StartSituation {
  /** Name or path of the client. */
  program: string
  permissionMode: string
  /** The environment that it will get. */
  env: Readonly<Record<string, string>>
  uid: number
}

export async function checkStart(agent: AgentRecord, situation: StartSituation): Promise<readonly string[]> {
  const { env } = situation
  const problems = [...(await programProblem(situation)), ...rootProblem(situation)]
  const folder = await stat(agent.workspace).catch(() => undefined)
  if (folder?.isDirectory() !== true) return [...problems, noFolder(agent)]
  const state = await stateOf(env)
  if (typeof state === 'string') return [...problems, state]
  // The welcome goes on to the login and to trust, so that one way out mends all three.
  if (state['hasCompletedOnboarding'] !== true) return [...problems, neverSetUp(agent)]
  return [...problems, ...(await trustProblem(agent, state, env)), ...(await loginProblem(state, env))]
}

async function programProblem({ program, env }: StartSituation): Promise<readonly string[]> {
  if ((await findProgram(program, env['PATH'])) !== undefined) return []
  return [
    `Claude Code is not installed: there is no program «${program}» on the daemon's PATH. ` +
      'Install it with `npm install -g @anthropic-ai/claude-code`.',
  ]
}

function rootProblem({ uid, permissionMode, env }: StartSituation): readonly string[] {
  if (uid !== 0 || permissionMode !== 'bypassPermissions' || env['IS_SANDBOX'] === '1') return []
  return [
    'Claude Code refuses permission mode «bypassPermissions» as root. Run as another user, choose another ' +
      '`runtimes.claude-code.permission_mode`, or set IS_SANDBOX=1 where this machine is a sandbox.',
  ]
}

function noFolder({ id, workspace }: AgentRecord): string {
  return `The workspace ${workspace} of ${id} is not a folder. Create it, or register the agent with another one.`
}

function neverSetUp({ workspace }: AgentRecord): string {
  return (
    `Claude Code was never set up for this user: run \`claude\` once in ${workspace}, ` +
    'finish its welcome, log in and trust the folder.'
  )
}

/** What the client remembers; a sentence when it cannot be read. */
async function stateOf(env: StartSituation['env']): Promise<Fields | string> {
  const file = join(env['CLAUDE_CONFIG_DIR'] ?? env['HOME'] ?? '/', '.claude.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error) {
    if (text.code === 'ENOENT') return {}
    return `Claude Code's own state ${file} cannot be read (${text.code}). Make it readable for this user.`
  }
  return parseBody(text) ?? `Claude Code's own state ${file} is no JSON. Run \`claude\` once in a terminal to mend it.`
}

async function trustProblem(
  { workspace }: AgentRecord,
  state: Fields,
  env: StartSituation['env'],
): Promise<readonly string[]> {
  if (env['CLAUDE_CODE_SANDBOXED'] === '1' || (await isTrusted(workspace, state))) return []
  return [
    `Claude Code does not trust ${workspace} yet and would stop at its trust dialog. ` +
      'Run `claude` there once in a terminal and accept.',
  ]
}

/** Any one of these lets the client in without a dialog. */
async function loginProblem(state: Fields, env: StartSituation['env']): Promise<readonly string[]> {
  const tokens = [
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
  ]
  if (tokens.some((name) => env[name] !== undefined)) return []
  const folder = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude')
  const key = env['ANTHROPIC_API_KEY']
  if (key === undefined) return (await isLoggedIn(state, folder)) ? [] : [NO_LOGIN]
  const approved = listOf(fieldsOf(state['customApiKeyResponses'])['approved'])
  if (approved.includes(key.slice(-20))) return []
  return [
    'Claude Code has not been allowed to use ANTHROPIC_API_KEY and would stop at a dialog. ' +
      'Run `claude` once in a terminal and accept the key, or pass it as ANTHROPIC_AUTH_TOKEN.',
  ]
}

const NO_LOGIN =
  'Claude Code is not logged in: run `claude` in a terminal and use /login, or set ANTHROPIC_API_KEY for the daemon.'

async function isLoggedIn(state: Fields, folder: string): Promise<boolean> {
  if (Object.keys(fieldsOf(state['oauthAccount'])).length > 0) return true
  if ((await stat(join(folder, '.credentials.json')).catch(() => undefined)) !== undefined) return true
  const settings = parseBody(await readFile(join(folder, 'settings.json'), 'utf8').catch(() => ''))
  return settings !== undefined && textOf(settings['apiKeyHelper']) !== undefined
}
