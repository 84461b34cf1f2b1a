/** Runs every gate and then the tests for ./test; goes on after a failure and counts a gate as one test. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tally } from './test-tally.ts'

// Each gate is the script of this name in package.json.
const gates = ['types', 'format:check', 'lint', 'rules', 'unused', 'docs:check', 'build']

const root = join(import.meta.dirname, '..')
// Under CI=true the tools colour even a log file.
const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' }
const filters = process.argv.slice(2)
const failedGates = filters.length > 0 ? [] : gates.filter((name) => !passes(name))
const passedGates = filters.length > 0 ? 0 : gates.length - failedGates.length

const startedAt = performance.now()
console.log('tests')
const tests = runVitest()
console.log(`${'tests'.padEnd(14)}${tests.failed === 0 ? 'ok    ' : 'failed'} ${secondsSince(startedAt)}`)

for (const { test, reason } of tests.skipped) console.log(`skipped: ${test} (${reason})`)
for (const { test, reason } of tests.retried) console.log(`passed at the second try: ${test} (${reason})`)
if (failedGates.length > 0)
  console.log(`failed gates: ${failedGates.join(', ')}; run one alone with \`npm run <gate>\``)

const failed = failedGates.length + tests.failed
// Programs read the last line, so that it has this form whatever happened.
console.log(`${passedGates + tests.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function passes(name: string): boolean {
  const gateStartedAt = performance.now()
  const { status, output } = spawnSync(process.execPath, ['--run', name], { cwd: root, env, encoding: 'utf8' })
  console.log(`${name.padEnd(14)}${status === 0 ? 'ok    ' : 'failed'} ${secondsSince(gateStartedAt)}`)
  if (status !== 0) console.log(output.filter(Boolean).join('').trimEnd())
  return status === 0
}

function runVitest(): Tally {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-test-'))
  const file = join(folder, 'tally.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/test-tally.ts']
  const { status } = spawnSync(process.execPath, [...args, ...filters], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, CLOISTER_TALLY: file },
  })
  try {
    const tally = JSON.parse(readFileSync(file, 'utf8')) as Tally
    return status !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
  } catch {
    console.log('vitest ended without a result; its own message is above')
    return { passed: 0, failed: 1, skipped: [], retried: [] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function secondsSince(at: number): string {
  return `${((performance.now() - at) / 1000).toFixed(1)} s`
}
