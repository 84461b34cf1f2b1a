import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../api/audit.ts'
import { AuditLog } from './audit-log.ts'

const entry: AuditEntry = { who: 'you', via: 'cli', door: 'socket', what: 'POST /x', code: 202, requestId: 'r1' }
const stranger: AuditEntry = { ...entry, who: 'nobody', via: 'none', code: 401 }
const at = '2027-01-15T08:00:00.000Z'

let home: string
let problems: unknown[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-audit-'))
  problems = []
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(home, { recursive: true, force: true })
})

function open(limit?: number) {
  const problem = (error: unknown) => void problems.push(error)
  return new AuditLog({ home, now: () => Date.parse(at), problem, ...(limit === undefined ? {} : { limit }) })
}

function lines(name = 'audit.jsonl'): unknown[] {
  const text = readFileSync(join(home, 'logs', name), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

test('each deed is a line, added to what is there, for the owner alone', () => {
  open().audit(entry, false)
  open().audit({ ...entry, agent: 'agent-1' }, false)
  expect(lines()).toEqual([
    { at, ...entry },
    { at, ...entry, agent: 'agent-1' },
  ])
  expect(statSync(join(home, 'logs/audit.jsonl')).mode & 0o777).toBe(0o600)
})

test('what agents report in masses is counted and written once a second', () => {
  vi.useFakeTimers()
  const report: AuditEntry = { ...entry, who: 'agent-1', via: 'run' }
  const { audit } = open()
  for (let n = 0; n < 5_000; n += 1) audit(report, true)
  audit({ ...report, what: 'POST /y' }, true)
  vi.advanceTimersByTime(1_000)
  expect(lines()).toEqual([
    { at, ...report, count: 5_000 },
    { at, ...report, what: 'POST /y', count: 1 },
  ])
  audit(report, true)
  vi.advanceTimersByTime(1_000)
  expect(lines()).toHaveLength(3)
})

test('a thousand different reports are fifty lines and one', () => {
  const log = open()
  for (let n = 0; n < 1_000; n += 1) log.audit({ ...entry, via: 'run', what: `POST /${n}` }, true)
  log.close()
  expect(lines()).toHaveLength(51)
  expect(lines().at(-1)).toMatchObject({ who: 'many', what: 'various', count: 950 })
})

test('what strangers try is one line a second, whatever the path, in a file of its own', () => {
  vi.useFakeTimers()
  const { audit } = open()
  audit(entry, false)
  for (let n = 0; n < 1_000; n += 1) audit({ ...stranger, what: `GET /${n}`, code: n % 4 === 0 ? 403 : 401 }, true)
  vi.advanceTimersByTime(1_000)
  audit(stranger, true)
  vi.advanceTimersByTime(1_000)
  expect(lines()).toEqual([{ at, ...entry }])
  expect(lines('refused.jsonl')).toEqual([
    { at, ...stranger, what: 'GET /0', code: 403, count: 1_000, codes: { 401: 750, 403: 250 } },
    { at, ...stranger, count: 1, codes: { 401: 1 } },
  ])
})

test('strangers never push out a deed, however long they try', () => {
  vi.useFakeTimers()
  const { audit } = open(2_000)
  audit(entry, false)
  for (let n = 0; n < 100; n += 1) {
    audit(stranger, true)
    vi.advanceTimersByTime(1_000)
  }
  expect(lines()).toEqual([{ at, ...entry }])
  expect(lines('refused.jsonl').length + lines('refused.jsonl.1').length).toBeLessThan(30)
})

test('a full file is put aside, and the one before that is gone', () => {
  const { audit } = open(250)
  for (let n = 0; n < 5; n += 1) audit({ ...entry, requestId: `r${n}` }, false)
  expect([lines('audit.jsonl.1').length + lines().length < 5, lines().at(-1)]).toEqual([
    true,
    { at, ...entry, requestId: 'r4' },
  ])
})

test('a log that cannot be written is said once and holds nothing up', () => {
  writeFileSync(join(home, 'logs'), 'in the way')
  const { audit } = open()
  audit(entry, false)
  audit(entry, false)
  expect(problems).toHaveLength(1)
  expect((problems[0] as Error).message).toContain('deeds are not recorded')
})
