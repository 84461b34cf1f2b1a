/**
 * Runs every gate and then the tests for ./test; goes on after a failure and counts a gate as one test. Whatever ends
 * it, nothing that a test made or started is left.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newerThanBuild } from '../built.ts'
import { changedTests } from './changed.ts'
import { installClients } from './clients.ts'
import { TestPlace } from './place.ts'
import { told, verdict, type Run } from './report.ts'
import type { Tally } from './tally.ts'

// Each gate is the script of this name in package.json. Tests start what the build made, so it comes first.
const gates = ['build', 'types', 'format:check', 'lint', 'rules', 'unused', 'docs:check']

const root = join(import.meta.dirname, '../..')
// Under CI=true the tools colour even a log file.
const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' }
const wanted = selected(process.argv.slice(2))

let underWay: ChildProcess | undefined
let stoppedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal
    underWay?.kill('SIGTERM')
  })
}

process.exitCode = wanted.tests?.length === 0 ? nothingToDo() : await prove()

function selected(args: string[]): { gates: readonly string[]; tests?: readonly string[] } {
  const changed = args.find((arg) => arg === '--changed' || arg.startsWith('--changed='))
  if (changed !== undefined) {
    const { tests, said } = changedTests(root, changed.slice('--changed='.length) || 'HEAD')
    for (const line of said) console.log(line)
    return { gates: [], tests }
  }
  return args.length > 0 ? { gates: [], tests: args } : { gates }
}

function nothingToDo(): number {
  console.log('0 passed, 0 failed')
  return 0
}

async function prove(): Promise<number> {
  const failedGates: string[] = []
  const ran = wanted.gates.length > 0 || newerThanBuild(root) === undefined ? wanted.gates : ['build']
  for (const name of ran) if (stoppedBy === undefined && !(await passes(name))) failedGates.push(name)
  const place = new TestPlace()
  try {
    const tally = stoppedBy === undefined ? await runVitest(place.folder) : undefined
    if (stoppedBy === undefined) return conclude({ gates: ran.length, failedGates, tally, left: await place.left() })
  } finally {
    await place.remove()
  }
  console.log(`Stopped by ${stoppedBy}: what the tests had made and started is gone.`)
  return 130
}

function conclude(run: Run): number {
  for (const line of told(run)) console.log(line)
  const { passed, failed } = verdict(run)
  // Programs read the last line, so that it has this form whatever happened.
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function passes(name: string): Promise<boolean> {
  const startedAt = performance.now()
  const { code, output } = await ended(spawn(process.execPath, ['--run', name], { cwd: root, env }))
  console.log(stepLine(name, code === 0, startedAt))
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** Undefined when it ended without a result. */
async function runVitest(folder: string): Promise<Tally | undefined> {
  const startedAt = performance.now()
  const clients = wanted.tests === undefined ? installClients() : {}
  console.log('tests')
  const file = join(folder, 'tally.json')
  const reporters = ['--reporter=default', '--reporter=./scripts/tests/tally.ts']
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...(wanted.tests ?? [])]
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit']
  const more = { CLOISTER_TALLY: file, TMPDIR: folder, ...clients }
  const { code } = await ended(spawn(process.execPath, args, { cwd: root, stdio, env: { ...env, ...more } }))
  const tally = read(file)
  console.log(stepLine('tests', code === 0, startedAt))
  return tally !== undefined && code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

function read(file: string): Tally | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Tally
  } catch {
    return undefined
  }
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  underWay = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => (output += piece.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  underWay = undefined
  return { code, output }
}

function stepLine(name: string, isOk: boolean, startedAt: number): string {
  return `${name.padEnd(14)}${isOk ? 'ok    ' : 'failed'} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}
