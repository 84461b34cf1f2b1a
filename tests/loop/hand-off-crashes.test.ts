/** The journal fails at every write of a hand-off, before or after it is durable, and the daemon is started again. */
import { expect, test } from 'vitest'
import { CrashError } from '../fakes/memory-journal.ts'
import type { Event } from '../../src/contract/events.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'
import { SETTINGS } from '../samples/agents.ts'

const AGENT = 'agent-pan-18'

interface Play {
  house: House
  events: readonly Event[]
  crashed: boolean
}

/** A person repeats what was not confirmed. */
async function playWithCrash(script: readonly string[], n: number, when: 'before' | 'after'): Promise<Play> {
  const house = new House({ settings: { ...SETTINGS, lifecycle: { ...SETTINGS.lifecycle, autoSuspend: false } } })
  house.journal.crashAt(n, when)
  let crashed = false
  const restart = async () => {
    crashed = true
    house.crash()
    await house.wait(10_000)
    await house.boot()
  }
  await house.boot()
  if (house.fallen !== undefined) await restart()
  for (const line of script) {
    if (house.fleet.agent(line.split(' ')[0] ?? '') === undefined && line.endsWith(' idles')) continue
    await Promise.race([perform(house, line), house.loop.ended.catch(() => {})])
    watchWriters(house, `crash ${when} write ${n}, ${line}`)
    if (house.fallen === undefined) continue
    expect(house.fallen).toBeInstanceOf(CrashError)
    await restart()
    if (!line.startsWith('wait')) await perform(house, line)
  }
  return { house, events: await house.journal.events({ afterSeq: 0, limit: 10_000 }), crashed }
}

/** Two never work in one worktree at a time. */
function watchWriters({ fleet }: House, name: string): void {
  const working = fleet.living().filter(({ rests, life }) => !rests && [AGENT, 'test-agent'].includes(life.agent))
  expect(
    working.map(({ life }) => life.agent),
    name,
  ).toHaveLength(Math.min(working.length, 1))
}

const minutes = (n: number) => Array.from({ length: n * 6 }, () => 'wait 10s')

const SCRIPTS: Record<string, readonly string[]> = {
  'to another model': [`spawn ${AGENT}`, 'wait 1m', `${AGENT} idles`, `handoff ${AGENT} opus`, ...minutes(12)],
  'to another runtime': [
    `spawn ${AGENT}`,
    'wait 1m',
    `${AGENT} idles`,
    `handoff ${AGENT} sonnet other`,
    ...minutes(12),
  ],
  'to a specialist and back': [
    ...[`spawn ${AGENT}`, 'wait 1m', `${AGENT} idles`, `lend ${AGENT} test-agent`, ...minutes(6)],
    ...['test-agent idles', ...minutes(12)],
  ],
}

test.each(Object.entries(SCRIPTS))('%s: one owner, nothing lost, nothing twice', async (what, script) => {
  let n = 0
  for (let crashed = true; crashed;) {
    n += 1
    for (const when of ['before', 'after'] as const) {
      const play = await playWithCrash(script, n, when)
      crashed = play.crashed
      checkEnd(play, `crash ${when} write ${n} (${what})`)
    }
  }
  expect(n).toBeGreaterThan(20)
})

function checkEnd({ house, events }: Play, name: string): void {
  expect(
    events.map(({ seq }) => seq),
    name,
  ).toEqual(events.map((_, index) => index + 1))
  const starts = house.fleet.deeds
    .filter(({ deed }) => deed === 'start')
    .map((each) => `${each.agent} ${each.generation}`)
  expect(new Set(starts).size, `${name}: no generation starts twice`).toBe(starts.length)
  const agent = house.loop.world.agents.get(AGENT)
  expect([agent?.handoff?.state, agent?.lent], `${name}: nothing is left open`).toEqual([undefined, undefined])
  expect(house.loop.world.acting.size, `${name}: nothing is left under way`).toBe(0)
  const living = house.fleet.living().filter(({ life }) => life.agent === AGENT)
  expect(living, `${name}: one goes on`).toHaveLength(1)
  const [began] = events.filter((event) => event.type === 'handoff.proposed')
  const results = events.flatMap((event) => (event.type === 'handoff.ended' ? event.result : []))
  if (began !== undefined) expect(results.length, `${name}: it ended`).toBeGreaterThan(0)
  for (const result of results) expect(['done', 'rolled_back'], name).toContain(result)
}
