/** What a person does with the whole house in the browser: stop, settings, and a daemon that goes and comes back. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { watchedHome } from './watched-home.ts'

const SETTINGS = `# Mine; do not tidy.
thresholds:
  # Builds here are slow.
  stuck: 45 # minutes
monitoring: { check_interval: 2 }
`

const home = watchedHome(SETTINGS)

test('emergency stop names whom it stops, stays in force, and is resumed', async () => {
  await home.live.spawn('agent-1', 'steady', 'Begin.')
  const page = await home.tab()
  await page.getByRole('link', { name: 'agent-1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Emergency stop' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('list', { name: 'Concerned' }).getByText('agent-1', { exact: true }).waitFor()
  await dialog.getByLabel(/Or type «stop»/).fill('stop')
  await page.keyboard.press('Enter')
  const bar = page.getByRole('banner')
  await bar.getByText(/^Stopped( at \d\d:\d\d)? by you: /).waitFor()
  await home.live.event('emergency.ended')
  expect((await home.live.agent('agent-1')).lifecycle).toBe('stopped')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await bar.getByText('Watching 0 agents').waitFor()
  expect(await page.getByRole('button', { name: 'Emergency stop' }).isEnabled()).toBe(true)
})

test('the button of the emergency stop must be held', async () => {
  const page = await home.tab()
  await page.getByRole('button', { name: 'Emergency stop' }).click()
  await page.getByRole('button', { name: 'Hold to stop everything' }).click()
  await page.getByRole('button', { name: 'Hold to stop everything' }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await home.live.client.get<{ emergency: string }>('/api/cloister/status')).emergency).toBe('armed')
})

test('settings are found, changed, looked through and saved; comments stay', async () => {
  const page = await home.tab()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Search settings').fill('minutes without activity')
  await page.getByText(/^3 of \d+ settings$/).waitFor()
  const stuck = page.locator('[data-key="thresholds.stuck"]').getByRole('textbox')
  expect(await stuck.inputValue()).toBe('45')
  await stuck.fill('60')
  await page.getByLabel('Search settings').fill('poke on warning')
  await page.getByRole('switch', { name: 'poke_on_warning' }).click()
  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save 2 changes?' })
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/thresholds\.stuck\s+45\s+60/),
    expect.stringMatching(/auto_actions\.poke_on_warning\s+on\s+off/),
  ])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('its comments are kept').waitFor()
  expect(readFileSync(home.settingsFile, 'utf8')).toBe(
    `${SETTINGS.replace('stuck: 45', 'stuck: 60')}auto_actions:\n  poke_on_warning: false\n`,
  )
  await page.keyboard.press('Escape')
  await page.getByText('its comments are kept').waitFor({ state: 'hidden' })

  await page.getByLabel('Search settings').fill('poke on warning')
  await page.getByRole('button', { name: 'Default for auto_actions.poke_on_warning' }).click()
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('dialog').getByText('the default', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('1 change not saved').waitFor({ state: 'hidden' })
  expect(readFileSync(home.settingsFile, 'utf8')).not.toContain('poke_on_warning')
})

test('what is wrong with a setting is said at the setting, and nothing is written', async () => {
  const before = readFileSync(home.settingsFile, 'utf8')
  const page = await home.tab()
  await page.getByRole('link', { name: 'Settings' }).click()
  const row = page.locator('[data-key="thresholds.stale"]')
  await row.getByRole('textbox').fill('soon')
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await row.getByRole('alert').getByText('expected a number, got "soon"').waitFor()
  expect(await row.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  await page.getByText('1 problem, marked above').waitFor()
  // It stands at its row: no news, and nothing over the button with which one tries again.
  expect(await page.locator('[data-news]').count()).toBe(0)
  await page.getByRole('button', { name: 'Review and save' }).click({ trial: true })
  expect(readFileSync(home.settingsFile, 'utf8')).toBe(before)
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test("somebody else's edit of the file is not lost", async () => {
  const page = await home.tab()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.locator('[data-key="thresholds.warning"]').getByRole('textbox').fill('20')
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.route(
    '**/api/cloister/config',
    async (route) => {
      const text = readFileSync(home.settingsFile, 'utf8')
      writeFileSync(home.settingsFile, `${text}runs: { max_runs: 7 }\n`)
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The file was changed by somebody else in the meantime').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('its comments are kept').waitFor()
  const text = readFileSync(home.settingsFile, 'utf8')
  expect([text.includes('max_runs: 7'), text.includes('warning: 20')]).toEqual([true, true])
})

test('a daemon that goes and comes back: the page says so, and goes on by itself', async () => {
  await home.live.spawn('agent-2', 'steady', 'Begin.')
  const [page, other] = await Promise.all([home.tab(), home.tab()])
  await other.getByRole('link', { name: 'agent-2', exact: true }).click()
  // What cannot be seen is not drawn.
  await other.locator('.xterm-rows').scrollIntoViewIfNeeded()
  await other.locator('.xterm-rows').getByText('npm test').first().waitFor()
  await home.live.down()
  for (const tab of [page, other]) await tab.getByText('What you see was true then.').waitFor()
  expect(await whyOff(other, 'Message', 'Poke', 'Kill', 'Emergency stop')).toEqual([
    ...Array.from({ length: 3 }, () => [false, expect.stringMatching(/^Offline since \d\d:\d\d/)]),
    [false, expect.stringContaining('pan cloister emergency-stop')],
  ])
  await home.live.up()
  for (const tab of [page, other]) await tab.getByText('What you see was true then.').waitFor({ state: 'hidden' })
  await other.getByText('Read-only', { exact: true }).waitFor()
  expect(await whyOff(other, 'Kill', 'Emergency stop')).toEqual([
    [true, null],
    [true, null],
  ])
  await home.live.spawn('agent-3', 'steady', 'Begin.')
  await page.getByRole('link', { name: 'agent-3', exact: true }).waitFor()
})

test('every browser is signed out at once', async () => {
  const page = await home.tab()
  await home.live.client.post('/api/logins/revoke')
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in to Cloister' }).waitFor()
  expect(await page.getByText('agent-').count()).toBe(0)
  // In the same tab only what follows the # changes: the page is not loaded anew.
  await page.goto(await home.link())
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
})

/** Whether each button can be pressed, and what it says when not. */
function whyOff(page: Page, ...names: readonly string[]) {
  const buttons = names.map((name) => page.getByRole('button', { name, exact: true }))
  return Promise.all(
    buttons.map(async (button) => [await button.isEnabled(), await button.getAttribute('title')] as const),
  )
}
