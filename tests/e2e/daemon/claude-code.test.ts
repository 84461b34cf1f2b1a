/** One life of the real Claude Code under the real daemon: its own client in a pane, a scripted model on 127.0.0.1. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findProgram } from '../../../src/adapters/claude-code/find-program.ts'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import type { Event } from '../../../src/contract/events.ts'
import type { ActivityView, InboxView } from '../../../src/contract/views.ts'
import { anthropicMessages } from '../../model-api/anthropic-messages.ts'
import { list, type ApiDialect } from '../../model-api/dialect.ts'
import { startModelApi, type ModelApi } from '../../model-api/server.ts'
import { scripted } from '../../model-api/turn.ts'
import { claudeCodeFor } from '../runtimes/install-claude-code.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'
const KEY = `sk-ant-stub-${'0'.repeat(40)}`

const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'one file' },
    { label: 'Postgres', description: 'a server' },
  ],
  multiSelect: false,
}

const cleanups: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

test('one life: started, works, rests, asks and is answered, hears, and is killed without loss', async (ctx) => {
  const client = claudeCodeFor(ctx)
  const { api, results } = await scriptedModel()
  const live = new LiveHome({
    PATH: [dirname(client), process.env['PATH']].join(delimiter),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  })
  cleanups.push(() => live.remove())
  const workspace = live.workspace('work')
  knowUser(live, workspace)
  // The tool runs exactly until something comes through the gate, which is held open: the tool may come later.
  execFileSync('mkfifo', [join(workspace, 'gate')])
  const gate = openSync(join(workspace, 'gate'), 'r+')
  cleanups.push(() => closeSync(gate))
  await live.up()

  const tool = { name: 'Bash', input: { command: 'head -n 1 gate', description: 'wait for the gate' } }
  await live.client.post('/api/agents', {
    id: ID,
    workspace,
    runtime: 'claude-code',
    model: 'sonnet',
    prompt: scripted('-- begin', [{ text: 'I look.', tools: [tool] }, { text: 'first done' }]),
  })
  expect(await live.event('agent.started', ID)).toMatchObject({ generation: 1, confirmed: true })
  await live.until(async () => (await live.agent(ID)).cause?.kind === 'working_tool', 'its tool is open')
  expect(await live.agent(ID)).toMatchObject({
    lifecycle: 'active',
    health: 'active',
    cause: { kind: 'working_tool', name: 'Bash', boundMs: 120_000 },
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  writeSync(gate, 'open\n')
  expect(await rested(live)).toMatchObject({ from: 'active', to: 'idle' })
  expect(results()).toEqual(['open'])
  const { activities } = await live.client.get<ActivityView>(`/api/agents/${ID}/activity`)
  expect(activities.map(({ ts: _, ...activity }) => activity)).toEqual([
    { action: 'session started: startup', state: 'idle' },
    { action: expect.stringMatching(/^heard: -- begin TURNS:/), state: 'active' },
    { tool: 'Bash', action: 'Bash: head -n 1 gate', state: 'active' },
    { action: 'finished: first done', state: 'idle' },
  ])

  const question = { name: 'AskUserQuestion', input: { questions: [QUESTION] } }
  const told = await say(live, scripted('Go on; ask me.', [{ tools: [question] }, { text: 'second done' }]))
  const { item } = await live.event('needs-you.raised', undefined, told)
  expect(item).toMatchObject({ kind: 'waiting', agent: ID, answerable: true, options: ['SQLite', 'Postgres'] })
  expect((await live.client.get<InboxView>('/api/inbox')).items).toEqual([item])
  const before = live.events.length
  await live.client.post(`/api/inbox/${item.id}/answer`, { answer: 'Postgres' })
  expect(await live.event('act.ended', ID, before)).toMatchObject({ act: 'answer', result: 'done' })
  await rested(live, before)
  expect(results()).toEqual(['open', expect.stringContaining('"Which database?"="Postgres"')])
  expect((await live.client.get<InboxView>('/api/inbox')).items).toEqual([])

  // What would be a command, two messages and an unfinished line, were it typed as it is.
  const awkward = `${scripted('/third,\nwith "quotes" and $(x)', [{ text: 'third done' }])} and a tail\\`
  await rested(live, await say(live, awkward))
  expect((await live.client.get<ActivityView>(`/api/agents/${ID}/activity`)).activities.at(-1)).toMatchObject({
    action: 'finished: third done',
  })

  const work = 'half of a thought\n'
  writeFileSync(join(workspace, 'thought.txt'), work)
  await live.client.post(`/api/agents/${ID}/kill`)
  const { ref = '' } = await live.event('agent.salvaged', ID)
  expect(ref).toMatch(/^refs\/cloister\/agent-pan-18\/1-\d+$/)
  await live.until(async () => (await live.agent(ID)).lifecycle === 'stopped', 'it is stopped')
  expect(await treeOf(live)).toEqual({ alive: false })
  expect(execFileSync('git', ['-C', workspace, 'show', `${ref}:thought.txt`], { encoding: 'utf8' })).toBe(work)
  expect(new Set(api.requests)).toEqual(new Set(['POST /v1/messages?beta=true']))
  expect(await live.down()).toBe(0)
}, 300_000)

test('without the client a person hears what is missing and how to mend it', async () => {
  const live = new LiveHome({ PATH: await folderOf('tmux', 'git'), ANTHROPIC_API_KEY: KEY })
  cleanups.push(() => live.remove())
  const workspace = live.workspace('work')
  knowUser(live, workspace)
  await live.up()
  const missing = async () => {
    const since = live.events.length
    await live.client.post('/api/agents', { id: ID, workspace, runtime: 'claude-code', model: 'sonnet' })
    await live.event('needs-you.raised', undefined, since)
    return (await live.client.get<InboxView>('/api/inbox')).items
  }
  const item = {
    id: expect.any(String),
    kind: 'spawn_failed',
    agent: ID,
    sentence:
      `${ID} could not be started: Claude Code is not installed: there is no program «claude» on the daemon's PATH. ` +
      'Install it with `npm install -g @anthropic-ai/claude-code`.',
    hint: `Look at its workspace ${workspace}, then start it again with \`pan agents spawn ${ID}\`.`,
    raisedWallAt: expect.any(Number),
  }
  expect(await missing()).toEqual([item])
  // A second try says what is missing then.
  rmSync(join(live.root, '.claude.json'))
  const more =
    `Claude Code was never set up for this user: run \`claude\` once in ${workspace}, ` +
    'finish its welcome, log in and trust the folder.'
  expect(await missing()).toEqual([{ ...item, sentence: `${item.sentence} ${more}` }])
  expect(await live.agent(ID)).toMatchObject({ lifecycle: 'uninitialized' })
})

test('no login, no trust, root without a sandbox: each is found before anything is started', async () => {
  const bin = await folderOf('tmux', 'git')
  // It must not be run: what it could not do is known without it.
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\ntouch "$HOME/was-run"\n', { mode: 0o755 })
  const live = new LiveHome({ PATH: bin })
  cleanups.push(() => live.remove())
  const workspace = live.workspace('work')
  mkdirSync(live.home, { recursive: true })
  writeFileSync(join(live.home, 'cloister.yaml'), 'runtimes:\n  claude-code:\n    permission_mode: bypassPermissions\n')
  writeFileSync(join(live.root, '.claude.json'), '{"hasCompletedOnboarding": true}')
  await live.up()
  await live.client.post('/api/agents', { id: ID, workspace, runtime: 'claude-code', model: 'sonnet' })
  const { item } = await live.event('needs-you.raised')
  const said = [
    `${ID} could not be started: `,
    ...(process.getuid?.() === 0
      ? [
          'Claude Code refuses permission mode «bypassPermissions» as root. Run as another user, choose another ' +
            '`runtimes.claude-code.permission_mode`, or set IS_SANDBOX=1 where this machine is a sandbox. ',
        ]
      : []),
    `Claude Code does not trust ${workspace} yet and would stop at its trust dialog. ` +
      `Run \`claude\` once in ${workspace} in a terminal and accept. `,
    'Claude Code is not logged in: run `claude` in a terminal and use /login, or set ANTHROPIC_API_KEY for the daemon.',
  ]
  expect(item.sentence).toBe(said.join(''))
  expect(existsSync(join(live.root, 'was-run'))).toBe(false)
  expect(live.tmux('list-panes', '-a')).toBe('')
})

/** A scripted model, and what the client told it of its tools' results, in order. */
async function scriptedModel(): Promise<{ api: ModelApi; results: () => unknown[] }> {
  const results = new Map<unknown, unknown>()
  const listening: ApiDialect = {
    ...anthropicMessages,
    read: (body) => {
      const parts = list(body['messages']).flatMap(({ content }) => list(content))
      for (const part of parts) if (part['type'] === 'tool_result') results.set(part['tool_use_id'], part['content'])
      return anthropicMessages.read(body)
    },
  }
  const api = await startModelApi([listening])
  cleanups.push(() => api.close())
  return { api, results: () => [...results.values()] }
}

/** The user has been through the client's dialogs; what is for the test alone is in his settings. */
function knowUser(live: LiveHome, workspace: string): void {
  const state = {
    hasCompletedOnboarding: true,
    projects: { [realpathSync(workspace)]: { hasTrustDialogAccepted: true } },
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
  }
  const settings = {
    env: { CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1' },
    permissions: { allow: ['Bash'] },
  }
  writeFileSync(join(live.root, '.claude.json'), JSON.stringify(state))
  mkdirSync(join(live.root, '.claude'))
  writeFileSync(join(live.root, '.claude/settings.json'), JSON.stringify(settings))
}

/** A folder with these programs and no other, whatever else this machine has. */
async function folderOf(...names: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-path-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  for (const name of names) {
    symlinkSync((await findProgram(name, process.env['PATH'])) ?? name, join(folder, name))
  }
  return folder
}

/** Gives the place in the log from which on what it led to is found. */
async function say(live: LiveHome, message: string): Promise<number> {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/message`, { message })
  expect(await live.event('act.ended', ID, since)).toMatchObject({
    act: 'message',
    result: 'done',
    detail: 'the agent took it',
  })
  return since
}

/** It comes to rest by its own word. */
async function rested(live: LiveHome, since = 0): Promise<Event | undefined> {
  const find = () =>
    live.events.slice(since).find((event) => event.type === 'agent.lifecycle-changed' && event.to === 'idle')
  await live.until(() => find() !== undefined, 'it rests')
  return find()
}

async function treeOf(live: LiveHome): Promise<object> {
  const spawned = live.events.find((event) => event.type === 'act.decided' && event.act.kind === 'spawn')
  const run = spawned?.type === 'act.decided' ? (spawned.act.run ?? '') : ''
  return new ProcessTrees({ homeId: live.id, home: live.home }).lookAt(run)
}
