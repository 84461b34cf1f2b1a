/** Which record of a message counts: the same in whatever files, order and pieces its records are found. */
import * as fc from 'fast-check'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bestScanner } from '../../../src/adapters/claude-code/transcripts/best-scanner.ts'
import { IndexFile } from '../../../src/adapters/claude-code/transcripts/index-file.ts'
import { plainScanner, type Scanner } from '../../../src/adapters/claude-code/transcripts/scanner.ts'
import { TranscriptSet } from '../../../src/adapters/claude-code/transcripts/transcript-set.ts'
import { UsageReader } from '../../../src/adapters/claude-code/transcripts/usage-reader.ts'
import { answer } from './arbitrary-transcript.ts'
import { totalsOf } from './full-parse.ts'

const FILES = 3
const scanners = [
  { name: 'plain', scanner: plainScanner() },
  { name: 'best', scanner: bestScanner() },
]

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-order-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Every line goes to one of the files; then the files grow, each step by some bytes of one of them. */
const story = fc.record({
  lines: fc.array(fc.tuple(answer, fc.nat({ max: FILES - 1 })), { minLength: 1, maxLength: 14 }),
  steps: fc.array(
    fc.record({ file: fc.nat({ max: FILES - 1 }), bytes: fc.nat({ max: 1500 }), isRestart: fc.boolean() }),
    { maxLength: 12 },
  ),
})

test.each(scanners)('$name: any order of files, lines and reads gives the sums of a full parse', ({ scanner }) => {
  fc.assert(
    fc.property(story, ({ lines, steps }) => {
      const texts = lines.map(([record, file]) => ({ file, text: `${JSON.stringify(record)}\n` }))
      const files = Array.from({ length: FILES }, (_, file) => ({
        path: join(folder, `${file}.jsonl`),
        bytes: Buffer.from(
          texts
            .filter((line) => line.file === file)
            .map(({ text }) => text)
            .join(''),
        ),
        written: 0,
      }))
      for (const { path } of files) writeFileSync(path, '')
      const house = new House(join(folder, 'index'), scanner)
      for (const step of [...steps, ...files.map((_, file) => ({ file, bytes: Infinity, isRestart: true }))]) {
        const file = files[step.file]
        if (file === undefined) continue
        const piece = file.bytes.subarray(file.written, file.written + step.bytes)
        appendFileSync(file.path, piece)
        file.written += piece.length
        house.look(file.path)
        if (step.isRestart) house.restart()
      }
      expect(house.totals()).toEqual(totalsOf([Buffer.from(texts.map(({ text }) => text).join(''))]))
      house.leave()
    }),
    { numRuns: 300 },
  )
})

/** A set with its index, which can be put away and taken up. */
class House {
  readonly #path: string
  readonly #scanner: Scanner
  #index: IndexFile
  #set: TranscriptSet

  constructor(path: string, scanner: Scanner) {
    this.#path = path
    this.#scanner = scanner
    this.#index = new IndexFile(path)
    this.#set = new TranscriptSet(scanner, this.#index.kept)
  }

  look(file: string): void {
    for (const number of this.#set.catalogue.enter([file])) this.#set.look(number)
  }

  restart(): void {
    this.#index.save(this.#set)
    this.#index.close()
    this.#index = new IndexFile(this.#path)
    this.#set = new TranscriptSet(this.#scanner, this.#index.kept)
  }

  totals(): object {
    return this.#set.totals()
  }

  leave(): void {
    this.#index.close()
    rmSync(this.#path, { force: true })
  }
}

test('more messages than are remembered: what is asked for is read anew, and a later record still replaces', () => {
  const record = (id: number, ms: number, output: number) =>
    `${JSON.stringify({
      type: 'assistant',
      timestamp: new Date(Date.UTC(2026, 10, 15) + ms).toISOString(),
      message: { id: `m${id}`, model: 'claude-opus-5-5', usage: { output_tokens: output } },
    })}\n`
  const projects = join(folder, 'projects')
  writeProject(projects, Array.from({ length: 30 }, (_, id) => record(id, 0, 100)).join(''))
  const reader = new UsageReader({ projects, index: join(folder, 'index'), messagesLimit: 20 })
  const used = () => reader.ofSessions(['s1']).models['claude-opus-5-5']
  expect(used()).toMatchObject({ messages: 30, output: 3000 })
  appendFileSync(join(projects, 'p/s1.jsonl'), record(0, 1, 7))
  expect(used()).toMatchObject({ messages: 30, output: 2907 })
  reader.save()
  expect(used()).toMatchObject({ messages: 30, output: 2907 })
  reader.close()
})

function writeProject(projects: string, text: string): void {
  mkdirSync(join(projects, 'p'), { recursive: true })
  writeFileSync(join(projects, 'p/s1.jsonl'), text)
}
