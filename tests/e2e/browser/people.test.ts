/** What a person does with agents in the browser, against a real daemon and real panes. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { watchedHome } from './watched-home.ts'

const home = watchedHome('monitoring:\n  check_interval: 2\n')

function state(page: Page, word: string | RegExp) {
  return page.locator('header').filter({ hasText: 'Agents' }).getByText(word, { exact: true })
}

/** What the deed came to stands in place of «is being …», and passes: who waits for it begins before the deed. */
function news(page: Page, text: string) {
  return page.locator('[data-news]').getByText(text)
}

async function openAgent(page: Page, id: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: id, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: id }).waitFor()
}

test('the link signs in once, and leaves no trace in the address', async () => {
  const link = await home.link()
  const page = await home.page(await home.context())
  await page.goto(link)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(page.url()).toBe(new URL('/', link).href)

  const other = await home.page(await home.context())
  await other.goto(link)
  await other.getByRole('heading', { name: 'Sign in to Cloister' }).waitFor()
  await other.getByText('The link was used before').waitFor()
  await other.getByLabel('Or paste the link here').fill(await home.link())
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const stranger = await home.page(page.context())
  await stranger.goto(new URL('/inbox', link).href)
  await stranger.getByRole('heading', { name: 'Sign in to Cloister' }).waitFor()
})

test('an agent is started, watched live, poked, told something, killed, and its work restored', async () => {
  const page = await home.tab()
  const workspace = home.live.workspace('work-31')
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('button', { name: 'Start an agent' }).click()
  await page.getByLabel('Agent or issue').fill('pan-31')
  await page.getByLabel('Folder it works in').fill(workspace)
  await page.getByRole('checkbox', { name: /^Give a new agent a worktree of its own/ }).uncheck()
  await page.getByLabel('First prompt').fill('Begin.')
  await page.getByLabel('Runtime').fill('understudy')
  await page.getByLabel('Model', { exact: true }).fill('steady')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'agent-pan-31' }).waitFor()
  await state(page, 'active').waitFor()
  // What cannot be seen is not drawn.
  await page.locator('.xterm-rows').scrollIntoViewIfNeeded()
  // What it prints over and over: its first lines are gone where the page is slow.
  await page.locator('.xterm-rows').getByText('npm test').first().waitFor()
  await page.getByText('simulated agent', { exact: true }).first().waitFor()
  await page.getByRole('list', { name: 'Activity, newest first' }).getByText('npm test').first().waitFor()
  await page.getByRole('row', { name: /^hook/ }).waitFor()

  await page.getByRole('button', { name: 'Message' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Please name your next step.')
  const sent = news(page, 'The message of agent-pan-31 ended: done').waitFor()
  await Promise.all([sent, page.getByRole('button', { name: 'Send' }).click()])
  const poked = news(page, 'The poke of agent-pan-31 ended: done').waitFor()
  await Promise.all([poked, page.getByRole('button', { name: 'Poke' }).click()])

  const file = join(workspace, 'untracked.txt')
  writeFileSync(file, 'half of a thought\n')
  const acts = page.getByRole('group', { name: 'Acts on agent-pan-31' })
  await acts.getByRole('button', { name: 'Kill' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await acts.getByRole('button', { name: 'Kill' }).click()
  const killed = news(page, 'The kill of agent-pan-31 ended: done').waitFor()
  await Promise.all([killed, page.getByRole('alertdialog').getByRole('button', { name: 'Kill' }).click()])
  await state(page, 'stopped').waitFor()
  await page.getByText('It does not run.').waitFor()

  rmSync(file)
  await page.getByRole('button', { name: /^Restore 1-/ }).click()
  const restored = news(page, 'The restore of agent-pan-31 ended: done').waitFor()
  await Promise.all([restored, page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()])
  expect(existsSync(file)).toBe(true)
  await page.getByRole('button', { name: 'Start anew' }).click()
  // Without a prompt it soon rests.
  await state(page, /^(active|idle)$/).waitFor()
})

test('an agent is frozen, released, held, and given work', async () => {
  await home.live.spawn('agent-pan-32', 'steady', 'Begin.')
  const page = await home.tab()
  await openAgent(page, 'agent-pan-32')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More acts on agent-pan-32' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Freeze…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('frozen by you: frozen from the dashboard', { exact: true }).waitFor()
  await choose('Release')
  await page.getByText('to run', { exact: true }).waitFor()
  await choose('Hold')
  await page.getByText(/^held by you.*: held from the dashboard$/).waitFor()
  await choose('Give it work…')
  await page.getByLabel('Work', { exact: true }).fill('Write the second test.')
  await page.getByRole('button', { name: 'Send' }).click()
  const given = await home.live.event('work.assigned', 'agent-pan-32')
  expect(given.assignment).toMatchObject({ what: 'Write the second test.', by: 'you' })
})

test('a verdict is called wrong beside its reasons, and what led to it is kept', async () => {
  await home.live.spawn('agent-pan-39', 'steady', 'Begin.')
  const page = await home.tab()
  await openAgent(page, 'agent-pan-39')
  const why = page.getByRole('region', { name: 'Why' })
  await why.getByRole('button', { name: 'This is wrong…' }).click()
  const kept = news(page, 'Kept in the folder «wrong» of the home').waitFor()
  await why.getByLabel('What is wrong with this verdict?').fill('It has been done for an hour.')
  await why.getByRole('button', { name: 'Keep it' }).click()
  await kept
  const [file = ''] = readdirSync(join(home.live.home, 'wrong'))
  expect(readFileSync(join(home.live.home, 'wrong', file), 'utf8')).toContain('It has been done for an hour.')
  await why.getByRole('button', { name: 'This is wrong…' }).waitFor()
})

test('questions are answered, in one tab, and are gone in the other', async () => {
  await home.live.spawn('agent-asks', 'asks', 'Begin.')
  const [page, other] = await Promise.all([home.tab(), home.tab()])
  for (const tab of [page, other]) await tab.getByRole('link', { name: '1 thing needs you' }).click()
  await other.getByRole('heading', { name: /agent-asks is waiting for your permission: Bash: rm -rf build/ }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  for (const tab of [page, other]) await tab.getByRole('heading', { name: /Which database shall I use/ }).waitFor()
  // The answered one keeps its place, so that no second click falls on another question's answer.
  await page.getByText('Answered: allow').waitFor()
  expect(await page.getByRole('button', { name: 'Allow' }).isEnabled()).toBe(false)
  await other.getByText('Settled elsewhere').waitFor()
  await page.getByLabel('Or answer in your own words').fill('MariaDB, please')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const tab of [page, other]) await tab.getByText('Nothing needs you.', { exact: true }).waitFor()
  await openAgent(page, 'agent-asks')
  // What cannot be seen is not drawn.
  await page.locator('.xterm-rows').scrollIntoViewIfNeeded()
  await page.locator('.xterm-rows').getByText('MariaDB, please').first().waitFor()
})

test('a message that waits behind a question is taken back and never typed', async () => {
  const id = 'agent-pan-33'
  await home.live.spawn(id, 'asks', 'Begin.')
  const page = await home.tab()
  await page.getByRole('link', { name: '1 thing needs you' }).waitFor()
  await openAgent(page, id)
  await home.live.client.post(`/api/agents/${id}/message`, { message: 'Never mind the database.' })
  const list = page.getByRole('list', { name: 'Messages, newest first' })
  await list.getByText('queued', { exact: true }).waitFor()
  await list.getByRole('button', { name: /^Take back/ }).click()
  await list.getByText('recalled', { exact: true }).waitFor()
  expect(await list.getByRole('button').count()).toBe(0)
  await home.live.client.post(`/api/agents/${id}/kill`, {})
  await state(page, 'stopped').waitFor()
  expect(home.live.events.filter((each) => each.type === 'message.typed' && each.agent === id)).toEqual([])
})

test('all of it by keyboard alone', async () => {
  await home.live.spawn('agent-keys', 'asks', 'Begin.')
  const page = await home.tab()
  await page.getByRole('link', { name: '1 thing needs you' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('1')
  await page.getByRole('heading', { name: /Which database/ }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await page.getByText('Nothing needs you.', { exact: true }).waitFor()

  await page.keyboard.press('/')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.keyboard.type('agent-keys')
  await tabTo(page, 'agent-keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'agent-keys' }).waitFor()
  await tabTo(page, 'Kill')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  expect(await focused(page)).toBe('Cancel')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  expect(await focused(page)).toBe('Kill')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Kill')
  await page.keyboard.press('Enter')
  await state(page, 'stopped').waitFor()
})

async function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`The Tab key does not come to «${name}»`)
}
