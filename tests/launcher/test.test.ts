import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const gates = ['types', 'format:check', 'lint', 'rules', 'unused', 'docs:check', 'build']
const passing = "import { test } from 'vitest'\ntest('passes', () => {})\n"
const wavering =
  "import { test } from 'vitest'\nlet n = 0\n" +
  "test('wavers', { retry: 1 }, () => { if ((n += 1) < 2) throw new Error('not yet') })\n"
const skipping = "import { test } from 'vitest'\ntest('skips', (ctx) => ctx.skip(true, 'needs a moon'))\n"
const failing = "import { expect, test } from 'vitest'\ntest('fails', () => expect(1).toBe(2))\n"
const unloadable = "import './missing.ts'\n"

test('all gates and tests passing is counted and ends with 0', () => {
  const folder = makeProject({ gates: {}, tests: { 'a.test.ts': passing, 'b.test.ts': passing } })
  const { status, lines } = run(folder, [])
  expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: '9 passed, 0 failed' })
  expect(steps(lines)).toEqual([...gates, 'tests'].map((name) => `${name} ok`))
})

test('it goes on after failures, shows why, and counts them all', () => {
  const folder = makeProject({
    gates: { lint: 'echo a finding; exit 1' },
    tests: { 'a.test.ts': passing, 'b.test.ts': failing, 'c.test.ts': unloadable, 'd.test.ts': skipping },
  })
  const { status, lines } = run(folder, [])
  expect({ status, end: lines.slice(-3) }).toEqual({
    status: 1,
    end: [
      'skipped: skips (needs a moon)',
      'failed gates: lint; run one alone with `npm run <gate>`',
      '7 passed, 3 failed',
    ],
  })
  expect(lines).toContain('a finding')
  expect(steps(lines)).toEqual(
    [...gates, 'tests'].map((name) => `${name} ${/lint|tests/.test(name) ? 'failed' : 'ok'}`),
  )
})

test('one that passed only at its second try is named, with what was wrong at the first', () => {
  const folder = makeProject({ gates: {}, tests: { 'a.test.ts': passing, 'b.test.ts': wavering } })
  const { status, lines } = run(folder, [])
  expect({ status, end: lines.slice(-2) }).toEqual({
    status: 0,
    end: ['passed at the second try: wavers (not yet)', '9 passed, 0 failed'],
  })
})

test('with tests left out the last line keeps its form, and the reasons stand before it', () => {
  const folder = makeProject({ gates: {}, tests: { 'a.test.ts': passing, 'b.test.ts': skipping } })
  const { status, lines } = run(folder, [])
  expect({ status, end: lines.slice(-2) }).toEqual({
    status: 0,
    end: ['skipped: skips (needs a moon)', '8 passed, 0 failed'],
  })
})

test('a path runs only those tests, without the gates', () => {
  const folder = makeProject({ gates: { types: 'exit 1' }, tests: { 'a.test.ts': passing, 'b.test.ts': failing } })
  const { status, lines } = run(folder, ['a.test.ts'])
  expect({ status, last: lines.at(-1), steps: steps(lines) }).toEqual({
    status: 0,
    last: '1 passed, 0 failed',
    steps: ['tests ok'],
  })
})

/** The real ./test over stand-ins for the gates and a few tests. */
function makeProject(wanted: { gates: Record<string, string>; tests: Record<string, string> }): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-proof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tests'))
  const parts = ['test', 'package-lock.json', 'scripts/setup.sh', 'scripts/run-tests.ts', 'scripts/test-tally.ts']
  for (const part of [...parts, 'vitest.config.ts']) cpSync(join(root, part), join(folder, part))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const scripts = Object.fromEntries(gates.map((name) => [name, wanted.gates[name] ?? 'exit 0']))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }))
  for (const [file, text] of Object.entries(wanted.tests)) writeFileSync(join(folder, 'tests', file), text)
  return folder
}

function run(folder: string, args: string[]): { status: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(join(folder, 'test'), args, { encoding: 'utf8' })
  return { status, lines: stdout.trimEnd().split('\n') }
}

function steps(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, name, result] = /^(\S+) +(ok|failed) +\d+\.\d s$/.exec(line) ?? []
    return name === undefined ? [] : [`${name} ${result}`]
  })
}
