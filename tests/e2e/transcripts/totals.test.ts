/** Whatever the scanner, the block, the cuts: the totals are those of a full parse of every line. */
import * as fc from 'fast-check'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IndexFile } from '../../../src/adapters/claude-code/transcripts/index-file.ts'
import { plainScanner } from '../../../src/adapters/claude-code/transcripts/scanner.ts'
import { checkSum } from '../../../src/adapters/claude-code/transcripts/check-sum.ts'
import { WIDTH } from '../../../src/adapters/claude-code/transcripts/row-store.ts'
import { indexMemory, plainMemory, simdScanner } from '../../../src/adapters/claude-code/transcripts/simd-scanner.ts'
import { emptySlots } from '../../../src/adapters/claude-code/transcripts/slots.ts'
import { TranscriptSet } from '../../../src/adapters/claude-code/transcripts/transcript-set.ts'
import { transcript } from './arbitrary-transcript.ts'
import { fullParse, totalsOf } from './full-parse.ts'

const scanners = [
  { name: 'plain', scannerOf: plainScanner },
  { name: 'SIMD', scannerOf: (bytes?: number) => requireValue(simdScanner(bytes)) },
]

function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This Node runs no WebAssembly with vectors.')
  return value
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-transcripts-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe.each(scanners)('the $name scanner', ({ scannerOf }) => {
  const scanner = scannerOf()

  test('finds what a full parse finds', () => {
    fc.assert(
      fc.property(fc.array(transcript, { maxLength: 3 }), (texts) => {
        const files = texts.map((text, n) => {
          writeFileSync(join(folder, `${n}.jsonl`), text)
          return join(folder, `${n}.jsonl`)
        })
        const set = new TranscriptSet(scanner)
        for (const number of set.catalogue.enter(files)) set.look(number)
        expect(set.totals()).toEqual(fullParse(files))
      }),
      { numRuns: 400 },
    )
  })

  test('finds it whatever the size of its block', () => {
    fc.assert(
      fc.property(transcript, fc.integer({ min: 40, max: 3000 }), (text, size) => {
        const file = join(folder, 'a.jsonl')
        writeFileSync(file, text)
        const set = new TranscriptSet(scannerOf(size))
        for (const number of set.catalogue.enter([file])) set.look(number)
        expect(set.totals()).toEqual(fullParse([file]))
      }),
      { numRuns: 300 },
    )
  })

  test('finds it when the file grows by any pieces, with what it knows put away in between', () => {
    const pieces = fc.tuple(transcript, fc.array(fc.nat({ max: 4000 }), { maxLength: 5 }), fc.boolean())
    fc.assert(
      fc.property(pieces, ([text, cuts, isPutAway]) => {
        const file = join(folder, 'a.jsonl')
        const index = join(folder, 'index')
        writeFileSync(file, '')
        rmSync(index, { force: true })
        let put = new IndexFile(index)
        let set = new TranscriptSet(scanner, put.kept)
        let from = 0
        const seen: Buffer[] = []
        for (const to of [...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]) {
          appendFileSync(file, text.subarray(from, to))
          from = to
          seen.push(text.subarray(0, to))
          for (const number of set.catalogue.enter([file])) set.look(number)
          // A line without its end counts for what it is at that look.
          expect(set.totals()).toEqual(totalsOf(seen))
          if (!isPutAway) continue
          put.save(set)
          put.close()
          put = new IndexFile(index)
          set = new TranscriptSet(scanner, put.kept)
        }
        put.close()
      }),
      { numRuns: 300 },
    )
  })

  test('keeps what it found when the file shrinks or is replaced, and reads the new one whole', () => {
    fc.assert(
      fc.property(transcript, transcript, fc.nat({ max: 4000 }), (first, second, cut) => {
        const file = join(folder, 'a.jsonl')
        const set = new TranscriptSet(scanner)
        const look = () => set.catalogue.enter([file]).forEach((number) => set.look(number))
        writeFileSync(file, first)
        look()
        const kept = Math.min(cut, first.length)
        truncateSync(file, kept)
        look()
        const shortened = [first, first.subarray(0, kept)]
        expect(set.totals()).toEqual(totalsOf(shortened))
        rmSync(file)
        look()
        writeFileSync(file, second)
        look()
        expect(set.totals()).toEqual(totalsOf([...shortened, second]))
      }),
      { numRuns: 200 },
    )
  })
})

test('both scanners read times and names of models alike, however they are written', () => {
  const days = Array.from({ length: 1200 }, (_, n) =>
    new Date(Date.UTC(1999, 0, 1) + n * 33.3 * 86_400_000).toISOString(),
  )
  const odd = ['', '2026-02-30T10:00:00Z', '2024-02-29T10:00:00.000Z', '2026-13-01T00:00:00Z', '2026-01-00T00:00:00Z']
  const odder = ['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00.0x0Z', '2026-01-01 00:00:00.000Z']
  const times = [
    ...days,
    ...days.map((time) => time.replace(/\.\d+/, '')),
    ...odd,
    ...odder,
    '2026-01-01T00:00:00.000+',
  ]
  const models = [
    'one',
    '',
    'n'.repeat(61),
    'nämlich',
    ...Array.from({ length: 20 }, (_, n) => `model-${n}`),
    'model-19',
  ]
  const lines = times.map((timestamp, n) => {
    const model = models[n % models.length]
    return JSON.stringify({
      type: 'assistant',
      timestamp,
      message: { id: `m${n}`, model, usage: { output_tokens: n } },
    })
  })
  const [plain, simd] = scanners.map(({ scannerOf }) => {
    const scanner = scannerOf()
    const end = scanner.block.write(`${lines.join('\n')}\n`)
    const found: object[] = []
    scanner.scan({ start: 0, end }, (finding) => found.push(finding))
    return found
  })
  expect(plain).toHaveLength(times.length)
  expect(simd).toEqual(plain)
})

test('the SIMD scanner parses none of the usual records', () => {
  const message = { id: 'm1', model: 'claude-opus-5-5', usage: { output_tokens: 3, speed: 'standard' } }
  const record = { type: 'assistant', timestamp: '2026-11-15T10:00:00.123Z', requestId: 'r1', message }
  const fast = { ...record, message: { ...message, usage: { output_tokens: 4, speed: 'fast' } } }
  const told = { type: 'progress', data: { message: record, type: 'agent_progress' }, timestamp: record.timestamp }
  const asked = { type: 'user', data: { message: record }, toolUseResult: message }
  const scanner = requireValue(simdScanner())
  const lines = [record, fast, told, { ...told, data: { message: fast } }, asked]
  const end = scanner.block.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const found: unknown[] = []
    scanner.scan({ start: 0, end }, ({ model, output, milliseconds }) => found.push([model, output, milliseconds]))
    expect(parse).not.toHaveBeenCalled()
    const [usual, quick] = [
      ['claude-opus-5-5', 3, 123],
      ['claude-opus-5-5[fast]', 4, 123],
    ]
    expect(found).toEqual([usual, quick, usual, quick])
  } finally {
    parse.mockRestore()
  }
})

test('rows are entered in the same slots wherever it is done', () => {
  const rows = Uint32Array.from({ length: 900 * WIDTH }, (_, n) => Math.imul(n ^ (n >>> 3), 0x2c1b3c6d))
  // Some keys want the same slot, some the last one, behind which comes the first.
  for (let at = 0; at < 50 * WIDTH; at += WIDTH) rows.set([at < 25 * WIDTH ? 7 : -1, 0], at)
  const memory = indexMemory(rows.byteLength + emptySlots(900).byteLength)
  const slots = new Int32Array(memory.bytes.buffer, 0, emptySlots(900).length).fill(-1)
  const inside = new Uint32Array(memory.bytes.buffer, slots.byteLength, rows.length)
  inside.set(rows)
  memory.enter(slots, inside, 5)
  const plainly = emptySlots(900)
  plainMemory(Buffer.alloc(0)).enter(plainly, rows, 5)
  expect(slots).toEqual(plainly)
  expect(slots.filter((row, n) => n % 2 === 0 && row >= 0).toSorted((a, b) => a - b)).toEqual(
    Int32Array.from({ length: 900 }, (_, n) => n + 5),
  )
})

test('a check sum is the same wherever it is made, and changes with every number', () => {
  const words = Buffer.from(Uint32Array.from({ length: 1003 }, (_, n) => Math.imul(n, 0x9e3779b1)).buffer)
  const memory = indexMemory(words.length)
  words.copy(memory.bytes)
  const ranges = [0, 4, 16, 20, 4008].flatMap((to) =>
    [0, 4, 24].filter((from) => from <= to).map((from) => ({ from, to })),
  )
  for (const { from, to } of ranges) expect(memory.sum(from, to)).toBe(checkSum(words, from, to))
  const sums = Array.from({ length: 1003 }, (_, n) => {
    memory.bytes[n * 4] = (memory.bytes[n * 4] ?? 0) ^ 1
    const sum = memory.sum(0, words.length)
    memory.bytes[n * 4] = (memory.bytes[n * 4] ?? 0) ^ 1
    return sum
  })
  expect(new Set([...sums, memory.sum(0, words.length)]).size).toBe(1004)
})
