/** What ./test says when all has ended, and whether it passed. */
import type { Excuse } from './excuses.ts'
import type { Left } from './place.ts'
import type { Tally, Told } from './tally.ts'

export interface Run {
  /** How many ran. */
  gates: number
  failedGates: readonly string[]
  /** Undefined when the test runner ended without a result. */
  tally: Tally | undefined
  left: Left
  excuses: readonly Excuse[]
}

const SLOWEST = 15
const NAMED_SKIPS = 3

export function told({ failedGates, tally, left, excuses }: Run): string[] {
  return [
    ...(tally === undefined
      ? ['vitest ended without a result; its own message is above']
      : [...slowest(tally), ...skipped(tally.skipped), ...tally.retried.map((test) => secondTry(test, excuses))]),
    ...left.folders.filter(isATests).map((name) => `left in the temporary folder: ${name}`),
    ...left.processes.map((line) => `left running, now ended: ${line}`),
    ...(failedGates.length > 0
      ? [`failed gates: ${failedGates.join(', ')}; run one alone with \`npm run <gate>\``]
      : []),
  ]
}

export function verdict({ gates, failedGates, tally, left, excuses }: Run): { passed: number; failed: number } {
  if (tally === undefined) return { passed: gates - failedGates.length, failed: failedGates.length + 1 }
  const flaky = tally.retried.filter((test) => excuseOf(test, excuses) === undefined).length
  const isClean = left.folders.filter(isATests).length + left.processes.length === 0
  return {
    passed: gates - failedGates.length + tally.passed + tally.retried.length - flaky,
    failed: failedGates.length + tally.failed + flaky + Number(!isClean),
  }
}

function slowest({ files }: Tally): string[] {
  if (files.length === 0) return []
  const slow = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return ['slowest files:', ...slow.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`)]
}

/** One reason often counts for many. */
function skipped(tests: readonly Told[]): string[] {
  const byReason = Map.groupBy(tests, ({ reason }) => reason)
  return [...byReason].flatMap(([reason, same]) =>
    same.length > NAMED_SKIPS
      ? [`skipped: ${same.length} tests (${reason})`]
      : same.map(({ test }) => `skipped: ${test} (${reason})`),
  )
}

function secondTry(test: Told, excuses: readonly Excuse[]): string {
  const excuse = excuseOf(test, excuses)
  const standing = excuse === undefined ? 'failed' : `excused since ${excuse.since}: ${excuse.reason}`
  return `needed a second try (${standing}): ${test.test} (${test.reason})`
}

function excuseOf({ test }: Told, excuses: readonly Excuse[]): Excuse | undefined {
  return excuses.find((each) => each.test === test)
}

/** Not what this run itself, Node, or a Chromium that is ended puts there. */
function isATests(name: string): boolean {
  return name !== 'tally.json' && name !== 'node-compile-cache' && !name.startsWith('.org.chromium.')
}
