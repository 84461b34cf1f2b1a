/** `pan doctor` without a daemon: what it finds, and the fix beside it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { node, program } from '../../src/daemon/offline/doctor-machine.ts'
import type { Check } from '../../src/daemon/offline/doctor-check.ts'
import { runPan } from './run-pan.ts'

let home: string

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'cloister-doctor-')), 'home')
})

afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }))

async function examined(): Promise<{ code: number; checks: Record<string, Omit<Check, 'what'>> }> {
  const { code, out } = await runPan(['doctor', '--json'], { home })
  const { checks } = JSON.parse(out) as { checks: Check[] }
  return { code, checks: Object.fromEntries(checks.map(({ what, ...rest }) => [what, rest])) }
}

test('a home that is not there yet is no failure', async () => {
  const { code, checks } = await examined()
  expect(code).toBe(0)
  expect(Object.keys(checks)).toEqual([
    'node',
    'tmux',
    'git',
    'disk',
    'home',
    'token',
    'settings',
    'hooks',
    'sentinel',
    'daemon',
  ])
  expect([checks['home'], checks['daemon']]).toEqual([
    { result: 'ok', found: `${home} is not there yet; \`pan up\` makes it` },
    { result: 'warn', found: 'none runs', fix: 'Start it with `pan up`.' },
  ])
})

test('all that is wrong with a home is found at once', async () => {
  mkdirSync(join(home, 'bin'), { recursive: true })
  chmodSync(home, 0o755)
  writeFileSync(join(home, 'token'), 'x', { mode: 0o644 })
  writeFileSync(join(home, 'cloister.yaml'), 'thresholds:\n  stale: soon\n')
  writeFileSync(join(home, 'bin/heartbeat-hook'), 'old')
  writeFileSync(join(home, 'bin/ask-hook'), 'old')
  writeFileSync(join(home, 'emergency-stop'), '')
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify({ pid: process.pid }))
  const { code, checks } = await examined()
  expect(code).toBe(1)
  const results = Object.fromEntries(Object.entries(checks).map(([what, { result }]) => [what, result]))
  expect(results).toMatchObject({
    home: 'warn',
    token: 'fail',
    settings: 'fail',
    hooks: 'warn',
    sentinel: 'warn',
    daemon: 'fail',
  })
  expect(checks['settings']?.found).toContain('cloister.yaml:2:10')
  expect(checks['home']?.fix).toBe(`Run: chmod 700 ${home}`)
})

test('it reads well', async () => {
  const { out } = await runPan(['doctor'], { home })
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^ok {4}node {6}\d+\.\d+\.\d+$/)
  expect(lines.slice(-4, -1)).toEqual([
    '                → Start it with `pan up`.',
    '',
    'Nothing fails; 2 to know about.',
  ])
})

test('programs that are missing, too old or strange fail with what to install', async () => {
  const bin = join(home, 'fake')
  mkdirSync(bin, { recursive: true })
  const tmux = { name: 'tmux', args: ['-V'], least: [3, 2], why: 'agents run in it' } as const
  const asked = () => program({ ...tmux, args: ['-V'] }, { PATH: bin })
  const fix = "Install tmux 3.2 or later, for example with your system's package manager."
  expect(await asked()).toEqual({
    what: 'tmux',
    result: 'fail',
    found: 'not found in PATH; agents run in it',
    fix,
  })
  for (const [says, check] of [
    ['echo tmux 3.1c', { result: 'fail', found: '3.1c is too old', fix }],
    ['echo tmux master', { result: 'fail', found: 'tmux -V gave no version', fix }],
    ['echo tmux 3.10', { result: 'ok', found: '3.10' }],
  ] as const) {
    writeFileSync(join(bin, 'tmux'), `#!/bin/sh\n${says}\n`, { mode: 0o755 })
    expect(await asked()).toEqual({ what: 'tmux', ...check })
  }
  expect(node('20.11.1')).toMatchObject({ result: 'fail', found: '20.11.1 is too old' })
})
