/** How to come to each page that is pictured, from the one before it. */
import type { Page } from 'playwright-core'
import { SHOWN, STUCK } from './night.ts'

type Go = (page: Page) => Promise<unknown>

export const PAGES: readonly (readonly [name: string, go: Go])[] = [
  ['overview', (page) => page.getByRole('slider').nth(3).waitFor()],
  [
    'emergency-stop',
    async (page) => {
      await page.getByRole('button', { name: 'Emergency stop' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  ],
  [
    'agents',
    async (page) => {
      await page.keyboard.press('Escape')
      await rail(page, 'Agents')
      await page.getByRole('slider').first().waitFor()
    },
  ],
  [
    'agent-card-hand-off',
    async (page) => {
      await page.getByRole('button', { name: /^to opus: waits/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).waitFor()
    },
  ],
  [
    'agent',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: SHOWN, exact: true }).click()
      await page.locator('.xterm-rows').getByText('npm test').first().waitFor()
      await page.getByText('Two looks before a verdict').first().waitFor()
    },
  ],
  ['agent-more', (page) => page.getByRole('heading', { name: 'Why' }).evaluate((heading) => heading.scrollIntoView())],
  ['agent-day', (page) => page.getByRole('heading', { name: 'Day' }).evaluate((heading) => heading.scrollIntoView())],
  [
    'agent-hand-off',
    async (page) => {
      await rail(page, 'Agents')
      await page.getByRole('searchbox').fill(STUCK)
      await page.getByRole('link', { name: STUCK, exact: true }).click()
      await page.getByText('Suggested: hand it to sonnet').waitFor()
      await page.getByRole('button', { name: 'Hand off now' }).waitFor()
      await page.getByRole('heading', { name: 'Hand-off', exact: true }).evaluate((heading) => heading.scrollIntoView())
    },
  ],
  [
    'handoffs',
    async (page) => {
      await rail(page, 'Handoffs')
      await page.getByRole('list', { name: 'Hand-offs, newest first' }).waitFor()
    },
  ],
  [
    'handoff',
    async (page) => {
      await page
        .getByRole('button', { name: /it helped|it did not help/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Show the text' }).click()
      await page.getByText('let a number keep its unit').first().waitFor()
      const row = page.getByRole('button', { expanded: true }).first()
      await row.evaluate((button) => scrollTo(0, button.getBoundingClientRect().top + scrollY - 120))
    },
  ],
  [
    'inbox',
    async (page) => {
      await rail(page, 'Inbox')
      await page.getByRole('button', { name: 'Allow' }).waitFor()
    },
  ],
  [
    'settings',
    async (page) => {
      await rail(page, 'Settings')
      await page.locator('[data-key="thresholds.stuck"]').getByRole('textbox').fill('45')
      await page.evaluate(() => scrollTo(0, 0))
    },
  ],
  [
    'sign-in',
    async (page) => {
      await page.evaluate(() => sessionStorage.clear())
      // What was changed in the settings is let go.
      page.once('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await page.getByRole('heading', { name: 'Sign in to Cloister' }).waitFor()
    },
  ],
]

function rail(page: Page, name: string): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages' })
  return pages.getByRole('link', { name: new RegExp(`^${name}`) }).click()
}
