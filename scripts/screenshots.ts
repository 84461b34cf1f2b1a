/** `node scripts/screenshots.ts`: pictures of every page of the built dashboard, into docs/screenshots. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openConfigDesk } from '../src/adapters/config-file/config-desk.ts'
import { configSchema } from '../src/contract/config/schema.ts'
import { serve, type Serving } from '../src/daemon/serve.ts'
import { launchChromium, whyNoBrowser } from '../tests/e2e/browser/chromium.ts'
import type { House } from '../tests/nights/house.ts'
import { nightCosts, nightGit, nightTerminal, playNight } from './screenshots/night.ts'
import { PAGES } from './screenshots/pages.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'docs/screenshots')
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
const SCHEMES = ['light', 'dark'] as const

const SETTINGS = `# Builds here are slow.
thresholds:
  stale: 5
  warning: 15
  stuck: 30
`

const missing = whyNoBrowser()
if (missing === undefined) await takeAll()
else {
  console.error(`No pictures were taken: ${missing}.`)
  process.exitCode = 1
}

async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const home = mkdtempSync(join(tmpdir(), 'cloister-shots-'))
  const house = await playNight(home)
  const [serving, browser] = await Promise.all([open(house, home), launchChromium()])
  try {
    for (const [width, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        const page = await signedIn(browser, serving, { viewport, colorScheme })
        for (const [name, go] of PAGES) {
          await go(page)
          await settled(page)
          await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), animations: 'disabled' })
        }
        await page.context().close()
      }
    }
  } finally {
    await browser.close()
    await serving.close()
    house.loop.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

function open(house: House, home: string): Promise<Serving> {
  writeFileSync(join(home, 'cloister.yaml'), SETTINGS)
  const desk = openConfigDesk({ PANOPTICON_HOME: home }, configSchema.parse({}))
  const view = async () => ({ ...(await desk.view()), file: '/home/me/.panopticon/cloister.yaml' })
  return serve({
    ...{ loop: house.loop, journal: house.journal, home, clock: house.clock },
    ...{ git: nightGit(house), terminal: nightTerminal, config: view, changeConfig: desk.change },
    costs: nightCosts,
    lives: () => Promise.resolve(false),
    attach: async (id) => ['tmux', '-L', 'cloister-1f0c', 'attach-session', '-t', `=${id}`],
    spawnDefaults: () => ({ model: 'sonnet', runtimeOf: () => 'virtual', specialists: [], choose }),
    stop: () => {},
    problem: (error) => console.error(error),
    dashboard: { host: '127.0.0.1', port: 0, folder: join(ROOT, 'dist/dashboard') },
  })
}

interface Looks {
  viewport: { width: number; height: number }
  colorScheme: (typeof SCHEMES)[number]
}

async function signedIn(browser: Browser, serving: Serving, looks: Looks): Promise<Page> {
  const context = await browser.newContext({ ...looks, timezoneId: 'UTC', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(serving.invite() ?? '')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  return page
}

/** Fonts are there and two frames are drawn. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready
    for (let n = 0; n < 2; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}

async function choose() {
  return { model: 'sonnet', why: 'it is the only one here.' }
}
