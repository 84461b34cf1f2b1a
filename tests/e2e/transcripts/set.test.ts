/** A whole folder as the generator makes it: forks, subagents, decoys; read at once, again, and in little memory. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { growSet, writeSet } from '../../../bench/transcript-set.ts'
import { scanFolder } from '../../../src/adapters/claude-code/scan-folder.ts'
import { Transcripts } from '../../../src/adapters/claude-code/transcripts.ts'
import { IndexFile } from '../../../src/adapters/claude-code/transcripts/index-file.ts'
import { plainScanner } from '../../../src/adapters/claude-code/transcripts/scanner.ts'
import { TranscriptSet } from '../../../src/adapters/claude-code/transcripts/transcript-set.ts'
import { UsageReader } from '../../../src/adapters/claude-code/transcripts/usage-reader.ts'
import { fullParse, type Totals } from './full-parse.ts'
import { built } from '../../programs.ts'

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

test('the program says the same however it is started: as its first line says, or without flags', () => {
  const set = writeSet(folder, { files: 10, fileBytes: 20_000 })
  const program = built('daemon/offline/transcripts')
  const [, flags = ''] = /^#!.* node (.*)$/m.exec(readFileSync(program, 'utf8')) ?? []
  expect(flags).toContain('--no-rehash-snapshot')
  for (const given of [flags.split(' '), []]) {
    const args = [...given, program, join(folder, 'projects'), '--json']
    const { models } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { models: Totals }
    expect(models).toEqual(fullParse(set.files))
  }
  const none = spawnSync(process.execPath, [program, join(folder, 'none')], { encoding: 'utf8' })
  expect([none.status, none.stdout, none.stderr]).toEqual([
    1,
    '',
    `There is no folder ${join(folder, 'none')}. Name the one that holds Claude Code's projects.\n`,
  ])
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

test('a writer that a second one came before does no harm', async () => {
  const set = writeSet(folder, { files: 20, fileBytes: 20_000 })
  const index = join(folder, 'index')
  await scanFolder(join(folder, 'projects'), index)
  growSet({ ...set, files: set.files.slice(0, 3) }, 10_000, 5)
  const [first, second] = [new IndexFile(index), new IndexFile(index)]
  for (const file of [first, second]) {
    const known = new TranscriptSet(plainScanner(), file.kept)
    for (const number of known.catalogue.enter(set.files)) known.look(number)
    file.save(known)
    file.close()
  }
  for (let round = 0; round < 3; round += 1) {
    const { models } = await scanFolder(join(folder, 'projects'), index)
    expect(models).toEqual(fullParse(set.files))
    growSet({ ...set, files: set.files.slice(0, 3) }, 10_000, 6 + round)
  }
})

test('a message whose row lies in the index is found there, and a damaged row makes everything be read again', async () => {
  const set = writeSet(folder, { files: 20, fileBytes: 20_000 })
  const [first = '', last = ''] = [set.files[0], set.files.at(-2)]
  const index = join(folder, 'index')
  await scanFolder(join(folder, 'projects'), index)
  // A fork: every message of it is known.
  appendFileSync(last, readFileSync(first))
  const known = await scanFolder(join(folder, 'projects'), index)
  expect(known.models).toEqual(fullParse(set.files))
  const bytes = readFileSync(index)
  // The rows are the last of the base; all of them are damaged.
  for (let at = bytes.indexOf(']]}', 0, 'latin1') + 100; at < bytes.length; at += 40) bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(index, bytes)
  appendFileSync(last, readFileSync(first))
  expect(await scanFolder(join(folder, 'projects'), index)).toEqual(known)
})

test('an index that outgrew its slots is written with larger ones, so that the next start makes none', async () => {
  const set = writeSet(folder, { files: 20, fileBytes: 20_000 })
  const index = join(folder, 'index')
  const { messages } = await scanFolder(join(folder, 'projects'), index)
  // The smallest table is full at 819 messages; what is added stays far below what makes a new base by its size.
  let grown = { messages }
  for (let seed = 50; grown.messages <= 819; seed += 1) {
    growSet({ ...set, files: set.files.slice(0, 5) }, 40_000, seed)
    grown = await scanFolder(join(folder, 'projects'), index)
  }
  const file = new IndexFile(index)
  file.close()
  expect({ before: messages <= 819, slots: file.kept.ledger.slots?.length }).toEqual({ before: true, slots: 4096 })
})

test('new and vanished files are found with an index, too', async () => {
  const set = writeSet(folder, { files: 30, fileBytes: 10_000 })
  const index = join(folder, 'index')
  const projects = join(folder, 'projects')
  const { files, messages } = await scanFolder(projects, index)
  expect(files).toBe(30)
  rmSync(set.files[3] ?? '')
  const more = writeSet(join(folder, 'more'), { files: 6, fileBytes: 10_000, seed: 9 })
  renameSync(join(folder, 'more/projects'), join(projects, 'more'))
  const later = await scanFolder(projects, index)
  expect(later.files).toBe(29 + more.files.length)
  expect(later.messages).toBeGreaterThan(messages)
  expect(await scanFolder(projects, index)).toEqual(later)
})

describe('the daemon', () => {
  let transcripts: Transcripts

  beforeEach(() => {
    transcripts = new Transcripts({ projects: join(folder, 'projects'), index: join(folder, 'index') })
  })

  afterEach(() => transcripts.close())

  test('follows a session and its subagents without reading anything twice', async () => {
    const set = writeSet(folder, { files: 7, fileBytes: 60_000 })
    const own = set.files[5] ?? ''
    const used = async () => plain((await transcripts.usageOf([basename(own, '.jsonl')])).models)
    expect(await used()).toEqual(fullParse([own]))
    growSet({ ...set, files: [own] }, 9000, 4)
    expect(await used()).toEqual(fullParse([own]))
  })

  test('sums sessions found by their ids, forks and subagents counted once', async () => {
    const set = writeSet(folder, { files: 40, fileBytes: 20_000 })
    const sessions = set.files.filter((file) => !file.includes('/subagents/'))
    const ids = sessions.map((file) => basename(file, '.jsonl'))
    const [first = '', second = ''] = sessions
    const subagents = join(first.slice(0, -'.jsonl'.length), 'subagents')
    mkdirSync(subagents, { recursive: true })
    const subagent = join(subagents, 'agent-1.jsonl')
    writeFileSync(subagent, readFileSync(set.files.find((file) => file.includes('/subagents/')) ?? ''))
    const all = await transcripts.usageOf([...ids, 'never-begun', ids[0] ?? '', '../../etc'])
    expect(all.sessions).toEqual(ids)
    expect(plain(all.models)).toEqual(fullParse([...sessions, subagent]))
    expect(messagesIn(all.models)).toBe(distinct([...sessions, subagent]))
    const two = await transcripts.usageOf(ids.slice(0, 2))
    expect(plain(two.models)).toEqual(fullParse([first, second, subagent]))
    growSet({ ...set, files: [first] }, 9000, 4)
    expect(plain((await transcripts.usageOf(ids.slice(0, 2))).models)).toEqual(fullParse([first, second, subagent]))
  })

  test('knows after a restart what was read before', () => {
    const set = writeSet(folder, { files: 6, fileBytes: 20_000 })
    const ids = set.files.map((file) => basename(file, '.jsonl'))
    const options = { projects: join(folder, 'projects'), index: join(folder, 'kept') }
    const before = new UsageReader(options)
    const used = before.ofSessions(ids)
    before.save()
    before.close()
    // What was once read stays counted.
    for (const file of set.files) truncateSync(file, 0)
    const after = new UsageReader(options)
    expect(after.ofSessions(ids)).toEqual(used)
    after.close()
  })
})

type Used = Record<string, { messages: number }>

function plain(models: Used): object {
  return Object.fromEntries(Object.entries(models).map(([model, { messages: _, ...figures }]) => [model, figures]))
}

function messagesIn(models: Used): number {
  return Object.values(models).reduce((sum, { messages }) => sum + messages, 0)
}

function distinct(files: readonly string[]): number {
  const ids = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; requestId: string; message: { id: string } })
      .filter(({ type }) => type === 'assistant')
      .map(({ requestId, message }) => `${message.id} ${requestId}`),
  )
  return new Set(ids).size
}

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
