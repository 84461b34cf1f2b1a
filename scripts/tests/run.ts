/**
 * Runs every gate and then the tests for ./test; goes on after a failure and counts a gate as one test. Whatever ends
 * it, nothing that a test made or started is left.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newerThanBuild } from '../built.ts'
import { changedTests } from './changed.ts'
import { readExcuses } from './excuses.ts'
import { TestPlace } from './place.ts'
import { told, verdict, type Run } from './report.ts'
import type { Tally } from './tally.ts'
import { WrongUsage } from './wrong-usage.ts'

// Each gate is the script of this name in package.json. Tests start what the build made, so it comes first.
const gates = ['build', 'types', 'format:check', 'lint', 'rules', 'unused', 'docs:check']
/** Those who drive a real client lie there. */
const WITH_CLIENT = /e2e|contract|claude/

const root = join(import.meta.dirname, '../..')
// Under CI=true the tools colour even a log file.
const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' }

let underWay: ChildProcess | undefined
let stoppedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stoppedBy === undefined) console.log('Stopping…')
    stoppedBy ??= signal
    endGroup(underWay)
  })
}
// Whoever read the output may have gone; what is left must be taken away all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function main(args: readonly string[]): Promise<number> {
  const excuses = readExcuses(join(root, 'tests/second-tries.json'))
  const wanted = selected(args)
  if (wanted?.length === 0) {
    console.log('0 passed, 0 failed')
    return 0
  }
  const place = new TestPlace()
  try {
    const run = await prove(wanted, place)
    if (stoppedBy === undefined) return conclude({ ...run, excuses, left: await place.left() })
  } finally {
    await place.remove()
  }
  console.log(`Stopped by ${stoppedBy}: what the tests had made and started is gone.`)
  return 130
}

/** Undefined: everything. */
function selected(args: readonly string[]): readonly string[] | undefined {
  const [first = ''] = args
  if (first !== '--changed' && !first.startsWith('--changed=')) return args.length > 0 ? args : undefined
  const { tests, said } = changedTests(root, first.slice('--changed='.length) || 'HEAD')
  for (const line of said) console.log(line)
  return tests
}

async function prove(wanted: readonly string[] | undefined, place: TestPlace) {
  const built = newerThanBuild(root) === undefined ? [] : ['build']
  const ran = wanted === undefined ? gates : built
  const failedGates: string[] = []
  for (const name of ran) if (stoppedBy === undefined && !(await passes(name))) failedGates.push(name)
  const tally = stoppedBy === undefined ? await runVitest(wanted, place.folder) : undefined
  // What was only built for the tests is no test.
  return { gates: wanted === undefined ? ran.length : failedGates.length, failedGates, tally }
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
  const { code, output } = await ended(spawn(process.execPath, ['--run', name], { cwd: root, env, detached: true }))
  if (stoppedBy !== undefined) return false
  console.log(stepLine(name, code === 0, startedAt))
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** Undefined when it ended without a result. */
async function runVitest(wanted: readonly string[] | undefined, folder: string): Promise<Tally | undefined> {
  const startedAt = performance.now()
  const clients = wanted?.every((path) => !WITH_CLIENT.test(path)) === true ? {} : await installClients()
  if (stoppedBy !== undefined) return undefined
  console.log('tests')
  const file = join(folder, 'tally.json')
  const reporters = ['--reporter=default', '--reporter=./scripts/tests/tally.ts']
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...(wanted ?? [])]
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit']
  const more = { CLOISTER_TALLY: file, TMPDIR: folder, ...clients }
  const options = { cwd: root, stdio, env: { ...env, ...more }, detached: true }
  const { code } = await ended(spawn(process.execPath, args, options))
  if (stoppedBy !== undefined) return undefined
  const tally = read(file)
  console.log(stepLine('tests', code === 0, startedAt))
  return tally !== undefined && code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

async function installClients(): Promise<Record<string, string>> {
  const program = join(import.meta.dirname, 'clients.ts')
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit']
  const { output } = await ended(spawn(process.execPath, [program], { cwd: root, env, stdio, detached: true }))
  const lines = output.trimEnd().split('\n')
  const last = lines.pop() ?? ''
  for (const line of lines) console.log(line)
  return last.startsWith('{') ? (JSON.parse(last) as Record<string, string>) : {}
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

/** A gate is a shell with a tool in it, which may not listen. */
function endGroup(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function stepLine(name: string, isOk: boolean, startedAt: number): string {
  return `${name.padEnd(14)}${isOk ? 'ok    ' : 'failed'} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}
