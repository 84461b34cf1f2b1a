import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followTail, readSessionTail, type SessionTail, type TailPlace } from './session-tail.ts'

const recorded = readFileSync(new URL('fixtures/session.jsonl', import.meta.url))
const lines = recorded.toString('utf8').trimEnd().split('\n')
const EMPTY: SessionTail = { queue: [] }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-tail-'))
  file = join(folder, 'session.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** After each line of the recorded session: how often the open request was sent. */
function sentTimes(): number[] {
  let tail = EMPTY
  return lines.map((line) => {
    tail = readSessionTail(tail, Buffer.from(`${line}\n`))
    return tail.asked?.times ?? 0
  })
}

test('a request that is sent again is seen until it is answered', () => {
  const times = sentTimes()
  expect(times.filter((n, at) => n !== times[at - 1])).toEqual(expect.arrayContaining([0, 1, 0, 1, 2, 3, 0]))
  expect(Math.max(...times)).toBe(3)
  expect(times.at(-1)).toBe(0)
})

test('the recorded session, at its end', () => {
  const { workAt, asked, model, contextTokens, interrupt } = readSessionTail(EMPTY, recorded)
  expect({ workAt, asked, model, contextTokens, interrupt }).toEqual({
    workAt: Date.parse('2026-11-16T00:14:54.484Z'),
    asked: undefined,
    model: 'claude-sonnet-5-5',
    contextTokens: 3039,
    interrupt: { at: Date.parse('2026-11-16T00:14:52.618Z') },
  })
})

test('in whatever pieces it grows, it reads the same as at once', () => {
  const whole = readSessionTail(EMPTY, recorded)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: recorded.length }), { maxLength: 6 }), (cuts) => {
      writeFileSync(file, '')
      let place: TailPlace | undefined
      let from = 0
      for (const cut of [...cuts.toSorted((a, b) => a - b), recorded.length]) {
        appendFileSync(file, recorded.subarray(from, cut))
        from = Math.max(from, cut)
        place = followTail(file, place)
      }
      expect(place?.tail).toEqual(whole)
      expect(followTail(file, place)).toEqual(place)
    }),
    { numRuns: 30 },
  )
})

test('of a long file only the end is read; one that shrank or is another is read anew', () => {
  const filler = `${JSON.stringify({ type: 'file-history-snapshot', blob: 'x'.repeat(1000) })}\n`.repeat(400)
  writeFileSync(file, filler)
  appendFileSync(file, recorded)
  const place = followTail(file, undefined)
  expect(place?.tail.model).toBe('claude-sonnet-5-5')
  truncateSync(file, 0)
  expect(followTail(file, place)?.tail).toEqual(EMPTY)
  rmSync(file)
  expect(followTail(file, place)).toBeUndefined()
})

test('whatever bytes lie there, there is a tail', () => {
  const request = fc.record(
    { type: fc.constant('api-request'), requestDigest: fc.string(), timestamp: fc.string(), querySource: fc.string() },
    { requiredKeys: ['type'] },
  )
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    request.map((each) => JSON.stringify(each)),
    fc.constantFrom(...lines),
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          line.map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
      ),
      (parts) => {
        writeFileSync(file, Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])))
        const tail = followTail(file, undefined)?.tail
        expect(tail?.asked === undefined || tail.asked.times > 0).toBe(true)
      },
    ),
  )
})
