import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { publishedFiles } from '../../core/published.ts'
import { historyAfter, historyBatch, sampleAgent, sampleBatch } from '../../../tests/contract/journal-samples.ts'
import { openJournal } from './journal.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-journal-'))
})

afterEach(() => rmSync(home, { recursive: true }))

const stateOf = (id: string) => readFileSync(join(home, 'agents', id, 'state.json'), 'utf8')

test('a home that cannot be used is refused', async () => {
  writeFileSync(join(home, 'file'), '')
  await expect(openJournal({ home: join(home, 'file') })).rejects.toThrow(
    /^Cannot use \S+ as home: EEXIST.*\. Set PANOPTICON_HOME to a folder of your own\.$/,
  )
})

test('the files of agents are published by the time the journal is closed', async () => {
  const journal = await openJournal({ home })
  await journal.commit(sampleBatch(0, { agents: [sampleAgent('pan-1', { generation: 1 })] }))
  await journal.commit(sampleBatch(0, { agents: [sampleAgent('pan-1', { generation: 2 })] }))
  await journal.close()
  expect(stateOf('pan-1')).toBe(publishedFiles(sampleAgent('pan-1', { generation: 2 }))['state.json'])
  expect(journal.problems()).toBe(0)
})

test('recovery publishes the files that a crash left missing or stale', async () => {
  const before = await openJournal({ home })
  await before.commit(sampleBatch(0, { agents: [sampleAgent('pan-1'), sampleAgent('pan-2')] }))
  await before.close()
  rmSync(join(home, 'agents', 'pan-1'), { recursive: true })
  writeFileSync(join(home, 'agents', 'pan-2', 'state.json'), 'stale')

  const journal = await openJournal({ home })
  await journal.recover()
  await journal.close()
  expect(['pan-1', 'pan-2'].map(stateOf)).toEqual(
    ['pan-1', 'pan-2'].map((id) => publishedFiles(sampleAgent(id))['state.json']),
  )
})

test('a file that cannot be published is told and counted, and fails no commit', async () => {
  mkdirSync(join(home, 'agents'))
  symlinkSync(tmpdir(), join(home, 'agents', 'pan-1'))
  const told: string[] = []
  const journal = await openJournal({ home, onProblem: (sentence) => told.push(sentence) })
  await journal.commit(sampleBatch(0, { agents: [sampleAgent('pan-1')] }))
  await journal.close()
  expect(told).toEqual([expect.stringContaining('Could not publish the files of agent pan-1')])
  expect(journal.problems()).toBe(1)
})

test('what could not be read back is not written', async () => {
  const journal = await openJournal({ home })
  await journal.commit(historyBatch(1))
  const batch = sampleBatch(2, { agents: [sampleAgent('pan-1', { producedAt: Number.NaN })] })
  const refused = `Could not write to the journal ${join(home, 'cloister.db')}: the row state "agent:pan-1" does not fit: producedAt: `
  await expect(journal.commit(batch)).rejects.toThrow(refused)
  await journal.close()

  const reopened = await openJournal({ home })
  expect(await reopened.recover()).toEqual(historyAfter(1).recovered)
  await reopened.close()
})

test.each([
  { table: 'state', change: `UPDATE state SET body = '{}' WHERE key = 'agent:pan-1'`, row: 'state "agent:pan-1"' },
  { table: 'state', change: `UPDATE state SET body = 'torn' WHERE key = 'house'`, row: 'state "house" is not JSON' },
  { table: 'outbox', change: `UPDATE outbox SET body = '{"type":"other"}'`, row: 'outbox "e1"' },
])('a row of $table that does not parse stops recovery and stays: $row', async ({ change, row }) => {
  const before = await openJournal({ home })
  await before.commit(historyBatch(1))
  await before.close()
  const path = join(home, 'cloister.db')
  const db = new DatabaseSync(path)
  db.exec(change)
  db.close()

  const journal = await openJournal({ home })
  await expect(journal.recover()).rejects.toThrow(`Could not read the journal ${path}: the row ${row}`)
  await expect(journal.recover()).rejects.toThrow('Nothing was deleted.')
  expect(await journal.events({ afterSeq: 0, limit: 9 })).toEqual(historyAfter(1).events)
  await journal.close()
})

/** Overwrites the first page of a table; the schema, on page 1, can still be read. */
function damage(path: string, table: string): void {
  const db = new DatabaseSync(path)
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  const page = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.['rootpage'])
  db.close()
  const bytes = readFileSync(path)
  bytes.subarray((page - 1) * pageSize, page * pageSize).fill(0xaa)
  writeFileSync(path, bytes)
}

describe('a journal with a damaged page is refused with the file, the reason and what to do', () => {
  const path = () => join(home, 'cloister.db')
  const todo = () =>
    'Nothing was deleted. Keep a copy of the file. To begin with an empty journal, ' +
    `move ${path()}, ${path()}-wal and ${path()}-shm to another folder and start again.`

  beforeEach(async () => {
    const journal = await openJournal({ home })
    await journal.commit(historyBatch(1))
    await journal.close()
  })

  test('when it is opened', async () => {
    damage(path(), 'events')
    await expect(openJournal({ home })).rejects.toEqual(
      new Error(`Could not open the journal ${path()}: database disk image is malformed. ${todo()}`),
    )
  })

  test('when it is recovered', async () => {
    damage(path(), 'state')
    const journal = await openJournal({ home })
    await expect(journal.recover()).rejects.toEqual(
      new Error(`Could not read the journal ${path()}: database disk image is malformed. ${todo()}`),
    )
    await journal.close()
  })

  test('when it is written', async () => {
    damage(path(), 'seen')
    const journal = await openJournal({ home })
    await expect(journal.commit(historyBatch(2))).rejects.toEqual(
      new Error(
        `Could not write to the journal ${path()}: database disk image is malformed. ` +
          `Everything up to event 2 is kept; what came after was not confirmed. ${todo()}`,
      ),
    )
    await journal.close()
  })
})

test('an event that does not parse is named, and the others can be read', async () => {
  const before = await openJournal({ home })
  await before.commit(historyBatch(1))
  await before.close()
  const db = new DatabaseSync(join(home, 'cloister.db'))
  db.exec(`UPDATE events SET body = '{"type":"other"}' WHERE seq = 2`)
  db.close()

  const journal = await openJournal({ home })
  await expect(journal.events({ afterSeq: 0, limit: 9 })).rejects.toThrow('the row events 2 does not fit')
  expect(await journal.events({ afterSeq: 0, limit: 1 })).toEqual(historyAfter(1).events.slice(0, 1))
  await journal.close()
})

test('a worker that ends by itself rejects whatever waits', async () => {
  const workerUrl = pathToFileURL(join(home, 'worker.mjs'))
  writeFileSync(
    workerUrl,
    `import { parentPort } from 'node:worker_threads'
     parentPort.postMessage({ type: 'opened' })
     parentPort.once('message', () => process.exit(0))`,
  )
  const journal = await openJournal({ home, workerUrl })
  const results = await Promise.allSettled([journal.commit(historyBatch(1)), journal.recover()])
  const reason = new Error("The journal's worker ended unexpectedly. Start the daemon again.")
  expect(results).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  await journal.close()
})
