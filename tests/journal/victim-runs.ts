/** Starts processes that are to die, and judges what they leave behind. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect } from 'vitest'
import { toRows } from '../../src/adapters/sqlite/rows.ts'
import { Store } from '../../src/adapters/sqlite/store.ts'
import { historyAfter, historyBatch } from '../contract/journal-samples.ts'

export interface Run {
  lines: string[]
  stderr: string
  code: number | null
  signal: string | null
}

/** `killAfter` lines of output the process is killed with SIGKILL. */
export function run(argv: readonly string[], killAfter = Number.POSITIVE_INFINITY): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  const [program = '', ...rest] = argv
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.split('\n').length > killAfter) child.kill('SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.on('error', reject)
  child.on('close', (code, signal) => resolve({ lines: stdout.split('\n').slice(0, -1), stderr, code, signal }))
  return promise
}

/** The program as one file: it starts in a third of the time, and a tracer has less to trace. */
export async function bundleVictim(dir: string): Promise<(...args: readonly string[]) => string[]> {
  const input = { victim: join(import.meta.dirname, 'victim.ts'), 'journal-worker': WORKER }
  const build = await rolldown({ input, platform: 'node' })
  await build.write({ dir, format: 'esm', entryFileNames: '[name].js' })
  await build.close()
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  return (...args) => [process.execPath, join(dir, 'victim.js'), ...args]
}

const WORKER = join(import.meta.dirname, '../../src/adapters/sqlite/journal-worker.ts')

/**
 * The journal holds a prefix of the history that contains everything confirmed, and can be continued.
 * Equality with the history says the rest: no event lost, doubled or out of order, no torn batch, and exactly
 * the effects without an outcome are open. Returns the number of batches, with the one that was added.
 */
export function judge(home: string, confirmed: number): number {
  const store = new Store({ home })
  const read = () => ({ recovered: store.recover(), events: store.events({ afterSeq: 0, limit: 1_000_000 }) })
  try {
    const found = read()
    const count = found.events.length / 2
    expect(count).toBeGreaterThanOrEqual(confirmed)
    expect(found).toEqual(historyAfter(count))
    store.write([toRows(historyBatch(count + 1))])
    expect(read()).toEqual(historyAfter(count + 1))
    return count + 1
  } finally {
    store.close()
  }
}

/** The highest batch that a victim said was confirmed. */
export function confirmedBy({ lines }: Run): number {
  return Math.max(0, ...lines.filter((line) => /^\d+$/.test(line)).map(Number))
}

export function installed(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
