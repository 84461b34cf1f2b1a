import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkHooks, installHooks } from './install.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-install-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const FOLDERS = ['spool', 'spool/tmp', 'spool/new', 'spool/bad', 'orders', 'asks', 'bin']
const modeOf = (path: string) => (statSync(join(home, path)).mode & 0o777).toString(8)

test('an empty home lacks everything; after installing, nothing', () => {
  expect(checkHooks(home)).toEqual([
    ...FOLDERS.map((folder) => `The folder ${join(home, folder)} is missing. Run \`pan up\`, which puts it right.`),
    `The hook ${home}/bin/heartbeat-hook is missing. Run \`pan up\`, which puts it right.`,
    `The hook ${home}/bin/ask-hook is missing. Run \`pan up\`, which puts it right.`,
    `The hook ${home}/bin/status-line is missing. Run \`pan up\`, which puts it right.`,
  ])
  installHooks(home)
  expect(checkHooks(home)).toEqual([])
  const programs = ['ask-hook', 'heartbeat-hook', 'status-line']
  const made = [...FOLDERS, ...programs.map((name) => `bin/${name}`)]
  expect(made.map(modeOf)).toEqual(made.map(() => '700'))
  expect(readdirSync(join(home, 'bin')).toSorted()).toEqual(programs)
})

test('installing again changes nothing', () => {
  installHooks(home)
  const stamp = () => {
    const { ino, mtimeMs, ctimeMs } = statSync(join(home, 'bin/heartbeat-hook'))
    return { ino, mtimeMs, ctimeMs }
  }
  const before = stamp()
  installHooks(home)
  expect(stamp()).toEqual(before)
})

test.each([
  {
    what: 'another text',
    spoil: (path: string) => writeFileSync(path, '#!/bin/sh\n'),
    why: /not that of this version/,
  },
  { what: 'a mode', spoil: (path: string) => chmodSync(path, 0o600), why: /has not mode 700/ },
  {
    what: 'a link',
    spoil: (path: string) => {
      rmSync(path)
      symlinkSync('/bin/true', path)
    },
    why: /is not a file of its own/,
  },
])('a hook with $what is told and put right', ({ spoil, why }) => {
  installHooks(home)
  spoil(join(home, 'bin/heartbeat-hook'))
  expect(checkHooks(home)).toEqual([expect.stringMatching(why)])
  installHooks(home)
  expect(checkHooks(home)).toEqual([])
  expect(lstatSync('/bin/true').isFile()).toBe(true)
})

test('an open folder is told and closed', () => {
  installHooks(home)
  chmodSync(join(home, 'spool/new'), 0o777)
  expect(checkHooks(home)).toEqual([
    `${home}/spool/new has mode 777 instead of 700. Run \`pan up\`, which puts it right.`,
  ])
  installHooks(home)
  expect(checkHooks(home)).toEqual([])
})

test('a file or link in place of a folder is refused with what to do', () => {
  symlinkSync(tmpdir(), join(home, 'spool'))
  expect(() => installHooks(home)).toThrow(`Cannot prepare ${home}/spool for the hooks: it is not a folder of its own`)
  expect(checkHooks(home)[0]).toBe(`${home}/spool is not a folder. Remove it, then run \`pan up\`.`)
})
