/** A hand-off as a person sees it: proposed, approved in the inbox, followed to its end, read and judged. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { whyNoBrowser } from './chromium.ts'
import { WatchedHome } from './watched-home.ts'

/** A daemon, agents and a browser on a loaded machine. */
const SLOW_MS = 60_000
const ID = 'agent-pan-41'

const missing = whyNoBrowser()
let home: WatchedHome

beforeAll(async () => {
  if (missing !== undefined) return
  home = new WatchedHome('handoffs: { timeouts: { state_update_seconds: 15 } }\n')
  await home.up()
  await home.live.spawn(ID, 'steady', 'Begin.')
  await home.live.until(async () => (await home.live.agent(ID)).lastAction !== undefined, 'it works')
}, SLOW_MS)

afterAll(async () => {
  if (missing === undefined) await home.remove()
}, SLOW_MS)

beforeEach((context) => context.skip(missing !== undefined, `no browser test here: ${missing}`))

test('rules are kept from it; a proposal is approved in the inbox, goes on live, and is judged', async () => {
  const page = await home.tab()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByText('Nothing was handed over yet.').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: ID, exact: true }).click()
  await page.getByRole('switch', { name: /^Automatic hand-offs/ }).click()
  expect(await home.live.event('handoff.auto-changed', ID)).toMatchObject({ on: false, by: 'you' })
  await page.getByText('Rules leave its work where it is').first().waitFor()
  await page.getByText('it is of no tier').first().waitFor()

  const wish = { toModel: 'long-tool', reason: 'rehearsed', ask: true }
  await home.live.client.post(`/api/agents/${ID}/handoff`, wish)
  await page.getByText('A hand-off is proposed').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.getByRole('heading', { name: /is to be handed to long-tool: rehearsed/ }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved', { exact: true }).waitFor()

  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: 'Handoffs' }).waitFor()
  const row = page.getByRole('list', { name: 'Hand-offs, newest first' }).getByRole('button').first()
  await row.click()
  await page.getByText('comes to rest').first().waitFor()
  await row.filter({ hasText: 'took' }).waitFor({ timeout: SLOW_MS })
  expect(await row.textContent()).toContain('done')
  await page.getByText('1 of 1, 100 %').waitFor()
  await page.getByText('the successor said its next step and works').waitFor()
  await page.getByText(`pan restore ${ID} --ref 1-1`).waitFor()
  await page.getByRole('button', { name: 'Show the text' }).click()
  await page.locator('pre').getByText('CLOISTER-NEXT').first().waitFor()
  await page.getByRole('button', { name: 'It did not help', exact: true }).click()
  await page.getByText('by a person').waitFor()
  await page.getByText('0 of 1, 0 %').waitFor()
  expect(home.complaints).toEqual([])
}, 120_000)

test('a fresh context is asked for on its page, and only after a yes', async () => {
  const id = 'agent-pan-42'
  await home.live.spawn(id, 'steady', 'Begin.')
  const page = await home.tab()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: id, exact: true }).click()
  await page.getByRole('button', { name: 'Fresh context' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('it writes down where it stands').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(home.live.events.filter((each) => each.type === 'handoff.proposed' && each.agent === id)).toEqual([])
  await page.getByRole('button', { name: 'Fresh context' }).click()
  await dialog.getByRole('button', { name: 'Fresh context' }).click()
  const { handoff } = await home.live.event('handoff.proposed', id)
  expect(handoff).toMatchObject({ method: 'context_cycle', by: 'you', reason: 'asked for on the dashboard' })
  await page.getByText('context cycle').first().waitFor()
  expect(home.complaints).toEqual([])
}, 120_000)
