/** Sessions in a person's own tmux server: adopted, seen, told and ended as far as allowed, and nothing beside them. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runPan } from '../../cli/run-pan.ts'
import { LiveHome } from './live-home.ts'
import { isAlive, OwnTmux, treeOf } from './own-tmux.ts'
import { built } from '../../programs.ts'

const PROGRAM = built('hook/emergency-stop')
const ID = 'own-shop'

let live: LiveHome
let own: OwnTmux
let workspace: string

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  workspace = live.workspace('shop')
  own = new OwnTmux(live)
  own.begin('work', workspace)
  await live.up()
})

afterEach(async () => {
  own.end()
  await live.remove()
})

function adopt(target: string, more: object = {}): Promise<unknown> {
  return live.client.post('/api/adoptions', { target, socket: own.socket, id: ID, ...more })
}

async function seen(lifecycle: string): Promise<void> {
  await live.until(async () => (await live.agent(ID)).lifecycle === lifecycle, `it is ${lifecycle}`, 50)
}

/** Everything that could be changed in a person's server, but for what its programs print. */
function server(): string {
  return [
    own.tmux('show-options', '-g'),
    own.tmux('show-options', '-s'),
    own.tmux('show-hooks', '-g'),
    own.tmux('list-clients'),
    own.tmux('list-buffers'),
    own.tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{pane_dead} #{window_width}'),
  ].join('\n')
}

test('adopted by its pane it is seen and no more; released, and adopted by its session, it can be told and killed', async () => {
  const { session, pid } = await own.understudy('work')
  own.tmux('new-window', '-d', '-t', 'work', '-n', 'aside', 'exec sleep 1000')
  own.tmux('split-window', '-d', '-t', 'work:0', 'exec sleep 1001')
  const before = server()

  await expect(adopt('wor')).rejects.toThrow(/There is no pane wor in the tmux server/)
  await expect(adopt('work:aside')).rejects.toThrow(/No agent program that Cloister knows runs in the pane work:aside/)
  await expect(adopt('work', { socket: '/nonexistent' })).rejects.toThrow(/No tmux server answers on \/nonexistent/)
  await expect(adopt('89ef65aa-168f-4d9c-b699-725548ed2c5f')).rejects.toThrow(/No living session has the id/)
  await adopt('work:0.0', { project: 'shop' })
  expect(await live.agent(ID)).toMatchObject({
    kind: 'project',
    project: 'shop',
    workspace,
    runtime: 'understudy',
    sessionId: session,
    adopted: { allow: [], pid, pane: { socket: own.socket, id: '%0' } },
  })
  await expect(adopt('%0', { id: 'own-other' })).rejects.toThrow(/That session is adopted already, as own-shop/)

  own.type('work:0.0', '/do tool: { name: Bash, command: npm test, takes: 20s }')
  await live.until(async () => (await live.agent(ID)).doing?.kind === 'tool', 'its tool is seen', 50)
  await seen('idle')
  expect((await live.agent(ID)).heartbeat).toMatchObject({ source: 'active', witness: 'hook' })

  await expect(live.client.post(`/api/agents/${ID}/message`, { message: 'Hello.' })).rejects.toThrow(/may not be sent/)
  await expect(live.client.post(`/api/agents/${ID}/kill`)).rejects.toThrow(/may not be killed/)
  await expect(live.client.post(`/api/agents/${ID}/suspend`)).rejects.toThrow(/a suspend is never done to it/)
  expect((await runPan(['agents', 'list'], { home: live.home })).out).toContain('adopted, observe-only')
  expect(server()).toBe(before)

  await live.client.post(`/api/agents/${ID}/forget`)
  expect(isAlive(pid)).toBe(true)
  await adopt(session, { allow: ['message', 'kill'] })
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/message`, { message: 'Hello there.' })
  expect(await live.event('message.heard', ID, since)).toMatchObject({ evidence: 'hook' })
  await live.until(() => own.screen('work:0.0').includes('I heard: Hello there.'), 'it did what it was told', 50)

  await live.crash()
  await live.up()
  expect(await live.agent(ID)).toMatchObject({ adopted: { pid, allow: ['message', 'kill'] } })
  await seen('idle')
  expect(server()).toBe(before)

  const panes = own.tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number)
  const bystanders = panes.flatMap(treeOf).filter((each) => each !== pid)
  writeFileSync(join(workspace, 'thought.txt'), 'half a thought\n')
  await live.client.post(`/api/agents/${ID}/kill`)
  await seen('stopped')
  const { ref = '' } = await live.event('agent.salvaged', ID)
  expect(execFileSync('git', ['-C', workspace, 'show', `${ref}:thought.txt`], { encoding: 'utf8' })).toBe(
    'half a thought\n',
  )
  expect({ leader: isAlive(pid), bystanders: bystanders.map(isAlive) }).toEqual({
    leader: false,
    bystanders: [true, true, true],
  })
  expect(server()).toBe(before)
}, 120_000)

test('nothing is typed while its shell is in front, while somebody scrolls, or into several panes at once', async () => {
  const { pid } = await own.understudy('work')
  await adopt('work', { allow: ['message'] })
  await seen('idle')
  const held = async (why: RegExp) => {
    const since = live.events.length
    await live.client.post(`/api/agents/${ID}/message`, { message: 'touch typed-in-the-shell' })
    expect((await live.event('message.held', ID, since)).why).toMatch(why)
    await live.client.post(`/api/agents/${ID}/forget`).catch(() => undefined)
    await live.until(async () => (await live.agent(ID).catch(() => undefined)) === undefined, 'it is released', 50)
    await adopt('work', { allow: ['message'] })
    await seen('idle')
  }
  own.tmux('copy-mode', '-t', 'work')
  await held(/somebody scrolls back in its terminal/)
  own.tmux('send-keys', '-t', 'work', '-X', 'cancel')
  own.tmux('set-option', '-w', '-t', 'work', 'synchronize-panes', 'on')
  await held(/types into all panes of its window/)
  own.tmux('set-option', '-w', '-u', '-t', 'work', 'synchronize-panes')
  process.kill(pid, 'SIGSTOP')
  await live.until(() => /Stopped/.test(own.screen('work')), 'its shell is in front', 50)
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/message`, { message: 'touch typed-in-the-shell' })
  expect((await live.event('message.held', ID, since)).why).toMatch(/something else is in front/)
  expect(execFileSync('ls', [workspace], { encoding: 'utf8' })).not.toContain('typed-in-the-shell')
  expect(own.screen('work')).not.toContain('typed-in-the-shell')
  expect(own.tmux('list-buffers')).toBe('')
}, 120_000)

test('an emergency stop names it and leaves it alone, and ends it when that is asked for', async () => {
  const { pid } = await own.understudy('work')
  await adopt('work')
  await seen('idle')
  await live.spawn('agent-1', 'steady', 'Begin.')
  const stop = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--json', ...args], { env: live.env })
    const { runs, survivors, leftAdopted } = JSON.parse(stdout) as Record<string, string[]>
    return { runs: runs?.length, survivors, leftAdopted }
  }
  expect(await stop()).toEqual({ runs: 1, survivors: [], leftAdopted: [ID] })
  expect(await live.event('emergency.ended')).toMatchObject({ stopped: ['agent-1'], leftAlone: [ID] })
  expect(isAlive(pid)).toBe(true)
  await live.client.post('/api/cloister/resume')
  await live.event('emergency.rearmed')
  expect(await live.client.post('/api/cloister/emergency-stop', {})).toMatchObject({ killed: [], leftAlone: [ID] })
  const since = live.events.length
  await live.client.post('/api/cloister/resume')
  await live.event('emergency.rearmed', undefined, since)
  expect(isAlive(pid)).toBe(true)

  expect(await stop('--adopted')).toEqual({ runs: 1, survivors: [], leftAdopted: [] })
  expect(isAlive(pid)).toBe(false)
  await seen('stopped')
  const [shell = 0] = own.tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number)
  expect(isAlive(shell)).toBe(true)
}, 120_000)

test('by the API with the daemon alive, too', async () => {
  const { pid } = await own.understudy('work')
  await adopt('work')
  await seen('idle')
  const stopped = await live.client.post('/api/cloister/emergency-stop', { adopted: true })
  expect(stopped).toMatchObject({ killed: [ID], leftAlone: [], survivors: [], ended: true })
  expect(isAlive(pid)).toBe(false)
})

test('a server that was restarted, and its session gone on with in the same pane, is not taken for it', async () => {
  const { session, pid } = await own.understudy('work')
  await adopt('work', { allow: ['message', 'kill'] })
  await seen('idle')
  own.type('work', 'Hello.')
  await live.until(() => own.screen('work').includes('I heard: Hello.'), 'there is something to go on with', 50)
  own.tmux('kill-server')
  await seen('stopped')
  expect({ alive: isAlive(pid), items: (await live.client.get<{ items: unknown[] }>('/api/inbox')).items }).toEqual({
    alive: false,
    items: [],
  })
  own.begin('work', workspace)
  const again = await own.understudy('work', '--resume', session)
  expect(again.session).toBe(session)
  own.type('work', 'I am another.')
  await live.until(() => own.screen('work').includes('I heard: I am another.'), 'the other one works', 50)
  const { lastCheckWallAt } = await live.client.get<{ lastCheckWallAt: number }>('/api/cloister/status')
  await live.until(
    async () =>
      (await live.client.get<{ lastCheckWallAt: number }>('/api/cloister/status')).lastCheckWallAt > lastCheckWallAt,
    'one more look',
  )
  expect(await live.agent(ID)).toMatchObject({ lifecycle: 'stopped', sessionId: session })
  await expect(live.client.post(`/api/agents/${ID}/message`, { message: 'Hello.' })).rejects.toThrow(/is not running/)
  await expect(live.client.post(`/api/agents/${ID}/kill`)).rejects.toThrow(/is not running/)
  expect(isAlive(again.pid)).toBe(true)
  await adopt('work', { id: 'own-second' })
}, 120_000)

test("an agent of Cloister's own, and its server, cannot be adopted", async () => {
  await live.spawn('agent-1', 'steady', 'Begin.')
  await live.until(async () => (await live.agent('agent-1')).sessionId !== undefined, 'its session is known', 50)
  const { sessionId = '' } = await live.agent('agent-1')
  await expect(adopt(sessionId)).rejects.toThrow(/it is the agent of a run of Cloister/)
  const socket = live.tmux('display-message', '-p', '#{socket_path}').trim()
  await expect(adopt('%1', { socket })).rejects.toThrow(/is that of this home/)
})
