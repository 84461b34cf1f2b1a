/** How to come to each page that is pictured, from the one before it. */
import type { Page } from 'playwright-core'
import { SHOWN } from './night.ts'

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
    'agent',
    async (page) => {
      await page.getByRole('link', { name: SHOWN, exact: true }).click()
      await page.locator('.xterm-rows').getByText('npm test').first().waitFor()
      await page.getByText('Two looks before a verdict').first().waitFor()
    },
  ],
  ['agent-more', (page) => page.getByRole('heading', { name: 'Why' }).evaluate((heading) => heading.scrollIntoView())],
  ['agent-day', (page) => page.getByRole('heading', { name: 'Day' }).evaluate((heading) => heading.scrollIntoView())],
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
