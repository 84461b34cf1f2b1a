import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followErrors, lastFailure } from './error-log.ts'

/** As 2.1.325 wrote it. */
const line = (second: number, attempt: number, what: string) =>
  `2026-11-18T03:07:${String(second).padStart(2, '0')}.005Z [ERROR] API error (attempt ${attempt}/11): ${what}\n`
const LIMIT = '429 429 {"type":"error","error":{"type":"rate_limit_error","message":"scripted error 429"}}'
const at = (second: number) => Date.parse('2026-11-18T03:07:00.005Z') + second * 1000

let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'cloister-errors-')), 'errors.log')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true }))

test('the last refusal is told with its status, and from the second on how long was waited', () => {
  expect(followErrors(path, undefined)).toBeUndefined()
  writeFileSync(path, `2026-11-18T03:07:00.687Z [ERROR] something else\n${line(11, 1, LIMIT)}`)
  const first = followErrors(path, undefined)
  expect(first?.last).toEqual({ at: at(11), attempt: 1, status: 429 })
  appendFileSync(path, line(51, 2, LIMIT).slice(0, 30))
  const half = followErrors(path, first)
  expect(half?.last).toEqual(first?.last)
  appendFileSync(path, line(51, 2, LIMIT).slice(30))
  expect(followErrors(path, half)?.last).toEqual({ at: at(51), attempt: 2, status: 429, waitedMs: 40_000 })
})

test('another request, another status, or none: nothing is known of its wait', () => {
  expect(lastFailure(line(1, 1, LIMIT) + line(5, 1, LIMIT))).toEqual({ at: at(5), attempt: 1, status: 429 })
  expect(lastFailure(line(1, 1, LIMIT) + line(5, 2, '529 overloaded'))).toEqual({ at: at(5), attempt: 2, status: 529 })
  expect(lastFailure(line(1, 3, 'Connection error.'))).toEqual({ at: at(1), attempt: 3 })
})

test('whatever bytes lie there, reading neither throws nor invents', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      writeFileSync(path, bytes)
      expect(followErrors(path, undefined)?.last).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})
