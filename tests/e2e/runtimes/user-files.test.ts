/** The real Claude Code as a person starts it: hooks and commands of `pan setup`, and what its start depends on. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, type TestContext } from 'vitest'
import { checkStart } from '../../../src/adapters/claude-code/check-start.ts'
import { installHooks } from '../../../src/adapters/spool/install.ts'
import { runPan, type Ran } from '../../cli/run-pan.ts'
import { anthropicMessages } from '../../model-api/anthropic-messages.ts'
import { startModelApi, type ModelApi } from '../../model-api/server.ts'
import { scripted } from '../../model-api/turn.ts'
import { claudeCodeFor } from './install-claude-code.ts'

let root: string
let work: string
let api: ModelApi
let asked: string[]

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-user-')))
  work = join(root, 'work')
  mkdirSync(work)
  mkdirSync(join(root, '.claude'))
  know({})
  asked = []
  const read: typeof anthropicMessages.read = (body) => {
    asked.push(JSON.stringify(body['messages']))
    return anthropicMessages.read(body)
  }
  api = await startModelApi([{ ...anthropicMessages, read }])
})

afterEach(async () => {
  await api.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function know(more: object): void {
  const state = { hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } }, ...more }
  writeFileSync(join(root, '.claude.json'), JSON.stringify(state))
}

function clientFolder(ctx: TestContext): string {
  return dirname(claudeCodeFor(ctx))
}

function envOf(folder: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: [folder, process.env['PATH']].join(delimiter),
    HOME: root,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: api.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    ...more,
  }
}

function claude(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env, cwd: work, timeout: 60_000 }
    const child = execFile(join(env['PATH']?.split(delimiter)[0] ?? '', 'claude'), args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    )
    child.stdin?.end()
  })
}

const HELLO = scripted('Hello.', [{ text: 'Good day.' }])
const TOKEN = { ANTHROPIC_AUTH_TOKEN: 'stub' }

test("the hooks of `pan setup` report a person's session, once, and no agent's", async (ctx) => {
  const env = envOf(clientFolder(ctx), TOKEN)
  const home = join(root, 'a home')
  mkdirSync(home)
  installHooks(home)
  const set = await runPan(['setup', 'hooks', '--yes'], { home, env: { ...env, PANOPTICON_HOME: home } })
  expect(set).toMatchObject({ code: 0, err: '' })
  const kinds = () =>
    readdirSync(join(home, 'spool/new')).map((name) => name.replace(/^user\.user\.0\.([A-Za-z]+)\..*$/, '$1'))

  // The agent's own settings report for it.
  const tagged = { ...env, CLOISTER_RUN: 'h.r-1', CLOISTER_GENERATION: '1', CLOISTER_SPOOL: join(root, 'elsewhere') }
  expect(await claude(tagged, '-p', HELLO)).toEqual({ code: 0, out: 'Good day.\n', err: '' })
  expect(kinds()).toEqual([])

  // Every name was one that the client knows, or it would say so here.
  expect(await claude(env, '-p', HELLO)).toEqual({ code: 0, out: 'Good day.\n', err: '' })
  expect(kinds().toSorted()).toEqual(['SessionEnd', 'SessionStart', 'Stop', 'UserPromptSubmit'])
}, 180_000)

test('the commands of `pan setup` arrive with what was typed', async (ctx) => {
  const env = envOf(clientFolder(ctx), TOKEN)
  expect((await runPan(['setup', 'commands', '--yes'], { home: join(root, 'home'), env })).code).toBe(0)
  const text = scripted("pan-18 don't stop", [{ text: 'told' }])
  expect(await claude(env, '-p', `/work-tell ${text}`)).toEqual({ code: 0, out: 'told\n', err: '' })
  expect(asked.at(-1)).toContain("The arguments are: pan-18 don't stop")
  expect(asked.at(-1)).toContain("pan work tell <id> -- '<message>'")
}, 180_000)

const OAUTH = {
  claudeAiOauth: {
    accessToken: 'sk-ant-oat01-x',
    refreshToken: 'r',
    expiresAt: 4_102_444_800_000,
    scopes: ['user:inference'],
  },
}
const SANDBOX = { env: { IS_SANDBOX: '1' } }
const bypass = 'bypassPermissions'

test('what is refused before a start is what the client itself would refuse, and nothing else', async (ctx) => {
  const folder = clientFolder(ctx)
  const uid = process.getuid?.() ?? -1
  const rows: { files?: Record<string, object>; env?: Record<string, string>; mode?: string }[] = [
    {},
    { env: TOKEN },
    { files: { '.claude/.credentials.json': {} } },
    { files: { '.claude/.credentials.json': OAUTH } },
    { files: { '.claude/settings.json': { env: TOKEN } } },
    { files: { 'work/.claude/settings.json': { env: TOKEN } } },
    { files: { 'work/.claude/settings.local.json': { apiKeyHelper: 'echo key' } } },
    { env: TOKEN, mode: bypass },
    { env: { ...TOKEN, IS_SANDBOX: '1' }, mode: bypass },
    { env: { ...TOKEN, IS_SANDBOX: 'true' }, mode: bypass },
    { env: TOKEN, mode: bypass, files: { '.claude/settings.json': SANDBOX } },
    { env: TOKEN, mode: bypass, files: { 'work/.claude/settings.json': SANDBOX } },
  ]
  const seen: object[] = []
  for (const { files = {}, env: more = {}, mode = 'acceptEdits' } of rows) {
    for (const place of ['.claude', 'work/.claude']) rmSync(join(root, place), { recursive: true, force: true })
    know({ oauthAccount: { emailAddress: 'x@example.org' } })
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), JSON.stringify(content))
    }
    const env = envOf(folder, more)
    const problems = await checkStart(
      { id: 'agent-1', workspace: work },
      { program: 'claude', permissionMode: mode, env, uid },
    )
    const { code } = await claude(env, '-p', HELLO, '--permission-mode', mode)
    seen.push({ mode, more, files: Object.keys(files), isRefused: problems.length > 0, clientRefuses: code !== 0 })
  }
  expect(seen).toEqual(seen.map((row) => ({ ...row, isRefused: (row as { clientRefuses: boolean }).clientRefuses })))
  expect(new Set(seen.map((row) => (row as { clientRefuses: boolean }).clientRefuses))).toEqual(new Set([true, false]))
}, 180_000)
