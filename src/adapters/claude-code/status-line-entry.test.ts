import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { statusLineEntry } from './status-line-entry.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-status-'))
  mkdirSync(join(folder, 'config'))
  mkdirSync(join(folder, 'work/.claude'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (file: string, text: unknown) =>
  writeFileSync(join(folder, file), typeof text === 'string' ? text : JSON.stringify(text))
const own = (command: string, more: object = {}) => ({ statusLine: { type: 'command', command, ...more } })
const entry = () =>
  statusLineEntry({ program: "/it's/status-line", config: join(folder, 'config'), workspace: join(folder, 'work') })

test('without a line of the user our program stands alone', async () => {
  write('config/settings.json', '{"statusLine": ')
  expect(await entry()).toEqual({ type: 'command', command: "'/it'\\''s/status-line'" })
})

test("the user's own line is kept behind it, with all that belongs to it; the nearest counts", async () => {
  write('config/settings.json', own('~/line.sh', { padding: 2, refreshInterval: 5 }))
  expect(await entry()).toEqual({
    type: 'command',
    command: "'/it'\\''s/status-line' '~/line.sh'",
    padding: 2,
    refreshInterval: 5,
  })
  write('work/.claude/settings.json', own("echo 'project'"))
  expect(await entry()).toEqual({ type: 'command', command: "'/it'\\''s/status-line' 'echo '\\''project'\\'''" })
  write('work/.claude/settings.local.json', `\uFEFF${JSON.stringify(own('local'))}`)
  expect(await entry()).toEqual({ type: 'command', command: "'/it'\\''s/status-line' 'local'" })
})
