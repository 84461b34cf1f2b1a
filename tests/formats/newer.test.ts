/** A home that a newer Cloister wrote is left as it is, and every program says what to do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { FORMAT } from '../../src/adapters/sqlite/migrations.ts'
import { sampleAgent, sampleBatch } from '../contract/journal-samples.ts'
import { runPan, type Ran } from '../cli/run-pan.ts'
import { built } from '../programs.ts'

let folder: string
let home: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-newer-'))
  home = join(folder, 'home')
  const journal = await openJournal({ home, version: '9.8.7' })
  await journal.commit(sampleBatch(0, { agents: [sampleAgent('agent-1')] }))
  await journal.close()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function change(sql: string): void {
  const db = new DatabaseSync(join(home, 'cloister.db'))
  db.exec(sql)
  db.close()
}

function pan(...args: string[]): Promise<Ran> {
  return runPan(args, { home, env: { PANOPTICON_PORT: '0', TMPDIR: folder, TMUX_TMPDIR: folder } })
}

/** Every file with its bytes, its mode and when it was last written. */
function everything(): unknown[] {
  return readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { mode, mtimeMs } = statSync(path)
    return [path, mode, mtimeMs, entry.isFile() ? readFileSync(path).toString('base64') : '']
  })
}

const REFUSAL =
  `it was written by a newer Cloister (version 9.8.7, format 99), and this one knows formats up to ${FORMAT}. ` +
  'Nothing was touched. Update this Cloister, or set PANOPTICON_HOME to another folder.'

const READERS = [
  'status',
  'inbox',
  'explain agent-1',
  'agents list',
  'agents show agent-1',
  'agents logs',
  'stats interventions',
]

test.each(['up', ...READERS])('pan %s says what to do and changes nothing', async (line) => {
  change('PRAGMA user_version = 99')
  const before = everything()
  const { code, err } = await pan(...line.split(' '))
  expect([code === 0, err]).toEqual([false, expect.stringContaining(REFUSAL)])
  expect(everything()).toEqual(before)
})

test('the daemon itself refuses before it writes', async () => {
  change('PRAGMA user_version = 99')
  const before = everything()
  const { code, err } = await runPan([], { home, main: built('daemon/main'), env: { PANOPTICON_PORT: '0' } })
  expect([code, err]).toEqual([1, expect.stringContaining(REFUSAL)])
  expect(everything()).toEqual(before)
})

test('doctor fails with the same words', async () => {
  change('PRAGMA user_version = 99')
  const { code, out } = await pan('doctor')
  expect(code).toBe(1)
  expect(out.replaceAll(/\s+/g, ' ')).toContain('newer Cloister (version 9.8.7, format 99)')
})

test('a field that nobody here knows is no row to go on from: a daemon would drop it', async () => {
  change("UPDATE state SET body = json_set(body, '$.tomorrow', 1) WHERE key = 'agent:agent-1'")
  const { code, err } = await pan('status')
  expect([code === 0, err]).toEqual([
    false,
    expect.stringContaining('the row state "agent:agent-1" has a field that this Cloister does not know, tomorrow.'),
  ])
  const journal = await openJournal({ home })
  await expect(journal.recover()).rejects.toThrow('Nothing was touched. Update this Cloister')
  await journal.close()
})
