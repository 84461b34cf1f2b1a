import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hookEvents } from './hook-events.ts'
import { isAtLeast, parseVersion, versionProbe, type Version } from './version.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-version-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function program(text: string): string {
  const path = join(folder, 'claude')
  writeFileSync(path, `#!/bin/sh\necho "$@" >>'${join(folder, 'asked')}'\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}
const asked = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')

test('a program is asked once, and again when it is another one', async () => {
  const probe = versionProbe({ PATH: '/usr/bin:/bin' })
  const path = program("echo '2.1.325 (Claude Code)'")
  expect([await probe(path), await probe(path)]).toEqual([
    [2, 1, 325],
    [2, 1, 325],
  ])
  expect(asked()).toEqual(['--version'])
  program("echo '2.2.0 (Claude Code)'")
  utimesSync(path, 1, 1)
  expect(await probe(path)).toEqual([2, 2, 0])
  expect(asked()).toEqual(['--version', '--version'])
})

test.each(['exit 3', 'echo nonsense', "echo '2.1'"])('a program that says no version (%s) has none', async (text) => {
  expect(await versionProbe({})(program(text))).toBeUndefined()
})

test('where there is no program there is no version', async () => {
  expect(await versionProbe({})(join(folder, 'none'))).toBeUndefined()
})

test('versions are read from any text, and are in order', () => {
  const part = fc.nat(999_999)
  fc.assert(
    fc.property(part, part, part, fc.string(), (a, b, c, rest) => {
      const read = parseVersion(`${a}.${b}.${c} ${rest}`)
      expect(read).toEqual([a, b, c])
      expect(isAtLeast(read ?? [0, 0, 0], [a, b, c])).toBe(true)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void parseVersion(text)))
  const rows: [Version, Version, boolean][] = [
    [[2, 1, 325], [2, 1, 326], false],
    [[2, 2, 0], [2, 1, 326], true],
    [[1, 9, 9], [2, 0, 0], false],
  ]
  expect(rows.map(([a, b]) => isAtLeast(a, b))).toEqual(rows.map(([, , expected]) => expected))
})

test('a version gets the events that it knows, and no other', () => {
  const old = hookEvents([2, 0, 44])
  expect(old.reported.toSorted()).toEqual([
    'Notification',
    'PostToolUse',
    'PreCompact',
    'PreToolUse',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'SubagentStart',
    'SubagentStop',
    'UserPromptSubmit',
  ])
  expect({ ...old, reported: [] }).toEqual({ reported: [], asks: false, withArgs: false })
  expect(hookEvents(undefined)).toEqual(hookEvents([1, 0, 85]))
  expect(hookEvents([9, 0, 0])).toEqual(hookEvents([2, 1, 325]))
  expect(hookEvents([2, 1, 325])).toMatchObject({ asks: true, withArgs: true })
  expect(new Set(hookEvents([9, 0, 0]).reported).size).toBe(hookEvents([9, 0, 0]).reported.length)
})
