import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const trusts = (path: string) => ({
  hasCompletedOnboarding: true,
  oauthAccount: { emailAddress: 'x@example.org' },
  projects: { [path]: { hasTrustDialogAccepted: true } },
})

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
  expectProblems({ state: trusts(workspace), env: { PATH: '/nowhere:relative' } }, [PROGRAM]))

test('outside a repository a folder above counts', () => expectProblems({ state: trusts(join(root, 'work')) }, []))

test('in a repository its root counts, and a folder above does not', async () => {
  mkdirSync(join(workspace, '.git'))
  await expectProblems({ state: trusts(join(root, 'work')) }, [TRUST])
  await expectProblems({ state: trusts(workspace) }, [])
})

test('for a linked worktree its main repository counts', async () => {
  writeFileSync(join(workspace, '.git'), `gitdir: ${root}/main/.git/worktrees/feature\n`)
  await expectProblems({ state: trusts(join(root, 'main')) }, [])
  await expectProblems({ state: trusts(root) }, [TRUST])
})

test.each([
  [{ CLAUDE_CODE_SANDBOXED: '1', CLAUDE_CODE_OAUTH_TOKEN: 't' }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_AUTH_TOKEN: 't' }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_API_KEY: `sk-${'a'.repeat(20)}` }, []],
  [{ CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_API_KEY: `sk-${'b'.repeat(20)}` }, [KEY]],
  [{ CLAUDE_CODE_SANDBOXED: '1' }, [LOGIN]],
])('with %j', async (env, problems) => {
  const state = { hasCompletedOnboarding: true, customApiKeyResponses: { approved: ['a'.repeat(20)] } }
  await expectProblems({ state, env }, problems)
})

test('a file of credentials or a helper for the key is a login', async () => {
  const state = { ...trusts(workspace), oauthAccount: undefined }
  mkdirSync(join(root, '.claude'))
  await expectProblems({ state }, [LOGIN])
  writeFileSync(join(root, '.claude/settings.json'), '{"apiKeyHelper":"/bin/key"}')
  await expectProblems({ state }, [])
  rmSync(join(root, '.claude/settings.json'))
  writeFileSync(join(root, '.claude/.credentials.json'), '{}')
  await expectProblems({ state }, [])
})

test('root may bypass permissions only in a sandbox', async () => {
  const given = { state: trusts(workspace), uid: 0, permissionMode: 'bypassPermissions' }
  await expectProblems(given, [ROOT])
  await expectProblems({ ...given, env: { IS_SANDBOX: '1' } }, [])
  await expectProblems({ ...given, permissionMode: 'acceptEdits' }, [])
})

test('a workspace that is gone is said', async () => {
  rmSync(workspace, { recursive: true })
  await expectProblems({ state: trusts(root) }, ['The workspace'])
})
