import { appendFileSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followRetries, lastRetry } from './retry-log.ts'

interface Noted {
  second: number
  status?: number | null
  waitMs?: unknown
  of?: string
}

/** As 2.1.325 wrote it, but for what is not read. */
const line = ({ second, status = 429, waitMs = 40_000, of = 'main' }: Noted) =>
  `${JSON.stringify({
    timestamp: `2026-11-18T03:07:${String(second).padStart(2, '0')}.005Z`,
    level: 'warn',
    event: 'cli_api_retry',
    data: {
      error_kind: 'rate_limit',
      response: status === null ? null : { status, content_type: 'json', request_id: 'req_1' },
      attempt: 1,
      delay_ms: waitMs,
      attempt_duration_ms: 22,
      query_source_category: of,
    },
    cc_version: '2.1.325',
  })}\n`
const OTHER = '{"timestamp":"2026-11-18T03:07:00.005Z","level":"info","event":"setup_started","data":{}}\n'
const at = (second: number) => Date.parse('2026-11-18T03:07:00.005Z') + second * 1000

let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'cloister-retries-')), 'diagnostics.jsonl')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true }))

test('the first refusal is told with its status and with how long is waited', () => {
  expect(followRetries(path, undefined)).toBeUndefined()
  writeFileSync(path, `${OTHER}${line({ second: 11 })}${OTHER}`)
  const first = followRetries(path, undefined)
  expect(first?.last).toEqual({ at: at(11), status: 429, waitMs: 40_000 })
  const second = line({ second: 51, status: 529, waitMs: 541 })
  appendFileSync(path, second.slice(0, 30))
  const half = followRetries(path, first)
  expect(half?.last).toEqual(first?.last)
  appendFileSync(path, second.slice(30))
  expect(followRetries(path, half)?.last).toEqual({ at: at(51), status: 529, waitMs: 541 })
})

test('where no answer came there is no status; what others wait for, or a wait that is none, is passed over', () => {
  expect(lastRetry(line({ second: 1, status: null }))).toEqual({ at: at(1), waitMs: 40_000 })
  expect(lastRetry(line({ second: 1 }) + line({ second: 5, of: 'subagent' }))).toMatchObject({ at: at(1) })
  expect(lastRetry(line({ second: 1, waitMs: 'long' }))).toBeUndefined()
})

test('a file that became long is emptied when it was read, and what it said stays known', () => {
  writeFileSync(path, line({ second: 11 }))
  const first = followRetries(path, undefined)
  appendFileSync(path, OTHER.repeat(12_000))
  const long = followRetries(path, first)
  expect([statSync(path).size, long?.last]).toEqual([0, first?.last])
  appendFileSync(path, line({ second: 51 }))
  expect(followRetries(path, long)?.last).toMatchObject({ at: at(51) })
})

test('whatever bytes lie there, reading neither throws nor invents', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom('', '"cli_api_retry" null'), (bytes, text) => {
      writeFileSync(path, Buffer.concat([bytes, Buffer.from(`${text}\n`)]))
      expect(followRetries(path, undefined)?.last).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test('nothing behind a link is emptied, and a wait that no client has is passed over', () => {
  const other = join(path, '..', 'other.txt')
  writeFileSync(other, OTHER.repeat(20_000))
  const { size } = statSync(other)
  symlinkSync(other, path)
  followRetries(path, undefined)
  expect(statSync(other).size).toBe(size)
  const endless = line({ second: 1 }).replace('40000', '1e999')
  expect(lastRetry(endless)).toBeUndefined()
  expect(lastRetry(line({ second: 1, status: 1e300 }))).toEqual({ at: at(1), waitMs: 40_000 })
})
