import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastWordsIn, wordsIn } from './last-words.ts'
import { claudeSessions } from './resume-session.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-words-'))
  file = join(folder, 's-1.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const said = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { model: 'claude-sonnet-5-5', content: [{ type: 'text', text }] },
  ...more,
})
const result = (content: string) => ({ type: 'user', message: { content: [{ type: 'tool_result', content }] } })

function write(...lines: (object | string)[]): void {
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
}

test('the recorded session of the client', () => {
  const recorded = readFileSync(new URL('fixtures/session.jsonl', import.meta.url), 'utf8')
  expect(wordsIn(recorded)).toEqual(['all done', 'main done', 'all done', 'recovered', 'long'])
})

test('only what the model itself said in words', async () => {
  write(
    said('first'),
    said('of a subagent', { isSidechain: true }),
    said('API Error: 529', { isApiErrorMessage: true }),
    {
      type: 'assistant',
      message: { model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] },
    },
    { type: 'assistant', message: { content: [{ type: 'thinking', thinking: 'a thought' }] } },
    { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] } },
    result('the "assistant" of a result'),
    said('  '),
    { type: 'assistant', message: { content: 'as a plain text' } },
    '{"type":"assistant","message":{"content":[{"type":"text","text":"half of a li',
  )
  expect(await lastWordsIn(file)).toEqual(['first', 'as a plain text'])
})

test('the newest few, each cut', async () => {
  write(...Array.from({ length: 9 }, (_, k) => said(`text ${k}`)), said('x'.repeat(10_000)))
  expect(await lastWordsIn(file)).toEqual(['text 5', 'text 6', 'text 7', 'text 8', `${'x'.repeat(8_000)}…`])
})

test('behind a very long result it looks further back, and not for ever', async () => {
  write(said('before'), result('y'.repeat(1_000_000)))
  expect(await lastWordsIn(file)).toEqual(['before'])
  write(said('too far'), result('y'.repeat(5_000_000)))
  expect(await lastWordsIn(file)).toEqual([])
})

test('an empty file says nothing; a missing one nobody knows of', async () => {
  write()
  expect(await lastWordsIn(file)).toEqual([])
  expect(await lastWordsIn(join(folder, 'none.jsonl'))).toBeUndefined()
  const sessions = claudeSessions({ config: folder, homeId: 'home' })
  expect(await sessions.lastWords('s-1')).toBeUndefined()
  expect(await sessions.lastWords('../s-1')).toBeUndefined()
})

test('whatever stands there, it is read within its limits', async () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.string().map((text) => JSON.stringify(said(text))),
    fc.jsonValue().map((content) => JSON.stringify({ type: 'assistant', message: { content } })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      write(...lines)
      const words = (await lastWordsIn(file)) ?? []
      expect(words.length).toBeLessThanOrEqual(5)
      expect(words.every((text) => text.trim() !== '')).toBe(true)
    }),
    { numRuns: 100 },
  )
})
