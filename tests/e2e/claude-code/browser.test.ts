/** The real client seen and answered in a real browser: its questions, its permissions, its context, its sessions. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { scripted, type Turn } from '../../model-api/turn.ts'
import { whyNoBrowser } from '../browser/chromium.ts'
import { Tabs } from '../browser/tabs.ts'
import { ID, clientFor, killed, rested, transcribed, type RealClaude } from './real-claude.ts'

const missing = whyNoBrowser()

const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'one file' },
    { label: 'Postgres', description: 'a server' },
  ],
  multiSelect: false,
}
const TESTS = {
  question: 'Which tests?',
  header: 'Tests',
  options: [
    { label: 'Unit', description: 'quick' },
    { label: 'Browser', description: 'slow' },
  ],
  multiSelect: true,
}

function asking(...questions: object[]): Turn {
  return { tools: [{ name: 'AskUserQuestion', input: { questions } }] }
}

function removing(file: string): Turn {
  return { tools: [{ name: 'Bash', input: { command: `rm -f ${file}`, description: 'remove' } }] }
}

test('asked in the client, answered in the browser: the client goes on, and a late answer is refused', async (ctx) => {
  ctx.skip(missing !== undefined, `no browser test here: ${missing}`)
  const real = await clientFor(ctx, {
    settings: { permissions: { allow: ['Bash'], ask: ['Bash(rm:*)'] } },
    // Its full context is only to be seen here.
    config: 'context_cycle: { enabled: false }\n',
  })
  const tabs = new Tabs(real.live)
  await tabs.open()
  ctx.onTestFinished(() => tabs.close())
  let page = await tabs.tab()

  await real.spawn('begin', [asking(DATABASE), removing('x'), { text: 'first done' }])
  await page.getByRole('link', { name: '1 thing needs you' }).click()
  await page.getByRole('heading', { name: /waiting for your answer: Which database\?/ }).waitFor()
  // As the agent wrote them, while its own dialog stands in its terminal.
  expect(await page.getByRole('group', { name: 'Answers' }).getByRole('button').allInnerTexts()).toEqual([
    'SQLite\none file',
    'Postgres\na server',
  ])
  await real.shows('Enter to select')
  await page.getByRole('button', { name: /^Postgres/ }).click()
  await page.getByRole('heading', { name: /waiting for your permission: Bash: rm -f x/ }).waitFor()
  await told(real, '"Which database?"="Postgres"')
  await page.getByRole('button', { name: 'Allow' }).click()
  await real.shows('● first done')
  await page.getByText('Nothing needs you.', { exact: true }).waitFor()

  // Several at once, one of them with several answers; the daemon is killed while they stand open.
  real.type(scripted('ask more', [asking(DATABASE, TESTS), removing('y'), { text: 'second done', usage: FULL }]))
  await page.getByRole('group', { name: 'Which tests?' }).waitFor()
  await killed(real)
  await tabs.closeTabs()
  page = await tabs.tab()
  await page.getByRole('link', { name: '1 thing needs you' }).click()
  const send = page.getByRole('button', { name: 'Send' })
  await page.getByLabel('Your own words to: Which database?').fill('MariaDB, please')
  expect(await send.isEnabled()).toBe(false)
  await page.getByRole('checkbox', { name: /^Browser/ }).check()
  await page.getByRole('checkbox', { name: /^Unit/ }).check()
  await send.click()
  await page.getByLabel('Or deny with a reason').fill('y is still needed')
  await told(real, '"Which database?"="MariaDB, please", "Which tests?"="Unit, Browser"')
  await page.getByRole('button', { name: 'Deny', exact: true }).last().click()
  await real.shows('● second done')
  await told(real, 'y is still needed')

  await lateAnswer(real, page)
  await fullAndAsleep(real, page)
  expect(tabs.complaints).toEqual([])
}, 120_000)

const FULL = { cacheRead: 859_890 }

/** A click that is under way while a person answers in the terminal decides nothing, and he is told. */
async function lateAnswer(real: RealClaude, page: Page): Promise<void> {
  await real.seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/api/inbox/*/answer', async (route) => {
    await held
    await route.continue()
  })
  const since = real.live.events.length
  real.type(scripted('once more', [asking(DATABASE), { text: 'third done', usage: FULL }]))
  const { item } = await real.live.event('needs-you.raised', undefined, since)
  await real.shows('Enter to select')
  await page
    .locator(`[data-needs-you="${item.id}"]`)
    .getByRole('button', { name: /^Postgres/ })
    .click()
  await real.press('Enter', 'idle')
  await real.shows('● third done')
  goOn()
  await page.locator('[data-news]').getByText(`Nobody waits for an answer to ${item.id}`).waitFor()
  await page.unroute('**/api/inbox/*/answer')
  await told(real, '"Which database?"="SQLite"')
  expect(results(real).match(/"Which database\?"="SQLite"/g)).toHaveLength(1)
}

/** How full it is, on its card and its page; then put to sleep, woken and told something, all by clicks. */
async function fullAndAsleep(real: RealClaude, page: Page): Promise<void> {
  await rested(real)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('article', { name: ID }).getByText('86 % of 1M').waitFor()
  await page.getByRole('link', { name: ID, exact: true }).click()
  await page.getByText(/^860,000 of 1,000,000 tokens, by its status line/).waitFor()
  await page.getByText(/^, by hook, .* ago, high confidence$/).waitFor()

  const { sessionId, generation } = await real.agent()
  await page.getByRole('button', { name: `More acts on ${ID}` }).click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Hold',
    'Freeze…',
    'Give it work…',
    'Interrupt\nit rests already',
    'Let it rest\nit rests already',
    'Suspend',
    'Clear context…',
    'Switch model…',
  ])
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('button', { name: 'Message' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Good morning.')
  await page.getByRole('button', { name: 'Send' }).click()
  const row = page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem').first()
  await row.getByText('heard').waitFor()
  expect(await row.innerText()).toMatch(/typed once · its hook said so · generation \d/)
  const woken = await rested(real)
  expect(woken).toMatchObject({ sessionId, generation: generation + 1 })
}

/** The client draws an answer before it has written its transcript, by up to a tenth of a second. */
async function told(real: RealClaude, words: string): Promise<void> {
  await real.live.until(() => results(real).includes(words), `the model is told: ${words}`)
}

/** What the client told the model of its tools' results, by its transcripts. */
function results(real: RealClaude): string {
  return transcribed(real, '"type":"tool_result"')
    .filter(({ type }) => type === 'user')
    .map(({ message }) => JSON.stringify(message).replaceAll('\\"', '"'))
    .join('\n')
}
