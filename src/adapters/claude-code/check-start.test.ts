import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentRecord } from '../../../tests/samples/agents.ts'
import { checkStart } from './check-start.ts'

let root: string
let workspace: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-check-')))
  workspace = join(root, 'work/feature')
  mkdirSync(workspace, { recursive: true })
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin/claude'), '')
  chmodSync(join(root, 'bin/claude'), 0o755)
})
afterEach(() => rmSync(root, { recursive: true }))

interface Given {
  state?: object | string
  env?: Record<string, string>
  uid?: number
  permissionMode?: string
}

function check({ state, env = {}, uid = 1000, permissionMode = 'acceptEdits' }: Given): Promise<readonly string[]> {
  const text = typeof state === 'string' ? state : JSON.stringify(state)
  if (text !== undefined) writeFileSync(join(root, '.claude.json'), text)
  const agent = agentRecord({ workspace })
  const all = { PATH: join(root, 'bin'), HOME: root, ...env }
  return checkStart(agent, { program: 'claude', permissionMode, env: all, uid })
}

const knows = (path: string) => ({
  hasCompletedOnboarding: true,
  projects: { [path]: { hasTrustDialogAccepted: true } },
})

const LOGGED_IN = { CLAUDE_CODE_OAUTH_TOKEN: 't' }

/** The first words of each sentence are enough to know it. */
const PROGRAM = 'Claude Code is not installed'
const TRUST = 'Claude Code does not trust'
const LOGIN = 'Claude Code is not logged in'
const SETUP = 'Claude Code was never set up'
const ROOT = 'Claude Code refuses permission mode'
const KEY = 'Claude Code has not been allowed to use ANTHROPIC_API_KEY'

async function expectProblems(given: Given, problems: readonly string[]): Promise<void> {
  const found = await check(given)
  expect(
    found.map((sentence, index) => (sentence.startsWith(problems[index] ?? '?') ? problems[index] : sentence)),
  ).toEqual(problems)
}

test('a user who never started it hears the one way to set it up', () => expectProblems({}, [SETUP]))

test('a user who set it up hears all that is missing', () =>
  expectProblems({ state: { hasCompletedOnboarding: true } }, [TRUST, LOGIN]))

test('a state that is no JSON is said', () => expectProblems({ state: '{' }, ["Claude Code's own state"]))

test('a missing program is said', () =>
  expectProblems({ state: knows(workspace), env: { ...LOGGED_IN, PATH: '/nowhere:relative' } }, [PROGRAM]))

test('outside a repository a folder above counts', () =>
  expectProblems({ state: knows(join(root, 'work')), env: LOGGED_IN }, []))

test('in a repository its root counts, and a folder above does not', async () => {
  mkdirSync(join(workspace, '.git'))
  await expectProblems({ state: knows(join(root, 'work')), env: LOGGED_IN }, [TRUST])
  await expectProblems({ state: knows(workspace), env: LOGGED_IN }, [])
})

test('for a linked worktree its main repository counts, and is where to accept', async () => {
  writeFileSync(join(workspace, '.git'), `gitdir: ${root}/main/.git/worktrees/feature\n`)
  await expectProblems({ state: knows(join(root, 'main')), env: LOGGED_IN }, [])
  expect(await check({ state: knows(root), env: LOGGED_IN })).toEqual([
    `Claude Code does not trust ${workspace} yet and would stop at its trust dialog. ` +
      `Run \`claude\` once in ${root}/main in a terminal and accept.`,
  ])
})

test.each([
  [{ CLAUDE_CODE_SANDBOXED: '1', CLAUDE_CODE_OAUTH_TOKEN: 't' }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_AUTH_TOKEN: 't' }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_AUTH_TOKEN: '' }, [LOGIN]],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_API_KEY: `sk-${'a'.repeat(20)}` }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_API_KEY: `sk-${'b'.repeat(20)}` }, [KEY]],
  [{ CLAUDE_CODE_SANDBOXED: '1' }, [LOGIN]],
])('with %j', async (env, problems) => {
  const state = { hasCompletedOnboarding: true, customApiKeyResponses: { approved: ['a'.repeat(20)] } }
  await expectProblems({ state, env }, problems)
})

const OAUTH = { claudeAiOauth: { accessToken: 'sk-ant-oat01-x' } }
test.each([
  ['.claude/.credentials.json', OAUTH, []],
  ['.claude/.credentials.json', {}, [LOGIN]],
  ['.claude/settings.json', { apiKeyHelper: '/bin/key' }, []],
  ['.claude/settings.json', { env: { ANTHROPIC_AUTH_TOKEN: 't' } }, []],
  ['work/feature/.claude/settings.json', { env: { ANTHROPIC_AUTH_TOKEN: 't' } }, []],
  ['work/feature/.claude/settings.local.json', { apiKeyHelper: '/bin/key' }, []],
  ['.claude/settings.json', { env: { OTHER: 't' } }, [LOGIN]],
])('a login by %s with %j', async (file, content, problems) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), JSON.stringify(content))
  // The account is remembered, too, where the login itself is gone.
  await expectProblems({ state: { ...knows(workspace), oauthAccount: { emailAddress: 'x@example.org' } } }, problems)
})

test("another folder for the client's files counts", async () => {
  const config = join(root, 'config')
  mkdirSync(config)
  writeFileSync(join(config, '.credentials.json'), JSON.stringify(OAUTH))
  writeFileSync(join(config, '.claude.json'), JSON.stringify(knows(workspace)))
  await expectProblems({ env: { CLAUDE_CONFIG_DIR: config } }, [])
})

test('root may bypass permissions only in a sandbox', async () => {
  const state = knows(workspace)
  const given = { state, env: LOGGED_IN, uid: 0, permissionMode: 'bypassPermissions' }
  await expectProblems(given, [ROOT])
  await expectProblems({ ...given, env: { ...LOGGED_IN, IS_SANDBOX: '1' } }, [])
  await expectProblems({ ...given, env: { ...LOGGED_IN, IS_SANDBOX: 'true' } }, [ROOT])
  await expectProblems({ ...given, permissionMode: 'acceptEdits' }, [])
  const sandbox = JSON.stringify({ env: { IS_SANDBOX: '1' } })
  mkdirSync(join(workspace, '.claude'))
  writeFileSync(join(workspace, '.claude/settings.json'), sandbox)
  await expectProblems(given, [ROOT])
  mkdirSync(join(root, '.claude'))
  writeFileSync(join(root, '.claude/settings.json'), sandbox)
  await expectProblems(given, [])
})

test('a workspace that is gone is said', async () => {
  rmSync(workspace, { recursive: true })
  await expectProblems({ state: knows(root), env: LOGGED_IN }, ['The workspace'])
})
