/** The control bar in every condition of the house, wide and narrow, light and dark: its words, its colour, its remedy. */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { serve, type Serving } from '../../../src/daemon/serve.ts'
import { playedHouse, type ServedHouse } from '../../api/served-house.ts'
import { perform } from '../../nights/script.ts'
import { launchChromium, whyNoBrowser } from './chromium.ts'
import { NARROW, WIDE } from './tabs.ts'

/** A browser on a loaded machine. */
const SLOW_MS = 60_000
const FOLDER = join(import.meta.dirname, '../../../dist/dashboard')

const missing = whyNoBrowser()
let browser: Browser

beforeAll(async () => {
  if (missing === undefined) browser = await launchChromium()
}, SLOW_MS)

afterAll(() => (missing === undefined ? browser.close() : undefined), SLOW_MS)

beforeEach((context) => context.skip(missing !== undefined, `no browser test here: ${missing}`))

interface Seen {
  after: string[]
  says: RegExp
  /** Nothing but watching is without one. */
  remedy?: string
  deed?: string
}

const NIGHT = [
  'set restart_on_crash off',
  'agents 4',
  'wait 5m',
  'agent-1 asks permission rm -rf build',
  'agent-2 is limited for 1h',
  'wait 1s',
]

const CONDITIONS: readonly Seen[] = [
  { after: [], says: /^Watching 4 agents$/, deed: 'Pause watching' },
  { after: ['pause'], says: /^Paused by you$/, remedy: 'pan cloister start', deed: 'Start watching' },
  { after: ['settings broken'], says: /^Degraded: settings are broken; paused by you$/, remedy: 'pan config validate' },
  {
    after: ['start', 'terminal down', 'wait 1m'],
    says: /^Cannot see the agents: no terminal server answers$/,
    remedy: 'pan doctor',
  },
  { after: ['terminal up', 'settings mended', 'wait 3m'], says: /^Watching 4 agents$/, deed: 'Pause watching' },
  {
    after: ['agent-3 dies 1', 'agent-4 dies 1', 'wait 1m'],
    says: /^Acts are held: 2 agents died at once$/,
    remedy: 'pan inbox settle',
    deed: 'Allow acts',
  },
  {
    after: ['emergency stop'],
    says: /^Stopped at \d\d:\d\d on 2026-01-20 by you: 2 of 2 ended$/,
    remedy: 'pan cloister resume',
    deed: 'Resume',
  },
]

const LOOKS = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: WIDE, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'light' },
  { viewport: NARROW, colorScheme: 'dark' },
] as const

async function open(served: ServedHouse): Promise<Serving> {
  const serving = await serve({ ...served.options, dashboard: { host: '127.0.0.1', port: 0, folder: FOLDER } })
  onTestFinished(() => serving.close())
  return serving
}

async function tab(serving: Serving, looks: (typeof LOOKS)[number]): Promise<Page> {
  const context = await browser.newContext({ ...looks, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000)
  const page = await context.newPage()
  await page.goto(serving.invite() ?? '')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  return page
}

function groundOf(page: Page): Promise<string> {
  return page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor)
}

/** Whose colours nobody can tell from their ground, of what is named alone: a whole page takes long. */
async function unreadable(page: Page, ...parts: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).withRules(['color-contrast'])
  for (const part of parts) axe.include(part)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)))
}

test.each(LOOKS)(
  'every condition is said in the bar, colours it and carries its remedy: $viewport.width px, $colorScheme',
  async (looks) => {
    const served = await playedHouse(...NIGHT)
    const page = await tab(await open(served), looks)
    const bar = page.getByRole('banner')
    const normal = await groundOf(page)
    const wrong: string[] = []
    for (const { after, says, remedy, deed } of CONDITIONS) {
      for (const line of [...after, 'wait 1s']) await perform(served.house, line)
      await bar.getByRole('status').getByText(says).waitFor()
      if (deed !== undefined) await bar.getByRole('button', { name: deed }).waitFor()
      if (remedy !== undefined) await page.locator('header + p').getByText(remedy).waitFor()
      expect([says, (await groundOf(page)) !== normal]).toEqual([says, remedy !== undefined])
      const parts = remedy === undefined ? ['header'] : ['header', 'header + p']
      wrong.push(...(await unreadable(page, ...parts)).map((html) => `${says}: ${html}`))
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      if (isTooWide) wrong.push(`${says}: it scrolls sideways`)
    }
    expect(wrong).toEqual([])
  },
)

test('the remedy of the bar puts it right', async () => {
  const served = await playedHouse(...NIGHT, 'agent-3 dies 1', 'agent-4 dies 1', 'wait 1m')
  const page = await tab(await open(served), LOOKS[0])
  const bar = page.getByRole('banner')
  await bar.getByText('Acts are held: 2 agents died at once').waitFor()
  await bar.getByRole('button', { name: 'Allow acts' }).click()
  await page.locator('[data-news]').getByText('Cloister may act again').waitFor()
  await perform(served.house, 'wait 1s')
  await bar.getByText('Watching 2 agents').waitFor()
})

test.each(LOOKS)('who waits and who is limited is never green: $viewport.width px, $colorScheme', async (looks) => {
  const served = await playedHouse(...NIGHT)
  const page = await tab(await open(served), looks)
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Agents/ })
    .click()
  const green = await colourOf(page, 'agent-3', 'active')
  const [waiting, limited] = [await colourOf(page, 'agent-1', 'waiting'), await colourOf(page, 'agent-2', 'limited')]
  expect(new Set([green, waiting, limited]).size).toBe(3)
  expect(await unreadable(page, 'article')).toEqual([])
})

function colourOf(page: Page, agent: string, word: string): Promise<string> {
  const mark = page.getByRole('article', { name: agent, exact: true }).getByText(word, { exact: true })
  return mark.evaluate((element) => getComputedStyle(element).color)
}
