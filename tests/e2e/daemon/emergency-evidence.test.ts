/** What is known after an emergency stop, who was cut off, and how those who were ended are started again. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RibbonsView } from '../../../src/contract/ribbon.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import type { MessagesView } from '../../../src/contract/views.ts'
import { built } from '../../programs.ts'
import { LiveHome } from './live-home.ts'

const PAN = built('cli/main')
const SCRIPTS = { 'agent-1': 'steady', 'agent-2': 'asks', 'agent-3': 'steady' }
const IDS = Object.keys(SCRIPTS)

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  await live.up()
  for (const [id, script] of Object.entries(SCRIPTS)) {
    const workspace = await live.spawn(id, script, 'Begin.')
    writeFileSync(join(workspace, 'thought.txt'), `half a thought of ${id}\n`)
  }
  const asks = async () =>
    (await status()).needsYou.some(({ agent, kind }) => agent === 'agent-2' && kind === 'waiting')
  await live.until(asks, 'agent-2 asks')
})

afterEach(() => live.remove())

function status(): Promise<StatusView> {
  return live.client.get('/api/cloister/status')
}

async function pan(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PAN, ...args], { env: live.env })
  return stdout
}

test('the program names agents; who, why, how many, what was saved and what was cut off is kept, and all are started again', async () => {
  const told = await pan('cloister', 'emergency-stop', '--yes', '--reason', 'wrong branch')
  for (const id of IDS) expect(told).toMatch(new RegExp(`^${id}: ended, \\d+ process`, 'm'))
  expect(told).not.toMatch(/r-b?[0-9a-z]+-\w+-\d/)

  await live.until(async () => (await status()).lastStop?.saved.length === IDS.length, 'all was saved')
  await live.until(async () => (await status()).lastStop?.reason === 'wrong branch', 'who asked is known')
  const { lastStop, needsYou, emergency } = await status()
  expect(emergency).toBe('stopped')
  expect({ ...lastStop, ended: lastStop?.ended.toSorted(), startable: lastStop?.startable.toSorted() }).toMatchObject({
    ...{ reason: 'wrong branch', ended: IDS, of: IDS.length, survivors: [], confirmed: true, startable: IDS },
    questions: [{ agent: 'agent-2' }],
  })
  const refs = lastStop?.saved.map(({ agent, ref }) => [
    agent,
    ref?.startsWith(`refs/cloister/${agent}/`) ?? 'nothing to save',
  ])
  expect(refs?.map(([agent]) => agent).toSorted()).toEqual(IDS)
  expect(refs?.some(([, saved]) => saved === true)).toBe(true)
  expect(needsYou.map(({ kind }) => kind)).toEqual(['emergency_stopped'])

  const { ribbons } = await live.client.get<RibbonsView>('/api/ribbons')
  const crosses = ribbons
    .filter(({ marks }) => marks.some(({ kind }) => kind === 'emergency'))
    .map(({ agent }) => agent)
  expect(crosses.toSorted()).toEqual(IDS)
  for (const shown of [await pan('status'), await pan('cloister', 'status')]) {
    expect(shown).toContain('(wrong branch): 3 of 3 agents ended')
    expect(shown).toMatch(/not answered: agent-2 had asked/)
  }

  const since = live.events.length
  const resumed = await pan('cloister', 'resume', '--start', 'agent-1', 'agent-2')
  expect(resumed).toContain('Being started again: agent-1, agent-2.')
  expect(resumed).toContain('not started since: agent-3')
  for (const id of ['agent-1', 'agent-2']) {
    expect(await live.event('act.decided', id, since)).toMatchObject({ act: { kind: 'resume' } })
    await live.event('agent.started', id, since)
  }
  await live.until(async () => {
    const { messages } = await live.client.get<MessagesView>('/api/agents/agent-2/messages')
    return messages.some(
      ({ by, text, state }) => by === 'cloister' && state === 'heard' && text.includes('it was not answered'),
    )
  }, 'agent-2 is told that its question was not answered')
  expect(
    live.events.slice(since).filter((event) => event.type === 'agent.started' && event.agent === 'agent-3'),
  ).toEqual([])

  // Also when it is over.
  await expect(pan('cloister', 'resume')).rejects.toThrow(
    /not started since: agent-3\. Start them again with `pan cloister resume --start`/,
  )
  expect(await pan('cloister', 'resume', '--start')).toBe(
    'Being started again: agent-3. See them with `pan agents list`.\n',
  )
  await live.event('agent.started', 'agent-3', since)
  await live.until(
    async () => (await status()).needsYou.every(({ kind }) => kind !== 'emergency_stopped'),
    'it is settled',
  )
  expect((await status()).lastStop).toMatchObject({ ended: expect.arrayContaining(IDS) as string[], startable: [] })
})

test('the evidence outlives the daemon, and one that was not ended cannot be started so', async () => {
  await live.client.post('/api/cloister/emergency-stop', { reason: 'pressed' })
  await live.until(async () => (await status()).lastStop?.saved.length === IDS.length, 'all was saved')
  const before = (await status()).lastStop
  await live.crash()
  await live.up()
  expect((await status()).lastStop).toEqual(before)
  await expect(live.client.post('/api/cloister/resume', { start: ['agent-9'] })).rejects.toThrow(
    /agent-9 is none of those/,
  )
  expect((await status()).emergency).toBe('stopped')
})
