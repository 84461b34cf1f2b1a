import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallBounds } from '../../contract/open-work.ts'
import { boundOf, callBounds, CLIENT_BOUNDS } from './call-bounds.ts'

const MINUTE = 60_000
const ours: CallBounds = {
  shellMs: 30 * MINUTE,
  shellMostMs: 40 * MINUTE,
  serverMs: 3 * MINUTE,
  servers: { slow: 90 * MINUTE },
}

test.each<[string, object, CallBounds | undefined, number | undefined]>([
  ['Bash', {}, CLIENT_BOUNDS, 2 * MINUTE],
  ['Bash', { timeout: 5000 }, CLIENT_BOUNDS, 5000],
  ['Bash', { timeout: 9_000_000 }, CLIENT_BOUNDS, 10 * MINUTE],
  ['Bash', { timeout: -1 }, CLIENT_BOUNDS, 2 * MINUTE],
  ['Bash', { timeout: '5' }, CLIENT_BOUNDS, 2 * MINUTE],
  ['Bash', { timeout: Infinity }, CLIENT_BOUNDS, 2 * MINUTE],
  ['Bash', {}, ours, 30 * MINUTE],
  ['Bash', { timeout: 9_000_000 }, ours, 40 * MINUTE],
  ['Bash', {}, undefined, undefined],
  ['Bash', { timeout: 5000 }, undefined, 5000],
  ['Task', {}, ours, undefined],
  ['Agent', {}, ours, undefined],
  ['WebFetch', {}, undefined, 5 * MINUTE],
  ['mcp__github__search', {}, CLIENT_BOUNDS, undefined],
  ['mcp__github__search', {}, ours, 3 * MINUTE],
  ['mcp__slow__search', {}, ours, 90 * MINUTE],
  ['constructor', {}, ours, undefined],
  ['mcp__constructor__x', {}, ours, 3 * MINUTE],
])('%s %j may take so long', (tool, input, bounds, boundMs) => {
  expect(boundOf({ tool, input: input as Record<string, unknown> }, bounds)).toBe(boundMs)
})

describe('what is set when a run starts', () => {
  let root: string
  const place = (env: Record<string, string> = {}) => ({
    config: join(root, '.claude'),
    workspace: join(root, 'work'),
    env: { HOME: root, ...env },
  })
  const write = (file: string, value: object) => writeFileSync(join(root, file), JSON.stringify(value))

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cloister-bounds-'))
    for (const folder of ['.claude', 'work/.claude']) mkdirSync(join(root, folder), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('nothing', async () => {
    expect(await callBounds(place())).toEqual(CLIENT_BOUNDS)
  })

  test('in the environment; settings win over it, the nearer over the farther', async () => {
    const env = { BASH_DEFAULT_TIMEOUT_MS: '1800000', MCP_TOOL_TIMEOUT: '5000x' }
    expect(await callBounds(place(env))).toEqual({ shellMs: 1_800_000, shellMostMs: 1_800_000, serverMs: 5000 })
    write('.claude/settings.json', { env: { BASH_DEFAULT_TIMEOUT_MS: '60000', BASH_MAX_TIMEOUT_MS: '7200000' } })
    expect(await callBounds(place(env))).toMatchObject({ shellMs: 60_000, shellMostMs: 7_200_000 })
    write('work/.claude/settings.json', { env: { BASH_DEFAULT_TIMEOUT_MS: '70000' } })
    write('work/.claude/settings.local.json', { env: { BASH_MAX_TIMEOUT_MS: '50000' } })
    // The larger one caps.
    expect(await callBounds(place(env))).toMatchObject({ shellMs: 70_000, shellMostMs: 70_000 })
  })

  test('of servers by their names; what is too short is none', async () => {
    const server = (timeout: unknown) => ({ command: 'x', timeout })
    write('.claude.json', { mcpServers: { db: server(5000), mail: server(6000) } })
    write('work/.mcp.json', {
      mcpServers: { db: server(8000), 'a b': server(9000), short: server(10), odd: server('9') },
    })
    expect((await callBounds(place())).servers).toEqual({ db: 8000, mail: 6000, a_b: 9000 })
  })

  test('garbage is nothing', async () => {
    for (const text of ['', '{', '[]', '{"env":3,"mcpServers":[]}', '{"env":{"BASH_DEFAULT_TIMEOUT_MS":{}}}']) {
      for (const file of ['.claude/settings.json', '.claude.json', 'work/.mcp.json'])
        writeFileSync(join(root, file), text)
      expect(await callBounds(place())).toEqual(CLIENT_BOUNDS)
    }
  })
})
