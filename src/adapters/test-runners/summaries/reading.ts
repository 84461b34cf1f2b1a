/** What summaries of tests are read with. Each pattern is that of a whole line; of several the last counts. */
import type { TestCounts as Counts } from '../../../contract/test-run.ts'
import type { Sight } from '../command-exit.ts'

export interface Summary {
  /** Undefined when it told of none. */
  counts?: Counts
  /** An earlier summary told of failures and the last one of none, or the other way round. */
  isMixed?: boolean
  /** All totals, one after the other, where the last is taken for the whole. */
  each?: readonly Counts[]
  /** Something that could tell of a failure is not among what is seen. */
  isPartial?: boolean
}

export type Read = (lines: readonly string[], sight: Sight) => Summary

export function matches(lines: readonly string[], pattern: RegExp): RegExpExecArray[] {
  return lines.map((line) => pattern.exec(line)).filter((found) => found !== null)
}

export function lastOf(lines: readonly string[], pattern: RegExp): string | undefined {
  return matches(lines, pattern).at(-1)?.[1]
}

export function numberOf(text: string | undefined): number {
  return text === undefined ? 0 : Math.min(Number.parseInt(text, 10) || 0, 1_000_000)
}

export function countsOf(passed: number, failed: number, skipped = 0): Counts {
  return { passed: Math.max(0, passed), failed, skipped }
}

export function sum(all: readonly Counts[]): Counts {
  return all.reduce((a, b) => countsOf(a.passed + b.passed, a.failed + b.failed, a.skipped + b.skipped), countsOf(0, 0))
}

/** Of totals one after the other the last is the run's own. */
export function totals(all: readonly Counts[]): Summary {
  const counts = all.at(-1)
  if (counts === undefined) return {}
  const kinds = new Set(all.filter(({ passed, failed }) => passed + failed > 0).map(({ failed }) => failed > 0))
  return { counts, isMixed: kinds.size > 1, each: all }
}

interface Whole {
  sight: Sight
  /** It says at its end that something failed, be it among the parts that are seen or not. */
  isFailed?: boolean
}

/** Parts that make a whole: crates, modules, projects. */
export function parts(all: readonly Counts[], { sight, isFailed = false }: Whole): Summary {
  if (all.length === 0) return {}
  const counts = sum(all)
  return { counts: isFailed && counts.failed === 0 ? { ...counts, failed: 1 } : counts, isPartial: sight === 'some' }
}

const WORDS: Readonly<Record<string, keyof Counts>> = {
  ...{ passed: 'passed', xpassed: 'passed', succeeded: 'passed', passing: 'passed', pass: 'passed' },
  ...{ failed: 'failed', error: 'failed', errors: 'failed', failure: 'failed', failures: 'failed', invalid: 'failed' },
  ...{ skipped: 'skipped', todo: 'skipped', xfailed: 'skipped', deselected: 'skipped', ignored: 'skipped' },
  ...{ incomplete: 'skipped', todos: 'skipped', pending: 'skipped', excluded: 'skipped' },
}

/** `1 failed | 10 passed (13)`, `1 failed, 2 passed, 3 total` */
export function named(text: string): Counts {
  const counts = countsOf(0, 0)
  for (const [, number, word = ''] of text.matchAll(/(\d{1,7}) ([a-z]{1,20})/g)) {
    const kind = WORDS[word]
    if (kind !== undefined) counts[kind] += numberOf(number)
  }
  return counts
}

/** Each number on a line of its own, in any order: every first word begins a new summary. */
export function stacked(
  lines: readonly string[],
  words: Readonly<Record<string, keyof Counts>>,
  begins: string,
): Counts[] {
  const pattern = new RegExp(String.raw`^[ \t]{0,12}(\d{1,7}) (${Object.keys(words).join('|')})(?: \([^)]{1,20}\))?$`)
  const all: Counts[] = []
  for (const [, number, word = ''] of matches(lines, pattern)) {
    const kind = words[word]
    if (kind === undefined) continue
    if (all.length === 0 || word === begins) all.push(countsOf(0, 0))
    const counts = all.at(-1)
    if (counts !== undefined) counts[kind] += numberOf(number)
  }
  return all
}

/** `failures: 1` or `failures=1` among others on a line. */
export function field(line: string, name: string): number {
  return numberOf(new RegExp(`\\b${name}[:=] ?(\\d{1,7})`).exec(line)?.[1])
}
