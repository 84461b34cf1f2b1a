/** A whole folder as the generator makes it: forks, subagents, decoys; read at once, again, and in little memory. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { growSet, writeSet } from '../../../bench/transcript-set.ts'
import { scanFolder } from '../../../src/adapters/claude-code/scan-folder.ts'
import { Transcripts } from '../../../src/adapters/claude-code/transcripts.ts'
import { fullParse, type Totals } from './full-parse.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-transcripts-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('cold, again, after growth, and with a broken index the sums are those of a full parse', async () => {
  const set = writeSet(folder, { files: 60, fileBytes: 60_000, seed: 7 })
  const index = join(folder, 'index')
  const cold = await scanFolder(join(folder, 'projects'), index)
  expect(cold.models).toEqual(fullParse(set.files))
  expect(await scanFolder(join(folder, 'projects'), index)).toEqual(cold)
  growSet({ ...set, files: set.files.slice(0, 5) }, 20_000, 8)
  const grown = await scanFolder(join(folder, 'projects'), index)
  expect(grown.models).toEqual(fullParse(set.files))
  for (const broken of [readFileSync(index).subarray(0, 999), Buffer.from('no index'), flipped(readFileSync(index))]) {
    writeFileSync(index, broken)
    expect(await scanFolder(join(folder, 'projects'), index)).toEqual(grown)
  }
})

test('several threads find what one finds', async () => {
  const set = writeSet(folder, { files: 30, fileBytes: 30_000 })
  const [first = ''] = set.files
  // Enough to be worth a second thread.
  const text = readFileSync(first)
  for (let n = 0; n < 150_000_000 / text.length; n += 1) appendFileSync(first, text)
  const { models } = await scanFolder(join(folder, 'projects'))
  expect(models).toEqual(fullParse(set.files.slice(1).concat(writeAgain(first, text))))
})

test('a large file with a giant line is read in little memory', () => {
  const [small = ''] = writeSet(folder, { files: 1, fileBytes: 500_000 }).files
  const text = readFileSync(small)
  const large = join(folder, 'large.jsonl')
  for (let n = 0; n < 300; n += 1) appendFileSync(large, text)
  const giant = { type: 'assistant', message: { id: 'g', model: 'giant', usage: { input_tokens: 3 }, content: '' } }
  const filled = { ...giant, message: { ...giant.message, content: 'x'.repeat(10_000_000) } }
  appendFileSync(large, `${JSON.stringify(filled)}\n${JSON.stringify({ ...giant, requestId: 'next' })}\n`)
  const program = join(import.meta.dirname, 'peak-program.ts')
  const { models, kilobytes } = JSON.parse(execFileSync(process.execPath, [program, large], { encoding: 'utf8' })) as {
    models: Totals
    kilobytes: number
  }
  expect(models).toEqual({ ...fullParse([small]), giant: { ...NOTHING, input: 6 } })
  // The block, the giant line as bytes, as text and as a record; not the 150 MB of the file.
  expect(kilobytes).toBeLessThan(90_000)
})

test('the daemon follows a session, its subagents and its end without reading anything twice', async () => {
  const set = writeSet(folder, { files: 7, fileBytes: 60_000 })
  const own = set.files[5] ?? ''
  const session = own.slice(0, -'.jsonl'.length)
  const transcripts = new Transcripts()
  try {
    const first = await transcripts.look(own)
    expect(first.models).toEqual(fullParse([own]))
    expect(first.tail).toMatchObject({ session: session.slice(session.lastIndexOf('/') + 1), cwd: '/srv/project' })
    appendFileSync(own, '{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-15T10:00:00Z"}\n')
    const second = await transcripts.look(own)
    expect(second).toEqual({
      ...first,
      tail: {
        ...first.tail,
        last: { kind: 'queue-operation', at: Date.parse('2026-11-15T10:00:00Z') },
        queue: [{ at: Date.parse('2026-11-15T10:00:00Z'), operation: 'enqueue' }],
      },
    })
  } finally {
    await transcripts.close()
  }
})

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function flipped(bytes: Buffer): Buffer {
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
  return bytes
}

/** The same lines once: repeated lines change nothing, and a full parse of them all would take long. */
function writeAgain(file: string, text: Buffer): string {
  writeFileSync(`${file}.once`, text)
  return `${file}.once`
}
