import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentRecord } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { readStat } from '../process/proc-stat.ts'
import { ClaudeInsight } from './insight.ts'

const SESSION = '00000001-0000-4000-8000-000000000000'
const WALL = Date.parse('2026-11-16T00:15:00.000Z')
const WORKED = Date.parse('2026-11-16T00:14:54.484Z')

let config: string
let client: ChildProcess
let insight: ClaudeInsight
let agent: AgentRecord

beforeEach(async () => {
  config = mkdtempSync(join(tmpdir(), 'cloister-insight-'))
  mkdirSync(join(config, 'sessions'))
  mkdirSync(join(config, 'projects/-work'), { recursive: true })
  client = spawn('sleep', ['60'], { env: { CLOISTER_RUN: 'home.run-1' }, stdio: 'ignore' })
  await new Promise((done) => client.once('spawn', done))
  insight = new ClaudeInsight({ config, homeId: 'home', now: () => WALL })
  agent = agentRecord({ run: 'run-1', runtime: 'claude-code', evidence: {} })
})
afterEach(() => {
  client.kill('SIGKILL')
  insight.retain(new Set())
  rmSync(config, { recursive: true })
})

const transcript = () => join(config, 'projects/-work', `${SESSION}.jsonl`)

function register(status: string, statusUpdatedAt: number): void {
  const pid = client.pid ?? 0
  const entry = { pid, procStart: String(readStat(pid)?.startedAt), sessionId: SESSION, status, statusUpdatedAt }
  writeFileSync(join(config, 'sessions', `${pid}.json`), JSON.stringify(entry))
}

test('registry and transcript are found by the run alone, as after a restart', () => {
  register('busy', WALL - 2000)
  copyFileSync(fileURLToPath(new URL('fixtures/session.jsonl', import.meta.url)), transcript())
  expect(insight.look(agent)).toEqual([
    {
      witness: 'registry',
      stamp: `${SESSION} busy ${WALL - 2000}`,
      ageMs: 2000,
      pid: client.pid,
      seen: { status: { says: 'work', wallAt: WALL - 2000 } },
    },
    {
      witness: 'transcript',
      stamp: `${SESSION} ${WORKED}`,
      ageMs: WALL - WORKED,
      seen: { tail: expect.objectContaining({ answerWallAt: expect.any(Number) }) },
      gauges: { context: { tokens: 3039, window: 1_000_000, source: 'transcript' } },
    },
  ])
})

test('of what is not there nothing is said', () => {
  expect(insight.look(agent)).toEqual([])
  const { run: _, ...unstarted } = agent
  expect(insight.look(unstarted)).toEqual([])
  expect(insight.look({ ...agent, run: 'run-2', sessionId: '../../etc/passwd' })).toEqual([])
})

test('a change of the registry or of the transcript is a hint about that run', async () => {
  register('idle', WALL - 2000)
  writeFileSync(transcript(), '')
  const hints: string[] = []
  const next = () => new Promise<void>((done) => (heard = done))
  let heard = () => {}
  const unwatch = insight.watch((run) => {
    hints.push(run)
    heard()
  })
  try {
    insight.look({ ...agent, evidence: { hook: { seenAt: 0, changedAt: 0, doing: { kind: 'idle' }, doingAt: 0 } } })
    for (const change of [() => register('busy', WALL), () => writeFileSync(transcript(), '{}\n')]) {
      const hint = next()
      change()
      await hint
    }
    expect(hints).toEqual(['run-1', 'run-1'])
  } finally {
    unwatch()
  }
})
