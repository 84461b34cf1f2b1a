/** The live terminal in a real browser under the real content policy, on a real pane. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle } from '../../../src/core/ports.ts'
import { serve, type ServeOptions, type Serving } from '../../../src/daemon/serve.ts'
import { homeToken } from '../../../src/daemon/token.ts'
import { playedHouse } from '../../api/served-house.ts'
import { TmuxPlace } from '../tmux/tmux-place.ts'
import { launchChromium, whyNoBrowser } from './chromium.ts'

// The page is built here, so only the browser itself can be missing.
const missing = whyNoBrowser()?.includes('Chromium') === true ? 'there is no Chromium' : undefined

let browser: Browser
let folder: string
let place: TmuxPlace
let terminal: TmuxTerminal
let handle: Handle
let serving: Serving
let options: ServeOptions
let page: Page
const violations: string[] = []

beforeAll(async () => {
  if (missing !== undefined) return
  folder = mkdtempSync(join(tmpdir(), 'cloister-page-'))
  await build({
    root: join(import.meta.dirname, 'terminal-page'),
    configFile: false,
    logLevel: 'error',
    plugins: [react(), tailwind()],
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
  browser = await launchChromium()
}, 120_000)

afterAll(async () => {
  if (missing !== undefined) return
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async (context) => {
  context.skip(missing !== undefined, `skipped: ${missing}`)
  const played = await playedHouse('spawn agent-1')
  place = new TmuxPlace()
  terminal = await place.open()
  handle = { agent: 'agent-1', generation: 1, run: played.house.loop.world.agents.get('agent-1')?.run ?? '' }
  await terminal.start(handle, place.launch(handle))
  await place.ready(handle)
  options = { ...played.options, terminal, dashboard: { host: '127.0.0.1', port: 0, folder } }
  serving = await serve(options)
  const token = homeToken(played.home)
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(45_000)
  violations.length = 0
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  page.on('pageerror', (error) => violations.push(error.message))
  await page.addInitScript((given) => sessionStorage.setItem('cloister.token', given), token)
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const at = event.target instanceof Element ? event.target.outerHTML.slice(0, 300) : ''
      console.error(
        `policy: ${event.effectiveDirective} ${event.sourceFile}:${event.lineNumber}:${event.columnNumber} ${at}`,
      )
    })
  })
  await page.goto(serving.url ?? '')
})

afterEach(async () => {
  if (missing !== undefined) return
  await page.context().close()
  await serving.close()
  await place.remove()
})

const screenText = () => page.locator('.xterm-rows').innerText()
const shows = (text: string) =>
  vi.waitFor(async () => expect((await screenText()).replaceAll('\u00a0', ' ')).toContain(text), 15_000)

test('shows the pane, its colours and what comes, and breaks no rule of the policy', async () => {
  await shows('ready')
  await terminal.type(handle, 'plain wörds 漢字')
  await shows('plain wörds 漢字')
  place.tmux(
    'send-keys',
    '-t',
    '=agent-1@1@' + handle.run + ':',
    '-l',
    '\u001b[38;2;10;200;30mtrue colour\u001b[0m \u001b[41mred ground\u001b[0m',
  )
  await shows('true colour')
  const colour = await page
    .locator('.xterm-rows span', { hasText: 'red' })
    .first()
    .evaluate((node) => getComputedStyle(node).backgroundColor)
  expect(colour).not.toBe('rgba(0, 0, 0, 0)')
  const rows = await page.locator('.xterm-rows').evaluate((node) => getComputedStyle(node).fontFamily)
  expect(rows).toContain('monospace')
  expect(violations).toEqual([])
})

test('reads only until it is taken over; then keys and pastes arrive, and after give-back no more', async () => {
  await shows('ready')
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('lost')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take over' }).click()
  await page.getByText('You type', { exact: true }).waitFor()
  await page.keyboard.type('hé llo')
  await page.keyboard.press('Enter')
  await page.locator('.xterm-helper-textarea').evaluate((node) => {
    const data = new DataTransfer()
    data.setData('text/plain', 'pasted\ntwice')
    node.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await page.keyboard.press('ArrowUp')
  await vi.waitFor(() =>
    expect(place.raw(handle).toString()).toBe('hé llo\r\u001b[200~pasted\rtwice\u001b[201~\u001b[A'),
  )
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByText('Read-only', { exact: true }).waitFor()
  await page.keyboard.type('lost')
  await terminal.type(handle, 'the end')
  await shows('the end')
  expect(place.raw(handle).toString()).not.toContain('lost')
  expect(violations).toEqual([])
})

test('never answers what the program asks its terminal', async () => {
  await shows('ready')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take over' }).click()
  await page.getByText('You type', { exact: true }).waitFor()
  const questions = [
    '\u001b[c',
    '\u001b[>c',
    '\u001b[6n',
    '\u001b[5n',
    '\u001b[?6n',
    '\u001b]11;?\u0007',
    '\u001b[?2004$p',
    '\u001bP$qm\u001b\\',
    '\u001b[18t',
    '\u001b[?1004h',
    '\u001b[?1003h',
  ]
  place.tmux('send-keys', '-t', `=agent-1@1@${handle.run}:`, '-l', questions.join(''))
  await page.mouse.move(200, 200)
  await page.keyboard.type('typed')
  await shows('typed')
  // What tmux itself sends and what it answers is there once; ours would come twice.
  const answers = place.raw(handle).toString().split('\u001b[?1;2c').length - 1
  expect(answers).toBeLessThanOrEqual(1)
  expect(place.raw(handle).toString()).not.toContain('\u001b[I')
  expect(place.raw(handle).toString()).not.toContain('\u001b[<')
})

test('fits the window here and gets its size back', async () => {
  await shows('ready')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('button', { name: /Fit it/ }).click()
  await vi.waitFor(() =>
    expect(place.tmux('display-message', '-p', '-t', `=agent-1@1@${handle.run}:`, '#{window_width}')).not.toBe('200\n'),
  )
  await page.getByRole('button', { name: 'Give back' }).click()
  await vi.waitFor(() =>
    expect(
      place.tmux('display-message', '-p', '-t', `=agent-1@1@${handle.run}:`, '#{window_width}x#{window_height}'),
    ).toBe('200x50\n'),
  )
})

test('says that it ended and why', async () => {
  await shows('ready')
  await place.crash(handle)
  await page.getByText('Ended', { exact: true }).waitFor()
  await page.getByText(/its program has ended/).waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true)
})

test('comes back by itself when the daemon does', async () => {
  await shows('ready')
  await serving.close()
  await page.getByText('Offline', { exact: true }).waitFor()
  // Why it went is said until it is tried again.
  await page.getByText(/the daemon stops|cannot be reached/).waitFor()
  serving = await serve(options)
  await page.getByText('Read-only', { exact: true }).waitFor()
  await terminal.type(handle, 'and on it goes')
  await shows('and on it goes')
})

test.each([
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
] as const)('at $width px in $scheme it can be read by everybody', async ({ width, scheme }) => {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: scheme })
  await shows('ready')
  const { violations: found } = await new AxeBuilder({ page }).analyze()
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide).toBeLessThanOrEqual(0)
  const shot = process.env['TERMINAL_SHOTS']
  if (shot !== undefined) await page.screenshot({ path: join(shot, `terminal-${width}-${scheme}.png`) })
})
