/** A Chromium of this machine for tests, with a profile of its own that is gone afterwards. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'

const PAGE = fileURLToPath(new URL('../../../dist/dashboard/index.html', import.meta.url))
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why there can be no browser test here; undefined when there can. */
export function whyNoBrowser(): string | undefined {
  if (program() === undefined) return 'there is no Chromium (Debian: apt-get install chromium)'
  return existsSync(PAGE) ? undefined : 'the dashboard is not built (npm run build)'
}

export function launchChromium(): Promise<Browser> {
  const executablePath = program()
  if (executablePath === undefined) throw new Error('There is no Chromium in PATH.')
  return chromium.launch({ executablePath, args: ARGS, headless: true })
}

function program(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}
