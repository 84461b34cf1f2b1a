/** The runner of the benchmarks, with benchmarks of our own beside it: what its exit code says. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const RUNNER = join(import.meta.dirname, '../../bench/run.ts')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-runner-'))
  copyFileSync(RUNNER, join(folder, 'run.ts'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})

afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['{ bench: "x", ratio: 0.1 }', { status: 0, stderr: '' }],
  ['{ bench: "x", survivors: 2, broken: ["nothing survives"] }', { status: 1, stderr: 'Broken: nothing survives.\n' }],
])('%s', (result, expected) => {
  writeFileSync(join(folder, 'x.bench.ts'), `export const run = () => (${result})`)
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, 'run.ts'), 'x'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual(expected)
  expect(JSON.parse(stdout)).toMatchObject({ bench: 'x' })
})
