/** Whatever the scanner, the block, the cuts: the totals are those of a full parse of every line. */
import * as fc from 'fast-check'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { IndexFile } from '../../../src/adapters/claude-code/transcripts/index-file.ts'
import { plainScanner } from '../../../src/adapters/claude-code/transcripts/scanner.ts'
import { simdScanner } from '../../../src/adapters/claude-code/transcripts/simd-scanner.ts'
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
