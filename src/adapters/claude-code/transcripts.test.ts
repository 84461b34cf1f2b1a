import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { costOf } from '../../core/costs/reconcile.ts'
import { tierPrices } from '../prices/list-prices.ts'
import { Transcripts } from './transcripts.ts'

let home: string
let usage: Transcripts

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-usage-'))
  usage = new Transcripts({ projects: join(home, 'config/projects'), index: join(home, 'index') })
})

afterEach(async () => {
  await usage.close()
  rmSync(home, { recursive: true, force: true })
})

const OPUS = 'claude-opus-5-5'
const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function answer(id: string, output: number, model = OPUS): string {
  return record(id, { output_tokens: output }, model)
}

function record(id: string, used: object, model = OPUS, more: object = {}): string {
  const message = { id, model, usage: used }
  return `${JSON.stringify({ type: 'assistant', requestId: `req-${id}`, message, ...more })}\n`
}

function timed(ms: number, used: object): string {
  return record('a', used, OPUS, { timestamp: new Date(Date.UTC(2026, 10, 15) + ms).toISOString() })
}

/** In the folder of any project. */
function session(name: string, text: string, project = '-srv-project'): string {
  const folder = join(home, 'config/projects', project)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.jsonl`), text)
  return join(folder, `${name}.jsonl`)
}

test('a cleared session, its fork in another project and its subagents: every message once, by model', async () => {
  const first = session('s1', answer('a', 1) + answer('a', 20) + answer('b', 5, 'claude-new'))
  session('s2', answer('a', 20) + answer('c', 100), '-srv-other')
  mkdirSync(join(home, 'config/projects/-srv-project/s1/subagents'), { recursive: true })
  writeFileSync(join(home, 'config/projects/-srv-project/s1/subagents/agent-1.jsonl'), answer('d', 1000))
  expect(await usage.usageOf(['s1', 's2', 'not-begun'])).toEqual({
    sessions: ['s1', 's2'],
    models: {
      [OPUS]: { ...NOTHING, output: 1120, messages: 3 },
      'claude-new': { ...NOTHING, output: 5, messages: 1 },
    },
  })
  appendFileSync(first, answer('e', 10_000))
  expect((await usage.usageOf(['s1', 's2'])).models[OPUS]).toEqual({ ...NOTHING, output: 11_120, messages: 4 })
})

test('what was read just before the end stays counted, though its file is gone', async () => {
  const options = { projects: join(home, 'config/projects'), index: join(home, 'index') }
  const file = session('s1', answer('a', 1))
  await usage.usageOf(['s1'])
  appendFileSync(file, answer('b', 20))
  const before = await usage.usageOf(['s1'])
  await usage.close()
  rmSync(file)
  usage = new Transcripts(options)
  expect(await usage.usageOf(['s1'])).toEqual({ ...before, gone: ['s1'] })
})

test('an unfinished line counts nothing of what stands in it, before and after it is finished', async () => {
  const decoy = `{"type":"user","toolUseResult":${answer('a', 1000).trimEnd()}`
  const file = session('s1', answer('b', 5) + decoy)
  const five = { [OPUS]: { ...NOTHING, output: 5, messages: 1 } }
  expect((await usage.usageOf(['s1'])).models).toEqual(five)
  appendFileSync(file, ',"x":1}\n')
  expect((await usage.usageOf(['s1'])).models).toEqual(five)
  appendFileSync(file, answer('c', 7).trimEnd())
  expect((await usage.usageOf(['s1'])).models).toEqual({ [OPUS]: { ...NOTHING, output: 12, messages: 2 } })
})

const PARTIAL = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 1000 }
/** A gateway to another model tells at first what it guesses, then what it was told. */
const GATEWAY_FIRST = { input_tokens: 7888, output_tokens: 0 }
const GATEWAY_LAST = { input_tokens: 231, cache_read_input_tokens: 40_640, output_tokens: 114 }
const LASTING = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 7 }
const DECOY = JSON.stringify({ type: 'user', toolUseResult: { usage: { input_tokens: 999 } } })

test.each([
  [
    'a message without times by the record with the largest total',
    record('a', PARTIAL) + record('a', { ...PARTIAL, output_tokens: 20 }),
    { input: 10, output: 20, cacheRead: 1000 },
  ],
  [
    'a message by the record with the latest time, though it is smaller and stands before',
    timed(900, GATEWAY_LAST) + timed(100, GATEWAY_FIRST) + record('a', { input_tokens: 99_999 }),
    { input: 231, output: 114, cacheRead: 40_640 },
  ],
  [
    'a message by the record with the largest total where times are equal',
    timed(900, PARTIAL) + timed(900, { ...PARTIAL, output_tokens: 20 }) + timed(900, PARTIAL),
    { input: 10, output: 20, cacheRead: 1000 },
  ],
  [
    'cache writes by how long they last',
    record('c', { cache_creation_input_tokens: 107, cache_creation: LASTING }),
    { cacheWrite5m: 100, cacheWrite1h: 7 },
  ],
  [
    'cache writes that do not say how long they last',
    record('d', { cache_creation_input_tokens: 107 }),
    { cacheWrite5m: 107 },
  ],
  [
    'only what can be read',
    `\n${record('e', { input_tokens: 3 }).slice(0, 30)}\n${DECOY}\n\0\0\n{"usage":{}}\n${record('f', { input_tokens: 4, output_tokens: 'x' })}`,
    { input: 4 },
  ],
])('it counts %s', async (_, text, used) => {
  session('s1', text)
  const { models } = await usage.usageOf(['s1'])
  expect(models).toEqual({ [OPUS]: { ...NOTHING, ...used, messages: 1 } })
})

test('a later record replaces an earlier one by the difference, in another file and after a restart, too', async () => {
  const file = session('s1', timed(100, GATEWAY_FIRST))
  const models = async () => (await usage.usageOf(['s1', 's2'])).models
  expect(await models()).toEqual({ [OPUS]: { ...NOTHING, input: 7888, messages: 1 } })
  await usage.close()
  usage = new Transcripts({ projects: join(home, 'config/projects'), index: join(home, 'index') })
  session('s2', timed(900, GATEWAY_LAST))
  const last = { [OPUS]: { ...NOTHING, input: 231, cacheRead: 40_640, output: 114, messages: 1 } }
  expect(await models()).toEqual(last)
  appendFileSync(file, timed(500, { input_tokens: 99_999 }))
  expect(await models()).toEqual(last)
})

/** As the session that started a subagent tells of its answers; the record's own time is the one that counts. */
function progress(ms: number, used: object): string {
  const message = JSON.parse(timed(ms, used)) as unknown
  const data = { message, normalizedMessages: [], type: 'agent_progress', prompt: '', agentId: 'a1' }
  return `${JSON.stringify({ type: 'progress', data, toolUseID: 'agent_msg_1', timestamp: '2026-11-15T09:00:00.000Z' })}\n`
}

test('a subagent that stands only in progress records is counted once, also when its own file appears later', async () => {
  const models = async () => (await usage.usageOf(['s1'])).models
  const file = session('s1', answer('b', 5) + progress(100, PARTIAL) + progress(200, { ...PARTIAL, output_tokens: 8 }))
  expect(await models()).toEqual({ [OPUS]: { ...NOTHING, input: 10, output: 13, cacheRead: 1000, messages: 2 } })
  await usage.close()
  usage = new Transcripts({ projects: join(home, 'config/projects'), index: join(home, 'index') })
  const subagents = join(home, 'config/projects/-srv-project/s1/subagents')
  mkdirSync(subagents, { recursive: true })
  writeFileSync(join(subagents, 'agent-a1.jsonl'), timed(100, PARTIAL) + timed(300, { ...PARTIAL, output_tokens: 20 }))
  const whole = { [OPUS]: { ...NOTHING, input: 10, output: 25, cacheRead: 1000, messages: 2 } }
  expect(await models()).toEqual(whole)
  appendFileSync(file, progress(250, { ...PARTIAL, output_tokens: 9 }))
  expect(await models()).toEqual(whole)
})

test('a transcript that was deleted stays counted, its subagents too, after a restart as well; that it is gone is told', async () => {
  session('s1', answer('a', 1))
  session('s2', answer('b', 20))
  const ofFirst = join(home, 'config/projects/-srv-project/s1')
  mkdirSync(join(ofFirst, 'subagents'), { recursive: true })
  writeFileSync(join(ofFirst, 'subagents/agent-1.jsonl'), answer('c', 300))
  const before = await usage.usageOf(['s1', 's2'])
  expect(before).toEqual({ sessions: ['s1', 's2'], models: { [OPUS]: { ...NOTHING, output: 321, messages: 3 } } })
  rmSync(ofFirst, { recursive: true })
  expect(await usage.usageOf(['s1', 's2'])).toEqual(before)
  rmSync(`${ofFirst}.jsonl`)
  expect(await usage.usageOf(['s1', 's2'])).toEqual({ ...before, gone: ['s1'] })

  await usage.close()
  usage = new Transcripts({ projects: join(home, 'config/projects'), index: join(home, 'index') })
  expect(await usage.usageOf(['s1', 's2', 'agent-1'])).toEqual({ ...before, gone: ['s1'] })
})

test('of no session, of one that has not begun, and of a name that is none, nothing was used', async () => {
  expect(await usage.usageOf([])).toEqual({ models: {}, sessions: [] })
  expect(await usage.usageOf(['s1', '../../secret', ''])).toEqual({ models: {}, sessions: [] })
})

test('an answer in fast mode has its own price, and none where nobody knows it; never the usual one', async () => {
  const fast = { output_tokens: 1_000_000, speed: 'fast' }
  const usual = { output_tokens: 1_000_000, speed: 'standard' }
  session('s1', record('a', fast) + record('b', usual) + record('c', fast, 'claude-opus-4-5'))
  const all = await usage.usageOf(['s1'])
  expect(costOf({ agent: 'agent-1', at: 50, ...all }, tierPrices({}))).toMatchObject({
    models: [
      { model: 'claude-opus-4-5[fast]', messages: 1, usd: null },
      { model: OPUS, messages: 1, usd: 20 },
      { model: `${OPUS}[fast]`, messages: 1, usd: 40 },
    ],
    total: { usd: 60, unpriced: ['claude-opus-4-5[fast]'] },
    why: expect.stringContaining('claude-opus-4-5[fast]: no list price, and not in our sum.') as string,
  })
})

test('with the list prices and the total of the program it is the cost of an agent', async () => {
  session('s1', answer('a', 1_000_000))
  session('s2', answer('b', 500_000) + answer('c', 7, 'claude-new'))
  const all = await usage.usageOf(['s1', 's2'])
  const { models } = await usage.usageOf(['s2'])
  const client = { usd: 12.5, at: 40, session: 's2', models }
  expect(costOf({ agent: 'agent-1', at: 50, ...all, client }, tierPrices({}))).toMatchObject({
    sessions: ['s1', 's2'],
    models: [
      { model: 'claude-new', messages: 1, usd: null },
      { model: OPUS, messages: 2, usd: 30 },
    ],
    total: { usd: 30, unpriced: ['claude-new'] },
    client: { usd: 12.5, at: 40, session: 's2', computedUsd: 10 },
    differenceUsd: -2.5,
    differencePercent: -20,
  })
})
