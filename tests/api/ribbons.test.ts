/** The ribbons as the API gives them, and as a tab carries them on. */
import { expect, onTestFinished, test } from 'vitest'
import { LiveState } from '../../dashboard/src/live/live-state.ts'
import { RibbonFeeds } from '../../dashboard/src/live/ribbon-feeds.ts'
import { createApp } from '../../src/api/app.ts'
import type { StreamClient } from '../../src/api/stream.ts'
import { ribbonsView, type RibbonsView } from '../../src/contract/ribbon.ts'
import { healthView } from '../../src/contract/views.ts'
import type { StreamChange, StreamSnapshot } from '../../src/contract/stream.ts'
import { HOUR } from '../../src/core/durations.ts'
import { perform } from '../nights/script.ts'
import { depsFor, playedHouse } from './served-house.ts'

async function ribbonHouse(...lines: string[]) {
  const { house, options } = await playedHouse(...lines)
  const deps = depsFor(options)
  onTestFinished(() => deps.closeDoor())
  const app = createApp(deps)
  const get = async (path: string) => {
    const response = await app.request(path, { headers: { authorization: `Bearer ${deps.token}` } })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  return { house, deps, get }
}

/** «active 0-60» in minutes of the window. */
function drawn({ from, ribbons }: RibbonsView): string[] {
  const minutes = (at: number) => Math.round((at - from) / 60_000)
  return ribbons.map(({ agent, segments, marks }) =>
    [
      agent,
      ...segments.map(({ shade, cause, from: start, to }) => {
        return `${shade}${cause === undefined ? '' : ` (${cause})`} ${minutes(start)}-${minutes(to)}`
      }),
      ...marks.map(({ kind, at }) => `${kind} at ${minutes(at)}`),
    ].join(', '),
  )
}

test('a night as ribbons', async () => {
  const { house, get } = await ribbonHouse(
    'spawn agent-1',
    'spawn agent-2',
    'agent-1 hangs',
    'wait 40m',
    'kill agent-2',
    'wait 20m',
  )
  const { status, body } = await get('/api/ribbons?hours=1')
  const view = ribbonsView.parse(body)
  const to = house.clock.now().wallAt
  expect({ status, from: view.from, to: view.to, seq: view.seq }).toEqual({
    status: 200,
    from: to - HOUR,
    to,
    seq: house.loop.durable.seq,
  })
  expect(drawn(view)).toEqual([
    'agent-1, unknown (starting) 0-1, active (at_work) 1-6, stale (at_work) 6-16, warning (hung) 16-17, ' +
      'active (at_work) 17-60, spawn at 0, poke at 16',
    'agent-2, unknown (starting) 0-1, active (at_work) 1-40, stopped 40-60, spawn at 0, kill at 40',
  ])
  const one = await get('/api/agents/agent-1/ribbon?hours=1')
  expect(one).toEqual({ status: 200, body: { ...view, ribbons: [view.ribbons[0]] } })
})

test('an emergency stop marks those whom it ended', async () => {
  const { get } = await ribbonHouse(
    ...['spawn agent-1', 'spawn agent-2', 'spawn agent-3', 'wait 10m', 'kill agent-2', 'agent-3 idles', 'wait 9m'],
    ...['emergency stop', 'wait 10m', 'resume', 'wait 10m', 'spawn agent-4', 'wait 20m'],
  )
  const { ribbons } = ribbonsView.parse((await get('/api/ribbons?hours=1')).body)
  expect(ribbons.map(({ agent, marks }) => [agent, ...marks.map(({ kind }) => kind)])).toEqual([
    ['agent-1', 'spawn', 'emergency'],
    ['agent-2', 'spawn', 'kill'],
    ['agent-3', 'spawn', 'emergency'],
    ['agent-4', 'spawn'],
  ])
})

test.each([
  { path: '/api/ribbons?hours=0', status: 400 },
  { path: '/api/ribbons?hours=73', status: 400 },
  { path: '/api/ribbons?hours=x', status: 400 },
  { path: '/api/ribbons?days=1', status: 400 },
  { path: '/api/ribbons', status: 200 },
  { path: '/api/ribbons?hours=72', status: 200 },
  { path: '/api/agents/nobody/ribbon', status: 404 },
])('$path gives $status', async ({ path, status }) => {
  const { get } = await ribbonHouse()
  expect((await get(path)).status).toBe(status)
})

/** Gives a tab what it is sent. */
class Tab implements StreamClient {
  readonly state: LiveState

  constructor(state: LiveState) {
    this.state = state
  }

  pendingBytes = () => 0
  isWelcome = () => true
  end = () => {}
  drop = () => {}
  write(frame: Uint8Array): void {
    const [, name, data] = /event: (\w+)\ndata: (.*)\n/.exec(new TextDecoder().decode(frame)) ?? []
    if (name === 'snapshot') this.state.takeSnapshot(JSON.parse(data ?? '') as StreamSnapshot)
    if (name === 'change') this.state.takeChange(JSON.parse(data ?? '') as StreamChange)
    this.state.connect({ state: 'live' })
  }
}

async function carriedOnAndLoaded(before: readonly string[], lines: readonly string[]) {
  const { house, deps, get } = await ribbonHouse(...before)
  const state = new LiveState({ now: () => house.clock.now().wallAt, onFrame: (call) => call() })
  onTestFinished(deps.stream.open(new Tab(state), undefined))
  const feeds = new RibbonFeeds({
    state,
    onFrame: (call) => call(),
    wait: (ms, call) => house.clock.wakeAt(house.clock.now().monoAt + ms, call),
    load: (wish) => deps.ribbons(wish),
  })
  const feed = feeds.feed({ hours: 2 })
  onTestFinished(feed.subscribe(() => {}))
  for (const line of lines) await perform(house, line)
  const carriedOn = feed.current()
  if (carriedOn === undefined) throw new Error('there are no ribbons')
  const loaded = await deps.ribbons({ hours: 2 })
  const same = { ...carriedOn, seq: loaded.seq, from: loaded.from, ribbons: [...carriedOn.ribbons] }
  return { house, get, carriedOn: same, loaded }
}

/** But for the two looks after a pause or a boot: the tab hears of that doubt, the journal does not. */
test('what a tab carried on by the stream is what the daemon would draw', async () => {
  const lines = ['agent-1 hangs', 'spawn agent-2', 'wait 45m', 'kill agent-1', 'wait 10m']
  const { carriedOn, loaded } = await carriedOnAndLoaded(['spawn agent-1', 'wait 5m'], lines)
  expect(drawn(carriedOn)).toEqual(drawn(loaded))
})

/** Whatever the agent does, in the same words; a reason that ages is told as it was at its beginning. */
test('starting, working, waiting and idle: a tab and the daemon tell the same, and neither what is not true', async () => {
  const { get, carriedOn, loaded } = await carriedOnAndLoaded(
    ['wait 2m'],
    [
      ...['spawn agent-1', 'agent-1 starts', 'wait 1m', 'agent-1 works', 'wait 4m'],
      ...['agent-1 runs Bash for 3m bound 10m', 'wait 10m', 'agent-1 asks permission rm -rf build', 'wait 2m'],
      ...['agent-1 works', 'wait 1s', 'agent-1 asks Which one?', 'wait 1s', 'agent-1 works', 'wait 3m'],
      ...['agent-1 idles', 'wait 5m', 'agent-1 works', 'wait 5m', 'emergency stop', 'wait 5m'],
    ],
  )
  const told = ({ from, ribbons: [ribbon] }: RibbonsView) => [
    ...(ribbon?.segments ?? []).map(
      ({ from: at, shade, reason }) => `${Math.round((at - from) / 60_000)} ${shade}: ${reason}`,
    ),
    ...(ribbon?.marks ?? []).map(({ kind }) => kind),
  ]
  expect(told(carriedOn)).toEqual(told(loaded))
  expect(told(loaded)).toEqual([
    '85 active: at work',
    '85 active: starting',
    '86 active: at work',
    '100 waiting: waiting for your permission: rm -rf build',
    '102 active: at work',
    '105 idle: it finished its turn',
    '110 active: at work',
    '115 stopped: emergency stop',
    ...['spawn', 'needs-you', 'needs-you', 'emergency'],
  ])
  const { body } = await get('/api/agents/agent-1/health')
  const { history } = healthView.parse(body)
  expect(history.map(({ state, cause, reason }) => [state, cause, reason])).toEqual([
    ['active', 'at_work', 'at work'],
    ['active', 'starting', 'starting'],
    ['active', 'at_work', 'at work'],
    ['active', 'waiting_permission', 'waiting for your permission: rm -rf build'],
    ['active', 'at_work', 'at work'],
    ['active', 'at_work', 'at work'],
  ])
})
