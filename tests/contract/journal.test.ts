import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { CrashError, MemoryJournal } from '../fakes/memory-journal.ts'
import { historyAfter, historyBatch } from './journal-samples.ts'
import { journalSuite } from './journal-suite.ts'

journalSuite('SQLite', () => {
  const home = mkdtempSync(join(tmpdir(), 'cloister-journal-'))
  return {
    open: () => openJournal({ home }),
    remove: async () => rmSync(home, { recursive: true }),
  }
})

journalSuite('in memory', () => {
  let journal = new MemoryJournal()
  return {
    open: async () => {
      journal = journal.reopen()
      return journal
    },
    remove: async () => {},
  }
})

test.each([
  { n: 1, when: 'before', kept: 0 },
  { n: 1, when: 'after', kept: 1 },
  { n: 3, when: 'before', kept: 2 },
  { n: 3, when: 'after', kept: 3 },
] as const)('in memory: a crash $when commit $n keeps $kept', async ({ n, when, kept }) => {
  const journal = new MemoryJournal()
  journal.crashAt(n, when)
  for (let k = 1; k < n; k += 1) await journal.commit(historyBatch(k))
  await expect(journal.commit(historyBatch(n))).rejects.toThrow(CrashError)
  await expect(journal.commit(historyBatch(n + 1))).rejects.toThrow(CrashError)

  const reopened = journal.reopen()
  expect({
    recovered: await reopened.recover(),
    events: await reopened.events({ afterSeq: 0, limit: 100 }),
  }).toEqual(historyAfter(kept))
  await reopened.commit(historyBatch(kept + 1))
})
