/** Browsers that look at a real daemon through its one-time link. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openClient } from '../../../src/cli/client.ts'
import type { LiveHome } from '../daemon/live-home.ts'
import { launchChromium } from './chromium.ts'

export class Tabs {
  readonly live: LiveHome
  /** What the pages complained about: scripts that threw, and what the content policy refused. */
  readonly complaints: string[] = []
  #browser: Browser | undefined

  constructor(live: LiveHome) {
    this.live = live
  }

  async open(): Promise<void> {
    this.#browser = await launchChromium()
  }

  async link(): Promise<string> {
    return (await openClient(this.live.home).call('POST /api/login-code')).url
  }

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (this.#browser === undefined) throw new Error('The browser is not up.')
    const context = await this.#browser.newContext({ viewport: WIDE, ...options })
    context.setDefaultTimeout(45_000)
    return context
  }

  /** A tab that is signed in, on the overview. */
  async tab(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.page(await this.context(options))
    await page.goto(await this.link())
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    return page
  }

  async page(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      // A daemon that is away is part of the tests; the page says so itself.
      const isExpected = message.text().startsWith('Failed to load resource') || message.text().includes('WebSocket')
      if (message.type() === 'error' && !isExpected) this.complaints.push(message.text())
    })
    return page
  }

  async closeTabs(): Promise<void> {
    await Promise.all(this.#browser?.contexts().map((context) => context.close()) ?? [])
  }

  async close(): Promise<void> {
    await this.#browser?.close()
  }
}

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 360, height: 740 }
