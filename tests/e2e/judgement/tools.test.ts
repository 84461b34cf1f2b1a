/** Tools that take long, and tools that stand still, in real panes. Minutes are compressed to seconds by the settings. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { listPids } from '../../../src/adapters/process/proc-stat.ts'
import type { EventOf } from '../../../src/contract/events.ts'
import { LiveHome } from '../daemon/live-home.ts'
import { configure, script } from './stage.ts'

let live: LiveHome
afterEach(() => live.remove())

const [EARLY, LATE] = ['agent-early', 'agent-late'] as const
const BOUND_MS = 6_000
const SLACK_MS = 2_400

test('a child that stands still is hung beyond its bound and not before; one that works is not; moving again helps', async () => {
  live = new LiveHome()
  configure(live, { stale: 0.04, warning: 0.08, stuck: 0.12 })
  await live.up()
  for (const id of [EARLY, LATE]) {
    script(live, id, [`tool: { command: npm test, timeout: ${BOUND_MS}, takes: 20m, cpu: true }`])
    await live.spawn(id, id, 'Begin.')
    await live.until(() => childrenOf(id).length > 0, `the tool of ${id} runs`, 50)
  }
  signal(EARLY, 'SIGSTOP')
  await live.until(() => hung(EARLY) !== undefined, 'what stands still hangs')
  const openMs = hung(EARLY)?.citations.find(({ witness }) => witness === 'hook')?.ageMs ?? 0
  expect(openMs).toBeGreaterThanOrEqual(BOUND_MS + SLACK_MS)
  expect((await live.agent(EARLY)).health).not.toBe('active')

  await live.until(() => stale(LATE), 'the other is over its time, too')
  expect(await live.agent(LATE)).toMatchObject({ cause: { kind: 'working_tool' } })
  signal(LATE, 'SIGSTOP')
  await live.until(() => hung(LATE) !== undefined, 'now it hangs')

  signal(EARLY, 'SIGCONT')
  await live.until(async () => (await live.agent(EARLY)).cause?.kind === 'working_tool', 'it works again')
})

test('a tool of forty minutes is no trouble: neither a silent one without a bound, nor a busy one beyond it', async () => {
  // 200 times as fast: the thresholds of 5, 15 and 30 minutes, and the ten of a Bash call.
  live = new LiveHome({ CLOISTER_UNDERSTUDY_SPEED: '200' })
  configure(live, { stale: 5 / 200, warning: 15 / 200, stuck: 30 / 200 })
  await live.up()
  const tools = {
    'agent-silent': 'tool: { name: Task, description: look around, takes: 40m }',
    'agent-busy': 'tool: { command: npm test, timeout: 3000, takes: 40m, cpu: true }',
  }
  const ids = Object.keys(tools)
  for (const [id, tool] of Object.entries(tools)) {
    script(live, id, [tool])
    await live.spawn(id, id, 'Begin.')
  }
  for (const id of ids) await live.until(async () => (await live.agent(id)).lifecycle === 'idle', `${id} is done`)
  const worse = live.events.flatMap((event) =>
    event.type === 'agent.health-changed' && event.to !== 'active' ? [`${event.agent} ${event.to}`] : [],
  )
  expect(worse.filter((each) => !/^agent-(?:busy|silent) (stale|unknown)$/.test(each))).toEqual([])
  const acts = live.events.flatMap((event) => (event.type === 'act.decided' ? event.act.kind : []))
  expect(acts).toEqual(['spawn', 'spawn'])
})

function hung(id: string): EventOf<'agent.health-changed'> | undefined {
  return live.events.find(
    (event): event is EventOf<'agent.health-changed'> =>
      event.type === 'agent.health-changed' && event.agent === id && event.cause.kind === 'hung',
  )
}

/** At most that, while it works. */
function stale(id: string): boolean {
  const states = live.events.flatMap((event) =>
    event.type === 'agent.health-changed' && event.agent === id ? event.to : [],
  )
  expect(states.filter((to) => to === 'warning' || to === 'stuck')).toEqual([])
  const opened = live.events.find((event) => event.type === 'agent.started' && event.agent === id)
  const newest = live.events.at(-1)
  if (opened === undefined || newest === undefined) return false
  return newest.observedAt - opened.observedAt > BOUND_MS + SLACK_MS
}

function signal(id: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of childrenOf(id)) process.kill(pid, name)
}

/** What the tool of the agent runs. */
function childrenOf(id: string): number[] {
  return listPids().filter((pid) => {
    try {
      const isTool = /^(timeout|yes)\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      return isTool && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PANOPTICON_AGENT_ID=${id}\0`)
    } catch {
      return false
    }
  })
}
