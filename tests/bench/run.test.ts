/** The runner of the benchmarks, with benchmarks of our own beside it: what its exit code says, and what it writes. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const BENCH = join(import.meta.dirname, '../../bench')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-runner-'))
  mkdirSync(join(folder, 'bench'))
  for (const file of ['run.ts', 'run-all.ts', 'figures.ts'])
    copyFileSync(join(BENCH, file), join(folder, 'bench', file))
  for (const part of ['scripts/tests/place.ts', 'scripts/tests/wrong-usage.ts', 'src/adapters/process/proc-stat.ts'])
    cpSync(join(BENCH, '..', part), join(folder, part))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})

afterEach(() => rmSync(folder, { recursive: true }))

function bench(name: string, text: string): void {
  writeFileSync(join(folder, `bench/${name}.bench.ts`), text)
}

function run(...args: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, 'bench/run.ts'), ...args], {
    encoding: 'utf8',
    // The folder is in no repository, whatever lies above it.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  })
  return { status, stderr, stdout }
}

function figures(): string {
  return readFileSync(join(folder, 'docs/figures.md'), 'utf8')
}

function commitFigures(ratio: number): void {
  mkdirSync(join(folder, 'docs'))
  const text = `| bench | ratio |\n| ----- | ----- |\n| good  | ${ratio} |\n`
  writeFileSync(join(folder, 'docs/figures.md'), text)
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args])
  git('init', '--quiet')
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'before')
}

const GOOD = 'export const run = () => ({ bench: "good", ours: 2, peer: 4, limit: 1, unit: "ms", ratio: 2 })'

test.each([
  ['{ bench: "x", ratio: 0.1 }', { status: 0, stderr: '' }],
  ['{ bench: "x", survivors: 2, broken: ["nothing survives"] }', { status: 1, stderr: 'Broken: nothing survives.\n' }],
])('%s', (result, expected) => {
  bench('x', `export const run = () => (${result})`)
  const { status, stderr, stdout } = run('x')
  expect({ status, stderr }).toEqual(expected)
  expect(JSON.parse(stdout)).toMatchObject({ bench: 'x' })
})

test('is started with the flags that it names', () => {
  bench(
    'x',
    'export const flags = ["--expose-gc"]; export const run = () => ({ bench: "x", gc: typeof globalThis.gc })',
  )
  const { status, stdout } = run('x')
  expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 0, bench: 'x', gc: 'function' })
})

test.each([[[]], [['y']], [['x', 'y']], [['--all', 'x']]])('%j is wrong usage', (args) => {
  bench('x', GOOD)
  const { status, stderr } = run(...args)
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'Name a benchmark: x. Example: npm run -s bench -- x\n',
  })
})

test('--help names them all, and the exit codes', () => {
  bench('x', GOOD)
  const { status, stdout } = run('--help')
  expect(status).toBe(0)
  expect(stdout).toContain('one line of JSON: x\n')
  expect(stdout).toContain('2  wrong usage')
})

test('--all measures every one, says how far it is, and writes the figures', () => {
  bench('good', GOOD)
  bench('other', GOOD.replace('good', 'other'))
  const { status, stderr } = run('--all')
  expect(status).toBe(0)
  expect(stderr).toMatch(/^good \(1 of 2\)… \d+ s, ratio 2\nother \(2 of 2\)… \d+ s, ratio 2\nWrote docs\/figures\.md/)
  expect(figures()).toMatch(/\| good +\| 2 +\| 4 +\| 1 +\| ms +\| 2 +\| — +\| — +\|\n\| other /)
  expect(figures()).not.toContain(folder)
})

test('--all goes on after a failure, and names it', () => {
  bench('bad', 'export const run = () => { throw new Error("no tmux here") }')
  bench('good', GOOD)
  bench('liar', 'export const run = () => ({ bench: "liar", ratio: 1, broken: ["nothing is lost"] })')
  const { status, stderr } = run('--all')
  expect(status).toBe(1)
  expect(stderr).toContain('Failed or broke a promise: bad, liar.\n')
  expect(figures()).toContain('## Broken promises\n\n- liar: nothing is lost\n')
  expect(figures()).toContain('## Not measured\n\n- bad: ended with 1. Error: no tmux here\n')
  expect(figures()).toMatch(/\| good +\| 2 /)
})

test('--all compares with the figures of the commit', () => {
  bench('good', GOOD)
  commitFigures(4)
  expect(run('--all').status).toBe(0)
  expect(figures()).toContain('| **fell: −50 %** |')
  expect(figures()).toMatch(/- Commit: [0-9a-f]{7,}\n/)
})

test('one benchmark alone writes no figures', () => {
  bench('good', GOOD)
  run('good')
  expect(existsSync(join(folder, 'docs/figures.md'))).toBe(false)
})
