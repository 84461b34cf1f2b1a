/** Hand-offs for real: a daemon, a terminal server, processes and git; also with the daemon killed on the way. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HandoffsView } from '../../../src/contract/handoff-views.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'

let live: LiveHome
let workspace: string

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  // An order that may have been typed is not typed again after a crash; nobody waits for it for a whole minute here.
  writeFileSync(join(live.home, 'cloister.yaml'), 'handoffs: { timeouts: { state_update_seconds: 6 } }\n')
  await live.up()
  workspace = await live.spawn(ID, 'steady', 'Begin.')
  await live.until(async () => (await live.agent(ID)).lastAction !== undefined, 'it works')
})

afterEach(() => live.remove())

/** Panes that live now. */
function living(): string[] {
  return live
    .tmux('list-panes', '-a', '-F', '#{pane_dead}')
    .trim()
    .split('\n')
    .filter((dead) => dead === '0')
}

async function handOver(): Promise<number> {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/handoff`, { toModel: 'long-tool', reason: 'rehearsed' })
  return since
}

test('it rests, saves, is ended; its successor says its next step and works; both are written down', async () => {
  const since = await handOver()
  expect(await live.event('handoff.ended', ID, since)).toMatchObject({ result: 'done' })
  const states = live.events.flatMap((event) => (event.type === 'handoff.stepped' ? event.state : []))
  expect(states).toEqual(['resting', 'saving', 'capturing', 'stopping', 'starting', 'proving'])
  expect(readFileSync(join(workspace, '.planning', 'STATE.md'), 'utf8')).toContain('1. the next part')
  expect(await live.agent(ID)).toMatchObject({ model: 'long-tool', generation: 2, lifecycle: 'active' })
  expect(living()).toHaveLength(1)

  const view = await live.client.get<HandoffsView>('/api/handoffs')
  const [handoff] = view.handoffs
  expect(view).toMatchObject({ total: 1, operation: { good: 1, of: 1, share: 1 }, recovery: { good: 0, of: 0 } })
  const folder = join(live.home, 'handoffs', handoff?.id ?? '')
  expect(readFileSync(join(folder, 'prompt.md'), 'utf8')).toContain('the next part')
  const log = join(live.home, 'logs', 'handoffs.jsonl')
  await live.until(() => existsSync(log), 'it is published')
  expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ id: handoff?.id, success: true, agentId: ID })
})

test.each(['saving', 'stopping', 'starting', 'proving'] as const)(
  'the daemon is killed while it is %s: one goes on, and none twice',
  async (state) => {
    const since = await handOver()
    const isThere = () =>
      live.events.slice(since).some((event) => event.type === 'handoff.stepped' && event.state === state)
    await live.until(isThere, `it is ${state}`)
    await live.crash()
    await live.up()
    const { result } = await live.event('handoff.ended', ID, since)
    expect(['done', 'rolled_back']).toContain(result)
    await live.until(() => living().length === 1, 'one lives')
    const starts = live.events.slice(since).flatMap((each) => (each.type === 'agent.started' ? each.generation : []))
    // A successor that never came up is no start; then only the old session was.
    expect(starts).toEqual([...new Set(starts)])
    expect(result === 'done' ? [1] : [1, 2]).toContain(starts.length)
    expect(await live.agent(ID)).toMatchObject({ model: result === 'done' ? 'long-tool' : 'steady' })
  },
)

test('it lends its work to a specialist, rests meanwhile, and has it again when that one is asked for it', async () => {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/handoff`, { toSpecialist: 'test-agent', toModel: 'steady' })
  expect(await live.event('handoff.ended', ID, since)).toMatchObject({ result: 'done' })
  expect(await live.agent(ID)).toMatchObject({
    lifecycle: 'idle',
    lent: { to: 'test-agent' },
    desired: { state: 'hold' },
  })
  expect(await live.agent('test-agent')).toMatchObject({ lifecycle: 'active', kind: 'specialist', workspace })
  expect(living()).toHaveLength(2)

  const back = live.events.length
  await live.client.post(`/api/agents/${ID}/handoff/back`, {})
  expect(await live.event('handoff.ended', ID, back)).toMatchObject({ result: 'done' })
  expect((await live.agent(ID)).lent).toBeUndefined()
  expect((await live.agent('test-agent')).lifecycle).toBe('idle')
  const [returned, out] = (await live.client.get<HandoffsView>('/api/handoffs')).handoffs
  expect([out?.to.specialist, returned?.from.specialist]).toEqual(['test-agent', 'test-agent'])
})
