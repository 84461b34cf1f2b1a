/** Strangers' files: nothing throws, nothing is held in memory for long, and what cannot be read is counted. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linesIn } from '../../src/adapters/claude-code/past/lines-in.ts'
import { recordPast } from '../../src/daemon/offline/record-past.ts'
import { replayFile, Unreplayable } from '../../src/daemon/offline/replay-file.ts'
import { replayPast } from '../../src/daemon/offline/replay-past.ts'
import { SETTINGS } from '../samples/agents.ts'
import { SHAPES } from './client-shapes.ts'
import { MINUTE, SECOND, Transcript } from './transcript.ts'

const NOW = Date.UTC(2026, 10, 1)
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-field-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function judged(text: string | Buffer) {
  const path = join(folder, 't.jsonl')
  writeFileSync(path, text)
  return replayPast({ path, settings: SETTINGS, nowWallAt: NOW, progress: () => {} })
}

const at = (second: number) => new Date(Date.UTC(2026, 1, 1, 20, 0, second)).toISOString()
const prompt = (text: string, second: number) =>
  JSON.stringify({ type: 'user', timestamp: at(second), message: { content: text } })

test('two records on a line, other line ends, a mark, no end', () => {
  const { counts } = judged(`\uFEFF${prompt('a', 1)}${prompt('b', 2)}\r\n${prompt('c', 3)}\r\n{"type":"user","time`)
  expect(counts).toMatchObject({ lines: 3, records: 3, unreadable: 1, hooks: 4 })
})

test('times that are missing, wrong, or out of order', () => {
  const odd = [prompt('b', 50), prompt('a', 10), '{"type":"user","message":{"content":"x"}}']
  const future = JSON.stringify({ type: 'user', timestamp: '2999-01-01T00:00:00Z', message: { content: 'y' } })
  const past = JSON.stringify({ type: 'user', timestamp: '1970-01-01T00:00:00Z', message: { content: 'z' } })
  const { counts, fromWallAt, toWallAt } = judged([...odd, future, past].join('\n'))
  expect(counts).toMatchObject({ records: 5, untimed: 3 })
  expect(toWallAt - fromWallAt).toBeLessThan(MINUTE)
})

test('a record of 50 MB is read, and one beyond the limit is left out', () => {
  const big = 'x'.repeat(50 * 1024 * 1024)
  const use = {
    type: 'assistant',
    timestamp: at(2),
    message: { id: 'm', content: [{ type: 'tool_use', id: '1', name: 'Bash', input: {} }] },
  }
  const result = {
    type: 'user',
    timestamp: at(3),
    message: { content: [{ type: 'tool_result', tool_use_id: '1', content: big }] },
  }
  const { counts, events } = judged(
    [prompt('a', 1), JSON.stringify(use), JSON.stringify(result), prompt('b', 90)].join('\n'),
  )
  expect(counts).toMatchObject({ records: 4, unreadable: 0, tooLong: 0 })
  expect(events.some(({ type }) => type === 'agent.health-changed')).toBe(true)
  writeFileSync(join(folder, 'long'), `ab\n${'c'.repeat(20)}\nd\n${'e'.repeat(20)}`)
  const lines = [...linesIn(join(folder, 'long'), 10)].map(({ bytes }) => bytes?.toString())
  expect(lines).toEqual(['ab', undefined, 'd', undefined])
})

test('an idle month costs no month of looks', () => {
  const later = JSON.stringify({ type: 'user', timestamp: '2026-03-05T08:00:00Z', message: { content: 'again' } })
  const words = JSON.stringify({
    type: 'assistant',
    timestamp: at(9),
    message: { id: 'm', content: [{ type: 'text', text: 'done' }] },
  })
  const { inputs, toWallAt } = judged([prompt('a', 1), words, later].join('\n'))
  expect(new Date(toWallAt).toISOString()).toMatch(/^2026-03-05T08:00/)
  expect(inputs).toBeLessThan(3000)
})

test.each(['', '\n\n', 'hello', '[]', '{}', '{"type":"user"}', 'null\n7'])('nothing to judge in %j is said', (text) => {
  expect(() => judged(text)).toThrow(Unreplayable)
})

test('a pipe is not waited for, and links to nothing and folders are refused', () => {
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link.jsonl'))
  mkdirSync(join(folder, 'dir.jsonl'))
  for (const name of ['pipe', 'link', 'dir']) {
    const path = join(folder, `${name}.jsonl`)
    const given = { path, settings: SETTINGS, nowWallAt: NOW, progress: () => {} }
    expect(() => replayPast(given)).toThrow(Unreplayable)
    const recorded = recordPast({ ...given, file: join(folder, 'out.jsonl'), force: false })
    expect(recorded.problem).toContain(path)
  }
})

test('any lines at all', () => {
  const value = fc.jsonValue()
  const record = fc.record(
    {
      type: fc.constantFrom('user', 'assistant', 'system', 'progress', 'attachment', 'queue-operation', 'x'),
      timestamp: fc.oneof(fc.constantFrom(at(1), at(30), at(5)), value),
      message: fc.oneof(
        value,
        fc.record({
          content: fc.array(
            fc.record({
              type: fc.constantFrom('text', 'tool_use', 'tool_result'),
              id: value,
              name: value,
              input: value,
              text: value,
              content: value,
              tool_use_id: value,
            }),
          ),
        }),
      ),
      isSidechain: value,
      agentId: value,
      sessionId: value,
      toolUseResult: value,
      isApiErrorMessage: fc.boolean(),
      subtype: fc.constantFrom('compact_boundary', 'turn_duration', 'api_error'),
      attachment: value,
      data: value,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          record.map((each) => JSON.stringify(each)),
          fc.string(),
        ),
      ),
      (lines) => {
        judged([prompt('a', 1), ...lines].join('\n'))
      },
    ),
    { numRuns: 150 },
  )
})

test('what is written has no secrets, is for its owner alone, and replays to the same', () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const transcript = new Transcript(SHAPES[8]!, 7)
  transcript.prompt(`use ${secret}`)
  transcript.wait(3 * SECOND)
  transcript.does('Bash', { command: `curl -H 'Authorization: Bearer ${secret}' x` }, { says: secret })
  transcript.says(`I used ${secret}`)
  const path = transcript.write(folder)
  const file = join(folder, 'out', 'recording.jsonl')
  const given = { path, file, settings: SETTINGS, nowWallAt: NOW, progress: () => {} }
  expect(recordPast({ ...given, force: false })).toMatchObject({ file, ended: 'the transcript ended' })
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(secret)
  expect(replayFile(file)).toMatchObject({
    difference: undefined,
    inferred: { what: expect.arrayContaining([]) as string[] },
  })
  expect(recordPast({ ...given, force: false }).problem).toContain('--force')
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(recordPast({ ...given, force: true }).problem).toBeUndefined()
})

test.each([
  ['on the same line', `{"type":"mode"}INTERRUPT`],
  ['by time, though not in the file', `INTERRUPT\n${prompt('late', 2)}`],
])('what comes before another, %s, knows nothing of it', (_, lines) => {
  const interrupt = {
    type: 'user',
    timestamp: '2026-02-01T23:00:00Z',
    message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  }
  const { events } = judged(`${prompt('a', 1)}\n${lines.replace('INTERRUPT', JSON.stringify(interrupt))}\n`)
  const causes = events.flatMap((event) => (event.type === 'agent.health-changed' ? event.cause.kind : []))
  expect(causes).toContain('hung')
})
