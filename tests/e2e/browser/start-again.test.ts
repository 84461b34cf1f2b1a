/** After an emergency stop, in the browser: what it cut off stands in the inbox, and some of those it ended are started. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { watchedHome } from './watched-home.ts'

const home = watchedHome('monitoring: { check_interval: 2 }\n')

function status(): Promise<StatusView> {
  return home.live.client.get('/api/cloister/status')
}

test('the inbox tells what was saved and what was asked, and starts again those who are chosen', async () => {
  const { live } = home
  for (const [id, script] of [
    ['agent-1', 'steady'],
    ['agent-2', 'asks'],
    ['agent-3', 'steady'],
  ] as const) {
    const workspace = await live.spawn(id, script, 'Begin.')
    writeFileSync(join(workspace, 'thought.txt'), 'half a thought\n')
  }
  await live.until(async () => (await status()).needsYou.some(({ kind }) => kind === 'waiting'), 'agent-2 asks')
  await live.client.post('/api/cloister/emergency-stop', { reason: 'wrong branch' })
  await live.until(async () => (await status()).lastStop?.saved.length === 3, 'all is looked after')

  const page = await home.tab()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Inbox/ })
    .click()
  const item = page.getByRole('article', { name: /^The emergency stop by .* ended 3 of 3/ })
  await item.getByText(/agent-2 had asked/).waitFor()
  await item.getByText(/^Saved of \d/).click()
  await item
    .getByText(/^refs\/cloister\/agent-/)
    .first()
    .waitFor()

  const since = live.events.length
  await item.getByRole('button', { name: 'Start them again…' }).click()
  const dialog = page.getByRole('dialog', { name: /Start again whom/ })
  await dialog.getByRole('checkbox', { name: 'agent-3' }).uncheck()
  await dialog.getByRole('button', { name: 'Resume and start 2 agents' }).click()
  await dialog.waitFor({ state: 'hidden' })
  for (const id of ['agent-1', 'agent-2']) await live.event('agent.started', id, since)
  expect(await status()).toMatchObject({ emergency: 'armed', lastStop: { startable: ['agent-3'] } })

  await item.getByRole('button', { name: 'Start it again…' }).click()
  await dialog.getByRole('button', { name: 'Start 1 agent' }).click()
  await live.event('agent.started', 'agent-3', since)
  await live.until(
    async () => (await status()).needsYou.every(({ kind }) => kind !== 'emergency_stopped'),
    'it is settled',
  )
}, 120_000)
