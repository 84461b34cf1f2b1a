/** The lid is closed for a night, and the daemon is down for one: nobody is accused of the time that nobody observed. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import type { Event, EventOf } from '../../../src/contract/events.ts'
import type { AgentRecord } from '../../../src/contract/records.ts'
import type { HouseRecord } from '../../../src/contract/house-record.ts'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { databasePath } from '../../../src/adapters/sqlite/database.ts'
import { AGENT_PREFIX, HOUSE_KEY } from '../../../src/adapters/sqlite/rows.ts'
import { LiveHome } from '../daemon/live-home.ts'
import { CLOCK_OFFSET } from './faked-clock.ts'
import { configure, script } from './stage.ts'

let live: LiveHome
afterEach(() => live.remove())

const HOURS_8 = 8 * 3_600_000
const [HANGS, LIMITED] = ['agent-hangs', 'agent-limited'] as const

test('the machine sleeps, and its clock is set back: both are noticed, nobody is judged by it, nothing is done', async () => {
  const clock = join(import.meta.dirname, 'faked-clock.ts')
  live = new LiveHome({ NODE_OPTIONS: `--import ${pathToFileURL(clock).href}` })
  configure(live, undefined)
  await live.up()
  script(live, HANGS, ['hang'])
  await live.spawn(HANGS, HANGS, 'Begin.')
  await live.until(async () => (await live.agent(HANGS)).health === 'active', 'it is judged')
  for (const [n, jump] of [HOURS_8, 0].entries()) {
    const since = live.events.length
    writeFileSync(join(live.home, CLOCK_OFFSET), String(jump))
    const jumped = await live.event('house.clock-jumped', undefined, since)
    expect(Math.round(jumped.wallMs / 3_600_000)).toBe(n === 0 ? 8 : -8)
    await looks(4)
  }
  expect(worse(live.events)).toEqual([])
  expect(acts(live.events)).toEqual([`spawn ${HANGS}`])
  expect(await live.agent(HANGS)).toMatchObject({ health: 'active', lifecycle: 'active' })
})

test('the daemon is down for eight hours: nothing at once; a limit that ended meanwhile goes on, exactly once', async () => {
  live = new LiveHome()
  configure(live, undefined)
  await live.up()
  script(live, HANGS, ['hang'])
  script(live, LIMITED, ['limit: { for: 10s }', 'work: 20m'])
  await live.spawn(HANGS, HANGS, 'Begin.')
  await live.spawn(LIMITED, LIMITED, 'Begin.')
  const { limit } = await live.event('limit.began', LIMITED)
  expect(limit).toMatchObject({ isRead: true, round: 1 })
  await looks(2)
  expect(acts(live.events)).toEqual([`spawn ${HANGS}`, `spawn ${LIMITED}`])
  await live.down()
  longAgo()
  const since = live.events.length
  await live.up()
  const booted = await live.event('house.booted', undefined, since)
  expect(Math.round(booted.downMs / 3_600_000)).toBe(8)
  const ended = await live.event('act.ended', LIMITED, since)
  expect(ended).toMatchObject({ act: 'continue', result: 'done' })
  const decided = live.events
    .slice(since)
    .find((event): event is EventOf<'act.decided'> => event.type === 'act.decided')
  // Two looks: the second one is a second after the first.
  expect((decided?.observedAt ?? 0) - booted.observedAt).toBeGreaterThanOrEqual(900)
  await live.until(async () => (await live.agent(LIMITED)).cause?.kind === 'working_tool', 'it works')
  await looks(4)
  expect(acts(live.events.slice(since))).toEqual([`continue ${LIMITED}`])
  expect(worse(live.events.slice(since))).toEqual([])
})

/** The journal as it would be had the daemon been down all that time. */
function longAgo(): void {
  const db = new DatabaseSync(databasePath(live.home))
  const read = <T>(key: string) => {
    const row = db.prepare('SELECT body FROM state WHERE key = ?').get(key)
    return JSON.parse(String(row?.['body'])) as T
  }
  const write = (key: string, body: object) =>
    db.prepare('UPDATE state SET body = ? WHERE key = ?').run(JSON.stringify(body), key)
  const house = read<HouseRecord>(HOUSE_KEY)
  write(HOUSE_KEY, { ...house, wallAt: house.wallAt - HOURS_8 })
  const agent = read<AgentRecord>(AGENT_PREFIX + LIMITED)
  const { limit } = agent
  if (limit === undefined) throw new Error('it is not held by its limit')
  const then = { sinceWallAt: limit.sinceWallAt - HOURS_8, untilWallAt: limit.untilWallAt - HOURS_8 }
  write(AGENT_PREFIX + LIMITED, { ...agent, limit: { ...limit, ...then } })
  db.close()
}

async function looks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { lastCheckWallAt } = await status()
    await live.until(async () => (await status()).lastCheckWallAt !== lastCheckWallAt, 'another look', 100)
  }
}

function status(): Promise<StatusView> {
  return live.client.get('/api/cloister/status')
}

function acts(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === 'act.decided' ? `${event.act.kind} ${event.agent}` : []))
}

/** Who was judged worse than before. */
function worse(events: readonly Event[]): string[] {
  return events.flatMap((event) =>
    event.type === 'agent.health-changed' && ['stale', 'warning', 'stuck'].includes(event.to)
      ? `${event.agent} ${event.to}: ${event.reason}`
      : [],
  )
}
