/** What the test runners of JavaScript say at their end. */
import type { TestCounts as Counts } from '../../../contract/test-run.ts'
import { countsOf, lastOf, matches, named, numberOf, stacked, sum, totals, type Read } from './reading.ts'

export const byVitest: Read = (lines, sight) =>
  byReport(lines, 'TotalTestSuites') ??
  byBlocks(
    lines,
    sight,
    /^[ \t]{0,20}(Test Files|Tests|Errors)[ \t]{2,20}(no tests|\d{1,7} (?:passed|failed|skipped|todo|errors?)\b.{0,150})$/,
  )

export const byJest: Read = (lines, sight) =>
  byReport(lines, 'FailedTestSuites') ??
  byBlocks(lines, sight, /^[ \t]{0,20}(Test Suites|Tests):[ \t]{1,20}(\d.{0,200}\btotal)$/)

/** What both write for machines, each beginning with another of its numbers. */
function byReport(lines: readonly string[], begins: string): ReturnType<Read> | undefined {
  const report = lines.findLast((line) => line.startsWith(`{"num${begins}":`)) ?? ''
  const of = (name: string) => new RegExp(String.raw`"num${name}": ?(\d{1,7})`).exec(report)?.[1]
  const [passed, failed, files] = [of('PassedTests'), of('FailedTests'), of('FailedTestSuites')]
  if (passed === undefined || failed === undefined) return undefined
  const counts = countsOf(numberOf(passed), numberOf(failed), numberOf(of('PendingTests')))
  return { counts: withBroken(counts, numberOf(files)) }
}

/** A line for files, then one for tests. A file that could not be loaded has no test that failed. */
function byBlocks(lines: readonly string[], sight: string, pattern: RegExp): ReturnType<Read> {
  const blocks: { tests?: Counts; broken: number; hasFiles: boolean }[] = []
  for (const [, what = '', said = ''] of matches(lines, pattern)) {
    const isFiles = what === 'Test Files' || what === 'Test Suites'
    const open = blocks.at(-1)
    const isNew = open === undefined || isFiles || (what === 'Tests' && open.tests !== undefined)
    const block = isNew ? { broken: 0, hasFiles: isFiles } : open
    if (isNew) blocks.push(block)
    if (what === 'Tests') block.tests = named(said)
    else block.broken += named(said).failed
  }
  const told = blocks.flatMap(({ tests, broken }) => (tests === undefined ? [] : [withBroken(tests, broken)]))
  return { ...totals(told), isPartial: sight !== 'all' && blocks.at(-1)?.hasFiles === false }
}

/** Where others passed, what could not be loaded is a failure all the same. */
function withBroken(counts: Counts, broken: number): Counts {
  return counts.failed > 0 || counts.passed === 0 ? counts : { ...counts, failed: broken }
}

export const byMocha: Read = (lines, sight) => ({
  ...totals(stacked(lines, { passing: 'passed', failing: 'failed', pending: 'skipped' }, 'passing')),
  isPartial: sight === 'some',
})

/** An error is what went wrong outside of a test. */
export const byBun: Read = (lines, sight) => {
  const words = {
    pass: 'passed',
    fail: 'failed',
    skip: 'skipped',
    todo: 'skipped',
    error: 'failed',
    errors: 'failed',
  } as const
  const all = stacked(lines, words, 'pass')
  const ran = matches(lines, /^Ran \d{1,7} tests? across \d{1,7} files?\./)
  // Files that could not be loaded, and nothing else.
  const isOnlyErrors = all.at(-1)?.passed === 0 && lastOf(lines, /^[ \t]{0,12}(\d{1,7}) fail$/) === '0'
  if (isOnlyErrors) return { counts: countsOf(0, 0) }
  return {
    ...totals(all),
    isPartial: sight === 'some' || sight === 'failures' || (sight === 'end' && ran.length === 0),
  }
}

export const byNode: Read = (lines) => {
  const all: Record<string, number>[] = []
  const words = /^[ \t]{0,8}[#ℹ] (tests|pass|fail|cancelled|skipped|todo) (\d{1,7})$/
  for (const [, word = '', number] of matches(lines, words)) {
    if (all.length === 0 || word === 'tests' || (word === 'pass' && all.at(-1)?.['pass'] !== undefined)) all.push({})
    Object.assign(all.at(-1) ?? {}, { [word]: numberOf(number) })
  }
  return totals(
    all.flatMap(({ pass, fail, cancelled = 0, skipped = 0, todo = 0 }) =>
      pass === undefined || fail === undefined ? [] : [countsOf(pass, fail + cancelled, skipped + todo)],
    ),
  )
}

/** What was flaky passed at last; what is «not a part of any test» failed outside of one. */
export const byPlaywright: Read = (lines, sight) => {
  const of = (word: string) => lastOf(lines, new RegExp(String.raw`^[ \t]{2,8}(\d{1,7}) ${word}(?: \([^)]{1,20}\))?$`))
  const [passed, failed, flaky] = [of('passed'), of('failed'), of('flaky')]
  const outside = lastOf(lines, /^[ \t]{2,8}(\d{1,7}) errors? (?:was|were) not a part of any test\b/)
  if (passed === undefined && failed === undefined && flaky === undefined && outside === undefined) return {}
  const ran = numberOf(passed) + numberOf(flaky)
  const bad = numberOf(failed) + numberOf(of('interrupted'))
  const skipped = numberOf(of('skipped')) + numberOf(of('did not run'))
  // Without a test that ran, an error outside of them is a file that could not be loaded.
  return {
    counts: countsOf(ran, bad + (ran + bad === 0 ? 0 : numberOf(outside)), skipped),
    isPartial: sight === 'some',
  }
}

export const byAva: Read = (lines, sight) => {
  const of = (words: string) => lastOf(lines, new RegExp(String.raw`^[ \t]{2,8}(\d{1,7}) (?:${words})$`))
  const [passed, failed] = [of('tests? passed'), of('tests? failed')]
  const outside = ['uncaught exceptions?', 'unhandled rejections?'].reduce((all, words) => all + numberOf(of(words)), 0)
  if (passed === undefined && failed === undefined) return {}
  return {
    counts: countsOf(
      numberOf(passed),
      numberOf(failed) + outside,
      numberOf(of('tests? skipped')) + numberOf(of('tests? todo')),
    ),
    isPartial: sight === 'some',
  }
}

const DENO = /^(?:ok|FAILED) \| (\d{1,7}) passed(?: \([^)]{1,30}\))? \| (\d{1,7}) failed(?: \([^)]{1,30}\))?(.{0,100})$/

export const byDeno: Read = (lines) =>
  totals(
    matches(lines, DENO).map(([, passed, failed, rest = '']) => {
      const skipped = numberOf(/(\d{1,7}) ignored/.exec(rest)?.[1])
      return countsOf(numberOf(passed), numberOf(failed), skipped)
    }),
  )

const CYPRESS =
  /^[ \t]{1,8}[✔✖√×] {2}(All specs passed!|\d{1,6} of \d{1,6} failed \(\d{1,3}%\))[ \t]{1,80}\S{1,12}[ \t]{1,20}(.{1,100})$/

/** The last line of its table: tests, passing, failing, pending, skipped; nothing is «-». */
export const byCypress: Read = (lines) =>
  totals(
    matches(lines, CYPRESS).map(([, verdict = '', numbers = '']) => {
      const [, passing, failing, pending, skipped] = numbers.split(/[ \t]{1,20}/).map(numberOf)
      const isFailed = !verdict.startsWith('All')
      return countsOf(passing ?? 0, isFailed ? Math.max(1, failing ?? 0) : 0, (pending ?? 0) + (skipped ?? 0))
    }),
  )

const KARMA = /^(.{1,100}): Executed (\d{1,7}) of (\d{1,7})(.{0,100})$/
const KARMA_TOTAL = /^TOTAL: (?:(\d{1,7}) FAILED, )?(\d{1,7}) SUCCESS$/

/** A line for each browser, written again and again while it runs. */
export const byKarma: Read = (lines) => {
  const browsers = new Map<string, Counts>()
  for (const [, browser = '', executed, , rest = ''] of matches(lines, KARMA)) {
    const failed = numberOf(/\((\d{1,7}) FAILED\)/.exec(rest)?.[1])
    const skipped = numberOf(/\(skipped (\d{1,7})\)/.exec(rest)?.[1])
    const isLost = /\b(?:ERROR|DISCONNECTED)\b/.test(rest) && numberOf(executed) > 0
    browsers.set(browser, countsOf(numberOf(executed) - failed - skipped, failed + (isLost ? 1 : 0), skipped))
  }
  const total = matches(lines, KARMA_TOTAL).at(-1)
  const failed = [...browsers.values()].reduce((all, each) => all + each.failed, 0)
  if (total !== undefined) return { counts: countsOf(numberOf(total[2]), Math.max(failed, numberOf(total[1]))) }
  return browsers.size === 0 ? {} : { counts: sum([...browsers.values()]) }
}

export const byJasmine: Read = (lines) =>
  totals(
    matches(lines, /^(?:Ran \d{1,7} of )?(\d{1,7}) specs?, (\d{1,7}) failures?(?:, (\d{1,7}) pending specs?)?$/).map(
      ([, specs, failures, pending]) => {
        const [failed, skipped] = [numberOf(failures), numberOf(pending)]
        return countsOf(numberOf(specs) - failed - skipped, failed, skipped)
      },
    ),
  )
