/** A limit that the real client waits out by itself, and one after which it says that it waits for input. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { clientFor, killed, rested, type RealClaude } from './real-claude.ts'

const acts = ({ live }: RealClaude) =>
  live.events.flatMap((event) => (event.type === 'act.decided' ? [event.act.kind] : []))

const isLimited = ({ cause }: AgentView) => cause?.kind === 'rate_limited'

/** When the next try is, in so many minutes from now; the nearest, since a busy machine is some seconds late. */
const minutesLeft = ({ cause }: AgentView) =>
  cause?.kind === 'rate_limited' ? Math.round(((cause.untilWallAt ?? 0) - Date.now()) / 60_000) : undefined

test('a retry-after of twenty minutes is a limit with its time from the first moment, not a thought', async (ctx) => {
  // Without it the client waits for a minute at most, and gives up at more.
  const settings = { permissions: { allow: ['Bash'] }, env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' } }
  const config = 'monitoring: { check_interval: 1 }\nthresholds: { stale: 0.03, warning: 0.06, stuck: 0.1 }\n'
  const real = await clientFor(ctx, { settings, config })
  await real.spawn('begin', [
    { status: 429, times: 1, headers: { 'retry-after': '1200' }, after: { text: 'recovered' } },
  ])
  const limited = { lifecycle: 'active', doing: { kind: 'limited', witness: 'transcript' } }
  const first = await real.seen('it is limited', isLimited)
  expect(first).toMatchObject(limited)
  expect(minutesLeft(first)).toBe(20)
  expect(real.screen()).not.toContain('Debug mode')
  await killed(real)
  // Longer than whoever takes it for thinking would wait.
  const isOld = (agent: AgentView) => isLimited(agent) && agent.silentMs > 10_000
  expect(await real.seen('it is limited still', isOld)).toMatchObject({ ...limited, health: 'stale' })
  expect(acts(real)).toEqual(['spawn'])
})

test('of each refusal the time of the next try is known; an answer ends the limit', async (ctx) => {
  const real = await clientFor(ctx)
  const headers = { 'retry-after': '12' }
  await real.spawn('begin', [{ status: 429, times: 2, headers, after: { delayMs: 6_000, text: 'recovered' } }])
  const untilOf = ({ cause }: AgentView) => (cause?.kind === 'rate_limited' ? cause.untilWallAt : undefined)
  const first = untilOf(await real.seen('it is limited', isLimited)) ?? 0
  const isLater = (agent: AgentView) => (untilOf(agent) ?? 0) > first
  const second = untilOf(await real.seen('it is refused again', isLater)) ?? 0
  // The waits follow each other; what lies between them is how long a refusal takes.
  expect(Math.round((second - first) / 12_000)).toBe(1)
  await rested(real)
  expect(acts(real)).toEqual(['spawn'])
})

test('a notice that it waits for input does not end a limit', async (ctx) => {
  const command = 'cat >/dev/null; sleep 1; echo noticed >>"$HOME/noted"'
  const hooks = { Notification: [{ hooks: [{ type: 'command', command }] }] }
  const real = await clientFor(ctx, { settings: { permissions: { allow: ['Bash'] }, hooks } })
  // Of the client's own: after how long it says so, else a minute.
  const file = join(real.live.root, '.claude.json')
  const state = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...state, messageIdleNotifThresholdMs: 3_000 }))
  await real.spawn('begin', [{ status: 429, headers: { 'retry-after': '3600' } }])
  await real.seen('it is limited', isLimited)
  const noted = () => {
    try {
      return readFileSync(join(real.live.root, 'noted'), 'utf8')
    } catch {
      return ''
    }
  }
  await real.live.until(() => noted() !== '', 'it says that it waits for input')
  expect(await real.agent()).toMatchObject({ lifecycle: 'active', doing: { kind: 'limited' } })
  await killed(real)
  expect(
    await real.seen('it is judged again', ({ cause }) => cause !== undefined && cause.kind !== 'unknown'),
  ).toMatchObject({
    lifecycle: 'active',
    cause: { kind: 'rate_limited' },
  })
})
