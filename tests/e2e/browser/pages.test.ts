/** Every page, wide and narrow, light and dark: for everybody, and without scrolling sideways. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { whyNoBrowser } from './chromium.ts'
import { NARROW, WIDE } from './tabs.ts'
import { WatchedHome } from './watched-home.ts'

/** A daemon, agents and a browser on a loaded machine. */
const SLOW_MS = 60_000

const missing = whyNoBrowser()
let home: WatchedHome

beforeAll(async () => {
  if (missing !== undefined) return
  home = new WatchedHome('monitoring:\n  check_interval: 2\n')
  await home.up()
  await home.live.spawn('agent-pan-18', 'steady', 'Begin.')
  await home.live.spawn('agent-asks', 'asks', 'Begin.')
  await home.live.event('needs-you.raised')
  const wish = { toModel: 'long-tool', reason: 'it might be better', ask: true }
  await home.live.client.post('/api/agents/agent-pan-18/handoff', wish)
}, SLOW_MS)

afterAll(async () => {
  if (missing === undefined) await home.remove()
}, SLOW_MS)

beforeEach((context) => context.skip(missing !== undefined, `no browser test here: ${missing}`))

interface Place {
  name: string
  go: (page: Page) => Promise<void>
}

const rail = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()

const PLACES: readonly Place[] = [
  { name: 'overview', go: (page) => page.getByRole('slider').first().waitFor() },
  {
    name: 'agents',
    go: async (page) => {
      await rail(page, 'Agents')
      await page.getByRole('article', { name: 'agent-pan-18' }).waitFor()
    },
  },
  {
    name: 'start an agent',
    go: async (page) => {
      await page.getByRole('button', { name: 'Start an agent' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'agent',
    go: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'agent-asks', exact: true }).click()
      // What cannot be seen is not drawn.
      await page.locator('.xterm-rows').scrollIntoViewIfNeeded()
      await page.locator('.xterm-rows').getByText('May I run').first().waitFor()
      await page.getByRole('row', { name: /^hook/ }).waitFor()
      await page.getByRole('button', { name: 'Hand off now' }).waitFor()
    },
  },
  {
    name: 'kill',
    go: async (page) => {
      await page.getByRole('button', { name: 'Kill' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'hand-offs',
    go: async (page) => {
      await page.keyboard.press('Escape')
      await rail(page, 'Handoffs')
      await page.getByRole('button', { name: /waits for your yes/ }).click()
      await page.getByRole('listitem').filter({ hasText: 'proposed' }).first().waitFor()
    },
  },
  {
    name: 'inbox',
    go: async (page) => {
      await rail(page, 'Inbox')
      await page.getByRole('button', { name: 'Allow' }).waitFor()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
  {
    name: 'settings',
    go: async (page) => {
      await rail(page, 'Settings')
      await page.getByRole('switch').first().waitFor()
    },
  },
]

/** Of a dark page only the colours are new. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

function axe(page: Page, colorScheme: 'light' | 'dark'): AxeBuilder {
  // What passed need not be told.
  const all = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  return colorScheme === 'light' ? all : all.withRules(COLOUR_RULES)
}

test.each([
  ['wide', 'light'],
  ['wide', 'dark'],
  ['narrow', 'light'],
  ['narrow', 'dark'],
] as const)('%s and %s', async (width, colorScheme) => {
  const page = await home.tab({ viewport: width === 'wide' ? WIDE : NARROW, colorScheme, reducedMotion: 'reduce' })
  const found: Record<string, unknown> = {}
  for (const { name, go } of PLACES) {
    await go(page)
    const { violations } = await axe(page, colorScheme).analyze()
    const wrong = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    if (wrong.length > 0 || isTooWide) {
      const said = wrong.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
      found[name] = { said, isTooWide }
    }
  }
  await page.context().close()
  expect(found).toEqual({})
  expect(home.complaints.splice(0)).toEqual([])
})

test('the page to sign in with, and one that is not there', async () => {
  const page = await home.page(await home.context())
  await page.goto(new URL('/inbox', await home.link()).href)
  await page.getByRole('heading', { name: 'Sign in to Cloister' }).waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.goto(await home.link())
  await page.getByRole('slider').first().waitFor()
  await page.evaluate(() => history.pushState({}, '', '/agents/agent-nobody'))
  await page.reload()
  await page.getByText('There is no agent agent-nobody.').waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('a narrow overview says each state in a word', async () => {
  const page = await home.tab({ viewport: NARROW })
  const stack = page.getByRole('region', { name: 'The last hours of all agents' })
  await stack.getByRole('slider').nth(1).waitFor()
  const words = stack.getByText(/^(active|stale|warning|stuck|unknown|waiting|limited|idle)$/).filter({ visible: true })
  expect(await words.count()).toBe(2)
  await page.context().close()
})

test.each([640, 768, 900, 1090])('the control bar of a page of %i px cuts nothing off', async (width) => {
  const page = await home.tab({ viewport: { width, height: 740 } })
  const bar = page.getByRole('banner')
  await bar.getByText(/^Watching \d/).waitFor()
  const cut = await bar
    .locator('.truncate')
    .filter({ visible: true })
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
  expect(cut).toEqual([])
  await page.context().close()
})

test('a stream that is refused says why instead of loading for ever', async () => {
  const page = await home.tab()
  const bye = { code: 'too_many', sentence: 'There are already 128 clients', hint: 'Close some tabs.' }
  await page.route('**/api/stream', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `event: bye\ndata: ${JSON.stringify(bye)}\n\n` }),
  )
  await page.reload()
  const content = page.getByRole('main')
  await content.getByRole('heading', { name: 'Cannot show the overview yet.' }).waitFor()
  await content.getByText('There are already 128 clients. Close some tabs.').waitFor()
  await page.context().close()
})
