/** The terminal server is killed and an agent's processes live on: that is shown for what it is, and can be mended. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InboxView } from '../../../src/contract/views.ts'
import { LiveHome } from './live-home.ts'

const [LOST, DEAD] = ['agent-lost', 'agent-plain'] as const

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  // So seldom that only what is hinted at is ever looked at.
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 600\n')
  await live.up()
  await live.spawn(LOST, 'steady', '/do ignore: [SIGHUP]\n/do work: 300s')
  await live.spawn(DEAD, 'steady', '/do work: 300s')
  for (const id of [LOST, DEAD]) {
    await live.until(async () => (await live.agent(id)).health === 'active', `${id} is judged`)
  }
  await live.until(() => screenOf(LOST).includes('(ignores SIGHUP)'), 'it ignores the end of its terminal')
})

afterEach(() => live.remove())

test('who lives on is unknown, not dead, at once; nobody types to it or starts it twice; a kill mends it', async () => {
  process.kill(Number(live.tmux('display-message', '-p', '#{pid}')), 'SIGKILL')
  await live.until(async () => (await inbox()).length === 2, 'two items')
  expect(await inbox()).toEqual([
    { kind: 'dead', agent: DEAD, sentence: `The process of ${DEAD} is gone.`, hint: expect.any(String) },
    {
      kind: 'no_terminal',
      agent: LOST,
      sentence: `The process of ${LOST} lives but has no terminal.`,
      hint: `Nobody can see it or type to it. \`pan agents kill ${LOST}\` saves its work and ends it; then spawn it again.`,
    },
  ])
  expect(await live.agent(LOST)).toMatchObject({
    lifecycle: 'active',
    health: 'unknown',
    cause: { kind: 'unknown', why: 'its process lives but has no terminal' },
  })
  const body = { id: LOST, project: 'live', workspace: join(live.root, `work-${LOST}`), runtime: 'understudy' }
  const spawn = () => live.client.post('/api/agents', { ...body, model: 'steady' })
  const deeds = [() => live.client.post(`/api/agents/${LOST}/message`, { message: 'Are you there?' }), spawn]
  for (const deed of deeds) await expect(deed()).rejects.toThrow(`the process of ${LOST} lives but has no terminal`)

  await live.client.post(`/api/agents/${LOST}/kill`)
  await live.until(async () => (await live.agent(LOST)).lifecycle === 'stopped', 'it is stopped')
  const since = live.events.length
  await spawn()
  expect(await live.event('agent.started', LOST, since)).toMatchObject({ generation: 2, confirmed: true })
  expect((await inbox()).map(({ kind }) => kind)).toEqual(['dead'])
})

function screenOf(id: string): string {
  const panes = live.tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}').split('\n')
  const pane = panes.find((line) => line.endsWith(` ${id}`))?.split(' ')[0]
  return pane === undefined ? '' : live.tmux('capture-pane', '-p', '-S', '-', '-t', pane)
}

async function inbox(): Promise<{ kind: string; agent: string | undefined; sentence: string; hint: string }[]> {
  const { items } = await live.client.get<InboxView>('/api/inbox')
  return items
    .map(({ kind, agent, sentence, hint }) => ({ kind, agent, sentence, hint }))
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
}
