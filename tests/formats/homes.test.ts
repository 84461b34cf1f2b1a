/** Homes that earlier versions wrote are opened by this one, and nothing that stood in them is missing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { FORMAT, FORMATS } from '../../src/adapters/sqlite/migrations.ts'
import { openReader } from '../../src/adapters/sqlite/reader.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { Recovered } from '../../src/core/ports.ts'
import { fixtureNames, unpackHome } from './fixtures.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-formats-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Kept = Pick<Recovered, 'house' | 'agents' | 'openEffects'>

/** As it was written, with no schema between. */
function asWritten(home: string): Kept & { events: number; format: number } {
  const db = new DatabaseSync(join(home, 'cloister.db'), { readOnly: true })
  const bodies = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ body }) => JSON.parse(String(body)) as never)
  const written = {
    house: bodies("SELECT body FROM state WHERE key = 'house'")[0],
    agents: bodies("SELECT body FROM state WHERE key GLOB 'agent:*' ORDER BY key") as AgentRecord[],
    openEffects: bodies('SELECT body FROM outbox WHERE outcome IS NULL ORDER BY n'),
    events: Number(db.prepare('SELECT count(*) AS n FROM events').get()?.['n']),
    format: Number(db.prepare('PRAGMA user_version').get()?.['user_version']),
  }
  db.close()
  return written
}

/** What a person would miss. */
function contents({ house, agents, openEffects }: Kept): object {
  return {
    agents: agents.map(({ id, generation, lifecycle, model, run, sessionId }) => ({
      ...{ id, generation, lifecycle, model, run, sessionId },
    })),
    items: [...(house?.needsYou ?? []), ...agents.flatMap(({ needsYou }) => needsYou)].map(({ id, kind }) => [
      id,
      kind,
    ]),
    messages: agents.flatMap(({ messages = [] }) => messages.map(({ id, state, text }) => ({ id, state, text }))),
    acts: agents.flatMap(({ id, act }) => (act === undefined ? [] : [[id, act.kind, act.step]])),
    episodes: agents.flatMap(({ id, episode }) => (episode === undefined ? [] : [[id, episode.pokes]])),
    /** Kept with the episode at first. */
    toBeJudged: agents.flatMap(({ id, episode, experiments = [] }) => {
      const { judgeAt } = (episode ?? {}) as { judgeAt?: number }
      return [...(judgeAt === undefined ? [] : [{ judgeAt }]), ...experiments].map((each) => [id, each.judgeAt])
    }),
    underWay: agents.flatMap(({ handoff }) => (handoff === undefined ? [] : [[handoff.id, handoff.state]])),
    handedOver: agents.flatMap(({ handoffs = [] }) => handoffs.map(({ id, state }) => [id, state])),
    openEffects,
  }
}

async function eventsOf(journal: Awaited<ReturnType<typeof openJournal>>): Promise<number> {
  let seq = 0
  for (;;) {
    const events = await journal.events({ afterSeq: seq, limit: 500 })
    if (events.length === 0) return seq
    seq = events.at(-1)?.seq ?? 0
  }
}

test('the formats are numbered without a gap', () => {
  expect(FORMATS.map(({ number }) => number)).toEqual(Array.from({ length: FORMAT }, (_, index) => index + 1))
})

describe.each(fixtureNames('homes'))('%s', (name) => {
  test('every agent, item, message, hand-off and open effect is there, and every event can be read', async () => {
    const home = unpackHome(name, folder)
    const written = asWritten(home)
    const journal = await openJournal({ home })
    const recovered = await journal.recover()
    const events = await eventsOf(journal)
    await journal.close()
    expect(contents(recovered)).toEqual(contents(written))
    expect([events, recovered.house?.seq]).toEqual([written.events, written.house?.seq])
    expect(asWritten(home).format).toBe(FORMAT)
    expect({ agents: recovered.agents.length, openEffects: recovered.openEffects.length }).toMatchObject({
      agents: expect.toSatisfy((count: number) => count >= 5) as number,
      openEffects: expect.toSatisfy((count: number) => count >= 1) as number,
    })
  })

  test('it is read without being changed while no daemon runs', () => {
    const home = unpackHome(name, folder)
    const written = asWritten(home)
    const before = readFileSync(join(home, 'cloister.db'))
    const reader = openReader(home)
    const read = { ...reader?.state(), openEffects: reader?.openEffects() ?? [] } as Kept
    expect(contents(read)).toEqual(contents(written))
    expect(reader?.events({ afterSeq: 0, limit: 100_000 })).toHaveLength(written.events)
    expect([reader?.format, reader?.isOlder]).toEqual([written.format, written.format < FORMAT])
    reader?.close()
    expect(readFileSync(join(home, 'cloister.db')).equals(before)).toBe(true)
    expect(readdirSync(home)).toEqual(['cloister.db'])
  })
})

test('a hand-off under way is among them', () => {
  const withHandOff = fixtureNames('homes').filter((name) => {
    const home = mkdtempSync(join(folder, 'each-'))
    return asWritten(unpackHome(name, home)).agents.some(({ handoff }) => handoff !== undefined)
  })
  expect(withHandOff.length).toBeGreaterThanOrEqual(3)
})
