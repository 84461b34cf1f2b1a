import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { usageOf } from './usage.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-usage-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function message(id: string, usage: object, more: object = {}): string {
  return JSON.stringify({ type: 'assistant', requestId: `req-${id}`, message: { id, usage }, ...more })
}

async function used(...lines: string[]) {
  sessions += 1
  const file = join(folder, `session-${sessions}.jsonl`)
  writeFileSync(file, lines.join('\n'))
  return usageOf(file)
}

let sessions = 0

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

test('a message counts once, by the record with the largest total', async () => {
  const first = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 1000 }
  expect(
    await used(message('a', first), message('a', { ...first, output_tokens: 20 }), message('b', { input_tokens: 5 })),
  ).toEqual({
    ...nothing,
    input: 15,
    output: 20,
    cacheRead: 1000,
  })
})

test('cache writes are told apart by how long they last', async () => {
  const cache = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 7 }
  expect(await used(message('c', { cache_creation_input_tokens: 107, cache_creation: cache }))).toEqual({
    ...nothing,
    cacheWrite5m: 100,
    cacheWrite1h: 7,
  })
  expect(await used(message('d', { cache_creation_input_tokens: 107 }))).toEqual({ ...nothing, cacheWrite5m: 107 })
})

test('what cannot be read is passed over', async () => {
  const torn = message('e', { input_tokens: 3 }).slice(0, 30)
  const decoy = JSON.stringify({ type: 'user', toolUseResult: { usage: { input_tokens: 999 } } })
  expect(
    await used('', torn, decoy, '\u0000\u0000', '{"usage":{}}', message('f', { input_tokens: 4, output_tokens: 'x' })),
  ).toEqual({
    ...nothing,
    input: 4,
  })
})

test('a message that a fork repeats counts for the session that had it first', async () => {
  const first = message('g', { input_tokens: 6 })
  expect(await used(first)).toEqual({ ...nothing, input: 6 })
  expect(await used(first, message('h', { input_tokens: 1 }))).toEqual({ ...nothing, input: 1 })
})

test('what subagents used counts for their session', async () => {
  const file = join(folder, 'parent.jsonl')
  const subagents = join(folder, 'parent', 'subagents')
  mkdirSync(subagents, { recursive: true })
  writeFileSync(file, message('i', { input_tokens: 1 }))
  writeFileSync(join(subagents, 'agent-1.jsonl'), message('j', { output_tokens: 2 }, { isSidechain: true }))
  expect(await usageOf(file)).toEqual({ ...nothing, input: 1, output: 2 })
})

test('of a session that has no file yet nothing was used', async () => {
  expect(await usageOf(join(folder, 'none.jsonl'))).toEqual(nothing)
})
