import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../core/fingerprint.ts'
import type { Sessions } from '../../core/runtime-port.ts'
import { claudeSessions } from './resume-session.ts'

const AT = Date.UTC(2026, 0, 20, 22)
const at = (ms: number) => new Date(AT + ms).toISOString()

let config: string
let sessions: Sessions

beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'cloister-sessions-'))
  mkdirSync(join(config, 'projects/-work'), { recursive: true })
  mkdirSync(join(config, 'sessions'))
  sessions = claudeSessions({ config, homeId: 'home' })
})
afterEach(() => rmSync(config, { recursive: true }))

function transcript(...lines: (object | string)[]): void {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  writeFileSync(join(config, 'projects/-work/s-1.jsonl'), `${text}\n`)
}

const user = (content: unknown, timestamp = at(1000)) => ({ type: 'user', timestamp, message: { content } })
const took = (text: string, sinceWallAt = AT) => sessions.took('s-1', { fingerprint: fingerprint(text), sinceWallAt })

test('a session without a transcript, or with nothing said in it, cannot be gone on with', async () => {
  expect(await sessions.unusable('s-1')).toBe('missing')
  expect(await sessions.unusable('../s-1')).toBe('missing')
  transcript({ type: 'file-history-snapshot' }, '{"type":"us')
  expect(await sessions.unusable('s-1')).toBe('empty')
  transcript('{"type":"us', '\0\0\0\0')
  expect(await sessions.unusable('s-1')).toBe('garbled')
  transcript('x'.repeat(9 * 1024 * 1024))
  expect(await sessions.unusable('s-1')).toBe('too_large')
  transcript(user('hello'), 'x'.repeat(9 * 1024 * 1024))
  expect(await sessions.unusable('s-1')).toBeUndefined()
  transcript(user('hello'))
  expect(await sessions.unusable('s-1')).toBeUndefined()
})

test('what it took, and since when', async () => {
  expect(await took('hello')).toBeUndefined()
  transcript(
    user('old', at(-60_000)),
    user('hello  there\n'),
    user([{ type: 'text', text: 'in a part' }]),
    user([{ type: 'tool_result', content: 'a result' }]),
    { type: 'queue-operation', operation: 'enqueue', timestamp: at(2000), content: 'waits' },
    { type: 'queue-operation', operation: 'remove', timestamp: at(3000), content: 'gone' },
    { type: 'attachment', timestamp: at(4000), attachment: { type: 'queued_command', prompt: 'later' } },
    { type: 'assistant', timestamp: at(5000), message: { content: 'said by itself' } },
  )
  const texts = ['old', 'hello there', 'in a part', 'a result', 'waits', 'gone', 'later', 'said by itself', 'other']
  expect(await Promise.all(texts.map((text) => took(text)))).toEqual([
    'no',
    'transcript',
    'transcript',
    'no',
    'queue',
    'no',
    'transcript',
    'no',
    'no',
  ])
  expect(await took('hello there', AT + 60_000)).toBe('no')
})

test('what was told last and has no answer, whatever was said before and in whatever order it stands', async () => {
  const answer = (ms: number, more: object = {}) => ({ type: 'assistant', timestamp: at(ms), message: {}, ...more })
  const unanswered = (text: string) => sessions.unanswered('s-1', fingerprint(text))
  expect(await unanswered('go on')).toBeUndefined()
  transcript(user('go on', at(0)), answer(1000))
  expect(await unanswered('go on')).toBe(false)
  transcript(user('go on', at(0)), answer(1000), user('and this', at(2000)))
  expect([await unanswered('go on'), await unanswered('and this'), await unanswered('other')]).toEqual([
    false,
    true,
    false,
  ])
  // The same words once more, cut short; the work of a subagent is no answer.
  transcript(user('go on', at(0)), user('go on', at(2000)), answer(1000), answer(3000, { isSidechain: true }))
  expect(await unanswered('go on')).toBe(true)
  const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: at(2000), content: 'go on' }
  transcript(answer(1000), queued, user('no time', 'never'))
  expect([await unanswered('go on'), await unanswered('no time')]).toEqual([false, false])
})

test('who has it open, and whether he rests: only while that very process lives', async () => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  const entry = { pid: process.pid, sessionId: 's-1', procStart, kind: 'interactive' }
  const say = (more: object) =>
    writeFileSync(join(config, 'sessions', `${process.pid}.json`), JSON.stringify({ ...entry, ...more }))
  expect([await sessions.holder('s-1'), await sessions.rests('s-1')]).toEqual([undefined, undefined])
  say({ status: 'busy' })
  expect([await sessions.holder('s-1'), await sessions.rests('s-1')]).toEqual([`process ${process.pid}`, false])
  say({ status: 'idle' })
  expect([await sessions.rests('s-1'), await sessions.rests('s-2')]).toEqual([true, undefined])
  say({ status: 'idle', procStart: '1' })
  expect(await sessions.holder('s-1')).toBeUndefined()
})

test('whatever stands in a transcript, asking neither throws nor finds what is not there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json())), async (lines) => {
      writeFileSync(join(config, 'projects/-work/s-1.jsonl'), lines.join('\n'))
      expect(await took('something that nobody generates')).toBe('no')
      expect(await sessions.unanswered('s-1', fingerprint('something that nobody generates'))).toBe(false)
    }),
    { numRuns: 200 },
  )
})
