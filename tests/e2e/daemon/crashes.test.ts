/**
 * The daemon is killed in the middle of each act, a few different moments after it was decided, and started again.
 * Whatever the moment: never two trees of one agent, no text typed twice, no kill without the work saved, and no
 * living tree that nobody looks after.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import type { Event } from '../../../src/contract/events.ts'
import type { InboxView } from '../../../src/contract/views.ts'
import type { StateFile } from '../../../src/contract/published-files.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { plainPokeText } from '../../../src/core/prompts.ts'
import { LiveHome } from './live-home.ts'

const DELAYS_MS = [0, 20, 60, 150]
const ID = 'agent-1'

let live: LiveHome

/** Takes a message at once. */
const ATTENTIVE = `name: ${ID}
about: thinks until somebody says something
on_message: next
repeat: forever
steps:
  - think: 10m
`

/** Says so when it was allowed, and only then. */
const ASKING = `name: ${ID}
about: needs a permission
steps:
  - permission: rm -rf build
  - say: It was allowed.
  - think: 10m
`

beforeEach(async () => {
  live = new LiveHome()
  await live.up()
})

afterEach(() => live.remove())

async function spawnAttentive(): Promise<void> {
  script(ATTENTIVE)
  await live.spawn(ID, 'attentive', 'Begin.')
  await live.until(
    async () => (await live.agent(ID)).lastAction?.what.startsWith('heard') === true,
    'it took its prompt',
  )
}

function script(text: string): void {
  mkdirSync(join(live.home, 'understudies'))
  writeFileSync(join(live.home, 'understudies', `${ID}.yaml`), text)
}

/** Posts, and kills the daemon so long after an event says that the act is under way; then starts it again. */
async function crashDuring(post: { path: string; body?: object }, begun: (event: Event) => boolean, delayMs: number) {
  const since = live.events.length
  const posted = live.client.post(post.path, post.body).catch(() => undefined)
  await live.until(() => live.events.slice(since).some(begun), `the beginning of ${post.path}`)
  await after(delayMs)
  await live.crash()
  await posted
  await live.up()
}

const decided = (kind: string) => (event: Event) => event.type === 'act.decided' && event.act.kind === kind
const ended = (kind: string) => (event: Event) => event.type === 'act.ended' && event.act === kind

function resultOf(kind: string, since = 0) {
  const event = live.events.slice(since).findLast(ended(kind))
  return event?.type === 'act.ended' ? event.result : undefined
}

function runs(): string[] {
  return live.events.flatMap((event) => (event.type === 'act.decided' ? (event.act.run ?? []) : []))
}

async function livingRuns(): Promise<string[]> {
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const looks = await Promise.all(runs().map(async (run) => ({ run, ...(await trees.lookAt(run)) })))
  return looks.filter(({ alive }) => alive).map(({ run }) => run)
}

async function items(): Promise<string[]> {
  return (await live.client.get<StatusView>('/api/cloister/status')).needsYou.map(({ kind }) => kind)
}

/** A tree that lives is looked after; an agent that should live and does not is somebody's item. */
async function expectSound(): Promise<void> {
  const [living, agent, open] = [await livingRuns(), await live.agent(ID), await items()]
  const found = { living: living.length, lifecycle: agent.lifecycle, items: open }
  expect(found.living, JSON.stringify(found)).toBeLessThanOrEqual(1)
  if (found.living === 1) expect(['active', 'idle'], JSON.stringify(found)).toContain(agent.lifecycle)
  else if (agent.lifecycle !== 'stopped') expect(open, JSON.stringify(found)).not.toEqual([])
}

describe.each(DELAYS_MS)('killed %i ms after the act was decided', (delayMs) => {
  test('a spawn: one tree or none, and then it can be started', async () => {
    const workspace = live.workspace('work')
    const body = { id: ID, project: 'live', workspace, runtime: 'understudy', model: 'steady', prompt: 'Begin.' }
    await crashDuring({ path: '/api/agents', body }, decided('spawn'), delayMs)
    await live.until(() => resultOf('spawn') !== undefined, 'the spawn has an end')
    await expectSound()
    if ((await livingRuns()).length === 0) {
      const since = live.events.length
      await live.client.post('/api/agents', body)
      await live.event('agent.started', ID, since)
    }
    expect(await livingRuns()).toHaveLength(1)
    expect(await items()).toEqual([])
    const { repository, place } = JSON.parse(
      readFileSync(join(live.home, 'agents', ID, 'state.json'), 'utf8'),
    ) as StateFile
    expect([repository, place]).toMatchObject([{ top: workspace, gitDir: join(workspace, '.git') }, workspace])
  })

  test('a message: taken once, and said to be heard', async () => {
    await spawnAttentive()
    const since = live.events.length
    await crashDuring({ path: `/api/agents/${ID}/message`, body: { message: 'first' } }, decided('message'), delayMs)
    await live.event('message.heard', ID, since)
    const between = live.events.length
    // What was typed late would stand before this one.
    await live.client.post(`/api/agents/${ID}/message`, { message: 'second' })
    await live.event('message.heard', ID, between)
    await live.until(() => heard('second') > 0, 'the second message stands in the transcript')
    expect({ first: heard('first'), second: heard('second') }).toEqual({ first: 1, second: 1 })
    await expectSound()
  })

  test('a poke: typed once or not at all, and never said to be done without having been heard', async () => {
    await spawnAttentive()
    const since = live.events.length
    await crashDuring({ path: `/api/agents/${ID}/poke` }, decided('poke'), delayMs)
    await live.until(() => resultOf('poke', since) !== undefined, 'the poke has an end')
    const first = resultOf('poke', since)
    await live.client.post(`/api/agents/${ID}/message`, { message: 'afterwards' })
    await live.until(() => heard('afterwards') > 0, 'what came afterwards stands in the transcript')
    const possible = { done: [1], not_done: [0], unknown: [0, 1] }[first as 'done' | 'not_done' | 'unknown']
    expect(possible, `the poke ended as ${first}`).toContain(heard(plainPokeText()))
    await expectSound()
  })

  test('an answer: given once or not at all, and a question that is still open can be answered', async () => {
    script(ASKING)
    await live.spawn(ID, 'asking', 'Begin.')
    const item = async () => (await live.client.get<InboxView>('/api/inbox')).items.find((each) => each.answerable)
    await live.until(async () => (await item()) !== undefined, 'it asks')
    const since = live.events.length
    const path = `/api/inbox/${(await item())?.id}/answer`
    await crashDuring({ path, body: { answer: 'allow' } }, decided('answer'), delayMs)
    await live.until(() => resultOf('answer', since) !== undefined, 'the answer has an end')
    await expectSound()
    const first = resultOf('answer', since)
    const goesOn = () => said('It was allowed.') > 0
    if (first === 'done') await live.until(goesOn, 'it goes on')
    await live.until(async () => goesOn() || (await item()) !== undefined, 'it goes on, or still asks')
    const open = goesOn() ? undefined : await item()
    // The answer may have reached it after all; then nobody takes another.
    if (open !== undefined) {
      await live.client.post(`/api/inbox/${open.id}/answer`, { answer: 'allow' }).catch(() => undefined)
    }
    await live.until(goesOn, 'it goes on')
    expect(said('It was allowed.')).toBe(1)
    await expectSound()
  })

  test('a kill, while it saves: it is completed, the work saved', async () => {
    await expectKilled('steady', decided('kill'), delayMs)
  })

  test('an emergency stop: all are gone, nothing starts until a person resumes', async () => {
    await live.spawn(ID, 'stubborn', 'Begin.')
    const begun = (event: Event) => event.type === 'emergency.triggered'
    await crashDuring({ path: '/api/cloister/emergency-stop' }, begun, delayMs)
    await expectStopped()
  })
})

test.each([0, 150])('killed %i ms after a kill began to end the tree: it is completed', async (delayMs) => {
  const begun = (event: Event) => event.type === 'act.stepped' && event.step === 'ending'
  await expectKilled('stubborn', begun, delayMs)
})

async function expectKilled(script: string, begun: (event: Event) => boolean, delayMs: number): Promise<void> {
  const workspace = await live.spawn(ID, script, 'Begin.')
  writeFileSync(join(workspace, 'untracked.txt'), 'half of a thought\n')
  await crashDuring({ path: `/api/agents/${ID}/kill` }, begun, delayMs)
  await live.until(() => resultOf('kill') !== undefined, 'the kill has an end')
  expect({ result: resultOf('kill'), lifecycle: (await live.agent(ID)).lifecycle }).toEqual({
    result: 'done',
    lifecycle: 'stopped',
  })
  expect({ living: await livingRuns(), items: await items() }).toEqual({ living: [], items: [] })
  const refs = git(workspace, 'for-each-ref', '--format=%(refname)', `refs/cloister/${ID}/`).trim().split('\n')
  expect(refs.map((ref) => git(workspace, 'show', `${ref}:untracked.txt`))).toEqual(
    refs.map(() => 'half of a thought\n'),
  )
}

test.each([0, 5])(
  'killed %i ms after an emergency stop was asked for, perhaps before it was journaled',
  async (delayMs) => {
    await live.spawn(ID, 'stubborn', 'Begin.')
    const posted = live.client.post('/api/cloister/emergency-stop').catch(() => undefined)
    await after(delayMs)
    await live.crash()
    await posted
    const latched = existsSync(join(live.home, 'emergency-stop'))
    const journaled = live.events.some(({ type }) => type === 'emergency.triggered')
    await live.up()
    if (latched || journaled) return expectStopped()
    // It came too late for anything to be done: then nothing was, and it can be asked for again.
    expect(await livingRuns()).toHaveLength(1)
    await live.client.post('/api/cloister/emergency-stop')
    await expectStopped()
  },
)

async function expectStopped(): Promise<void> {
  await live.until(async () => (await status()).emergency === 'stopped', 'the emergency stop has an end')
  await live.until(async () => (await items()).length > 0, 'what it ended is told')
  expect({ living: await livingRuns(), lifecycle: (await live.agent(ID)).lifecycle, items: await items() }).toEqual({
    living: [],
    lifecycle: 'stopped',
    items: ['emergency_stopped'],
  })
  const body = { project: 'live', workspace: join(live.root, `work-${ID}`), runtime: 'understudy', model: 'steady' }
  await expect(live.client.post('/api/agents', { id: ID, ...body })).rejects.toThrow(/emergency/i)
  await live.client.post('/api/cloister/resume')
  await live.until(async () => (await status()).emergency === 'armed', 'it is armed again')
  const since = live.events.length
  await live.client.post('/api/agents', { id: ID, ...body })
  await live.event('agent.started', ID, since)
  expect(await livingRuns()).toHaveLength(1)
}

function status(): Promise<StatusView> {
  return live.client.get('/api/cloister/status')
}

function git(workspace: string, ...args: string[]): string {
  return execFileSync('git', ['-C', workspace, ...args], { env: live.env, encoding: 'utf8' })
}

/** How often the text stands in the agent's own transcripts as one that a person gave. */
function heard(text: string): number {
  return transcript().filter(({ type, message }) => type === 'user' && message?.content === text).length
}

/** How often the agent said it. */
function said(text: string): number {
  const isIt = (line: Line) => line.type === 'assistant' && JSON.stringify(line.message?.content ?? '').includes(text)
  return transcript().filter(isIt).length
}

interface Line {
  type: string
  message?: { content?: unknown }
}

function transcript(): Line[] {
  const folder = join(live.home, 'understudy', 'projects')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Line)
}
