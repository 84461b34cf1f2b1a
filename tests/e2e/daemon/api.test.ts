/** The API of a real daemon, where a fake would prove nothing: real git behind a restore, a real file behind settings. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClient, type Client } from '../../../src/cli/client.ts'
import { LiveHome } from './live-home.ts'

let live: LiveHome
let client: Client

beforeEach(() => {
  live = new LiveHome()
  client = openClient(live.home)
})

afterEach(async () => {
  await live.remove()
})

test('work of a killed agent is seen, lost and brought back byte for byte', async () => {
  await live.up()
  const id = 'agent-pan-18'
  const workspace = await live.spawn(id, 'steady', 'Begin.')
  const work = Buffer.from([0, 255, 10, 13, 200])
  writeFileSync(join(workspace, 'work.bin'), work)
  const before = await client.call('GET /api/agents/:id/git', { id })
  expect(before).toMatchObject({ agent: id, workspace, repository: true, head: { subject: 'begin' }, salvages: [] })
  expect(before.dirty).toContainEqual({ path: 'work.bin', state: 'untracked', staged: false })
  await live.until(async () => (await live.agent(id)).branch === before.branch, 'its branch is known')

  await expect(client.call('POST /api/agents/:id/restore', { id, body: { ref: '1-1' } })).rejects.toThrow('no salvage')
  await client.call('POST /api/agents/:id/kill', { id })
  await live.until(async () => (await live.agent(id)).lifecycle === 'stopped', 'it is stopped')
  writeFileSync(join(workspace, 'work.bin'), 'ruined')
  await client.call('POST /api/agents/:id/restore', { id, body: { ref: 'latest', paths: ['work.bin'] } })
  const results = () =>
    live.events.flatMap((event) => (event.type === 'act.ended' && event.act === 'restore' ? event.result : []))
  await live.until(() => results().length === 1, 'it is refused')
  await client.call('POST /api/agents/:id/restore', { id, body: { ref: 'latest', paths: ['work.bin'], force: true } })
  await live.until(() => results().length === 2, 'it is restored')
  expect(results()).toEqual(['not_done', 'done'])
  expect(readFileSync(join(workspace, 'work.bin'))).toEqual(work)
  const { salvages } = await client.call('GET /api/agents/:id/salvages', { id })
  expect(salvages.map(({ name }) => name)).toEqual(['1-1', '1-2'])
})

test('a changed setting is in force when the answer comes', async () => {
  await live.up()
  const file = join(live.home, 'cloister.yaml')
  writeFileSync(file, '# mine\nthresholds:\n  stuck: 40 # long\n')
  await client.call('PUT /api/cloister/config', { body: { thresholds: { stuck_minutes: 45 } } })
  expect(readFileSync(file, 'utf8')).toBe('# mine\nthresholds:\n  stuck: 45 # long\n')
  expect((await client.call('GET /api/cloister/status')).config.thresholds).toEqual({
    stale: 5,
    warning: 15,
    stuck: 45,
  })
})
