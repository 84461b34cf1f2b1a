/** Who finished is seen in the browser, beside what needs you, and is off the list when somebody has looked. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { runPan } from '../../cli/run-pan.ts'
import { configure, script } from '../judgement/stage.ts'
import { whyNoBrowser } from './chromium.ts'
import { NARROW } from './tabs.ts'
import { WatchedHome } from './watched-home.ts'

const SLOW_MS = 60_000

const missing = whyNoBrowser()
let home: WatchedHome

beforeAll(async () => {
  if (missing !== undefined) return
  home = new WatchedHome()
  configure(home.live, undefined, 'lifecycle:\n  work_agent_idle_minutes: 0.05\n')
  await home.up()
}, SLOW_MS)

afterAll(async () => {
  if (missing === undefined) await home.remove()
}, SLOW_MS)

beforeEach((context) => context.skip(missing !== undefined, `no browser test here: ${missing}`))

afterEach(async () => {
  if (missing !== undefined) return
  expect(home.complaints.splice(0)).toEqual([])
  await home.closeTabs()
})

const STEPS = ['edit: { file: part.ts, text: "export const part = 1\\n" }', 'say: I am done.']

async function finish(id: string): Promise<void> {
  script(home.live, id, STEPS)
  await home.live.spawn(id, 'steady', 'Begin.')
  await home.live.event('agent.finished', id)
}

const listed = (page: Page) => page.getByRole('region', { name: 'Finished' })

test('it is listed with what it changed, also asleep, until its page is opened or «Seen» is pressed', async () => {
  await finish('agent-one')
  await finish('agent-two')
  const page = await home.tab()
  const row = (id: string) => listed(page).getByRole('listitem').filter({ hasText: id })
  await row('agent-one').getByText('1 file +1 −0').waitFor()
  await row('agent-one').getByText('no tests seen').waitFor()
  await home.live.until(
    async () => (await home.live.agent('agent-two')).lifecycle === 'suspended',
    'agent-two sleeps after a while',
  )
  await row('agent-two').getByText('sleeps').waitFor()
  // It needs nobody.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' }).click()
  await page.getByText('Nothing needs you.').waitFor()
  await row('agent-one').getByRole('button', { name: 'agent-one: seen' }).click()
  await row('agent-one').waitFor({ state: 'detached' })
  await row('agent-two').getByRole('link', { name: 'agent-two' }).click()
  await page.getByRole('heading', { level: 1, name: 'agent-two' }).waitFor()
  await home.live.event('agent.finished-seen', 'agent-two')
  // What there is to look at stays on the page that one looks at.
  await listed(page).getByText('seen by you').waitFor()
  await listed(page).getByText('1 file +1 −0').waitFor()
  await listed(page).getByText('no tests seen').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click()
  await listed(page).waitFor({ state: 'detached' })
  const { out } = await runPan(['agents', 'show', 'agent-two'], { home: home.live.home, env: home.live.env })
  expect(out).toMatch(/to look at +\S+; 1 file \+1 −0/)
  const agents = await Promise.all(
    ['agent-one', 'agent-two'].map((id) => home.live.client.get<AgentView>(`/api/agents/${id}`)),
  )
  expect(agents.map(({ finished }) => finished?.seen?.by)).toEqual(['you', 'you'])
})

test('on a phone nothing of it is cut off', async () => {
  await finish('agent-three')
  const page = await home.tab({ viewport: NARROW })
  await listed(page).getByText('1 file +1 −0').waitFor()
  const [width, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(width).toBe(shown)
  await listed(page).getByRole('button', { name: 'agent-three: seen' }).click()
  await listed(page).waitFor({ state: 'detached' })
})
