import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findWorker } from './find-worker.ts'

let dist: string

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'cloister-dist-'))
})

afterEach(() => rmSync(dist, { recursive: true }))

test('in sources it lies beside the file that asks', () => {
  expect(findWorker('file:///src/adapters/sqlite/journal.ts', 'sqlite/journal-worker').href).toBe(
    'file:///src/adapters/sqlite/journal-worker.ts',
  )
})

test.each(['main.js', 'daemon/main.js', 'chunks/a/b.js', 'adapters/sqlite/journal.js'])(
  'in a build it is found from %s',
  (bundle) => {
    const worker = join(dist, 'adapters', 'sqlite', 'journal-worker.js')
    mkdirSync(join(dist, 'adapters', 'sqlite'), { recursive: true })
    writeFileSync(worker, '')
    const from = pathToFileURL(join(dist, bundle)).href
    expect(findWorker(from, 'sqlite/journal-worker')).toEqual(pathToFileURL(worker))
  },
)

test('a build without it says so', () => {
  const from = pathToFileURL(join(dist, 'daemon', 'main.js')).href
  expect(() => findWorker(from, 'spool/spool-worker')).toThrow(
    `The worker spool/spool-worker is missing; looked for ${join(dist, 'daemon/spool-worker.js')}, `,
  )
})
