import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentRecord } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import { handoffEvent } from '../../contract/handoff-views.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import { HandoffLog } from './handoff-log.ts'

let home = ''
const problems: string[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-log-'))
  problems.length = 0
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function openLog(): HandoffLog {
  return new HandoffLog({ home, report: (sentence) => void problems.push(sentence), later: () => {} })
}

const path = () => join(home, 'logs', 'handoffs.jsonl')
const lines = () => readFileSync(path(), 'utf8').trimEnd().split('\n')
const done: Partial<Handoff> = { state: 'done', endedAt: 90_000, endedWallAt: 90_000, successor: 'session-2' }

test('one line for each that has ended, in the shape of the documents', () => {
  const log = openLog()
  const outcome = { recovered: 'yes', method: 'heartbeat', wallAt: 600_000 } as const
  const failed = handoffRecord({ id: 'h-8', state: 'rolled_back', detail: 'it ended' })
  log.offer(
    agentRecord({ handoffs: [handoffRecord({ ...done, outcome }), failed], handoff: handoffRecord({ id: 'h-9' }) }),
  )
  log.flush()
  const read = lines().map((line) => JSON.parse(line) as object)
  for (const line of read) expect(handoffEvent.safeParse(line).error).toBeUndefined()
  expect(read).toMatchObject([
    {
      id: 'h-7',
      timestamp: '1970-01-01T00:00:00.000Z',
      agentId: 'agent-pan-18',
      issueId: 'pan-18',
      from: { model: 'sonnet', runtime: 'virtual', sessionId: 'session-1' },
      to: { model: 'opus', runtime: 'virtual', sessionId: 'session-2' },
      success: true,
      outcome: { verified: true, agentRecovered: true, verificationMethod: 'heartbeat' },
      durationMs: 90_000,
    },
    { id: 'h-8', success: false, errorMessage: 'it ended' },
  ])
  expect((statSync(path()).mode & 0o777).toString(8)).toBe('600')
})

test('what was judged later replaces its line, and what an earlier daemon wrote stays', () => {
  const first = openLog()
  first.offer(agentRecord({ handoffs: [handoffRecord(done), handoffRecord({ ...done, id: 'h-8' })] }))
  first.flush()
  const outcome = { recovered: 'no', method: 'manual', wallAt: 1 } as const
  writeFileSync(path(), `${lines().join('\n')}\nhalf a li`)
  const second = openLog()
  second.offer(agentRecord({ handoffs: [handoffRecord({ ...done, id: 'h-8', outcome })] }))
  second.flush()
  expect(lines().map((line) => (JSON.parse(line) as { outcome: object }).outcome)).toMatchObject([
    { verified: false },
    { verified: true, agentRecovered: false },
  ])
})

test('a folder that is a link is refused, and that is said once', () => {
  symlinkSync(tmpdir(), join(home, 'logs'))
  const log = openLog()
  for (const id of ['h-1', 'h-2']) {
    log.offer(agentRecord({ handoffs: [handoffRecord({ ...done, id })] }))
    log.flush()
  }
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^Could not write .*handoffs\.jsonl: .*remove it/)
})
