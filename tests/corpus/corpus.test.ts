/** The promises of the judge on the whole corpus, with a fixed seed and with one that nobody chose. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cause } from '../../src/contract/verdict.ts'
import { corpus } from './corpus.ts'
import { isSamePage, judgementPage } from './judgement.ts'
import { play } from './play.ts'
import { brokenPromises } from './promises.ts'
import { newTally, score } from './score.ts'
import { runCorpus } from './summary.ts'
import type { Labelled, Session } from './timeline.ts'

const CHANCE = randomInt(1, 2 ** 31)

describe.each([
  ['fixed', 1],
  ['by chance', CHANCE],
])('the corpus, seed %s: %i', (_, seed) => {
  test('keeps every promise', () => {
    const run = runCorpus(seed)
    const { summary, tally } = run
    const { alarms, harmful, recoveries } = tally
    const why = JSON.stringify({ summary, alarms, harmful, recoveries }, null, 1)
    expect(brokenPromises(summary), `seed ${seed}\n${why}`).toEqual([])
    const kinds = cause.options.map(({ shape }) => shape.kind.value)
    expect([...tally.causes.keys()].toSorted()).toEqual(kinds.toSorted())
    if (seed !== 1) return
    const page = readFileSync(join(import.meta.dirname, '../../docs/judgement.md'), 'utf8')
    expect(isSamePage(page, judgementPage(run, 'today')), 'docs/judgement.md: run `npm run -s judgement`').toBe(true)
  })
})

test('the same seed gives the same sessions, and another one others', () => {
  const names = (seed: number) => [...corpus(seed)].map(({ session: { name, items } }) => `${name} ${items.length}`)
  const [first, again, other] = [names(5), names(5), names(6)]
  expect(again).toEqual(first)
  const differing = first.filter((name, n) => name !== other[n]).length
  expect(differing).toBeGreaterThanOrEqual(Math.floor(first.length / 3) - 1)
})

test('the player is given no labels', () => {
  const [{ session }] = [...corpus(1)].slice(-1) as [Labelled]
  const keys: (keyof Session)[] = ['agents', 'hears', 'items', 'lengthMs', 'name']
  expect(Object.keys(session).toSorted()).toEqual(keys)
  expect(JSON.stringify(session)).not.toMatch(/"(?:truth|trouble|label)/)
})

/** The scoring itself: a judge that says the same of everybody must not look good. */
test.each([
  ['hung', { broken: 'false alarms in at most 0.5 % of agent-hours' }],
  ['thinking', { broken: 'no real trouble missed' }],
] as const)('a judge that always says %s breaks a promise', (cause, { broken }) => {
  const tally = newTally()
  let alarmMs = 0
  for (const labelled of corpus(1)) {
    const { session } = labelled
    const always = { at: 0, health: 'stale', cause } as const
    const believed = Array.from({ length: session.agents }, () => [always])
    score(tally, labelled, { believed, deeds: [], judged: [], inputs: 0 })
  }
  for (const { ms } of tally.alarms) alarmMs += ms
  const missed = tally.found.filter(({ delayMs }) => delayMs === undefined).length
  const share = alarmMs / tally.agentMs
  expect(broken.startsWith('false') ? share > 0.005 : missed > 0).toBe(true)
})

test('playing takes nothing from the session', () => {
  for (const { session } of [...corpus(1)].slice(0, 3)) {
    const before = JSON.stringify(session)
    play(session)
    expect(JSON.stringify(session)).toBe(before)
  }
})
