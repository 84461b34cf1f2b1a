/** What the test runners of Go, Rust, C, C++ and Swift say at their end. */
import type { TestCounts as Counts } from '../../../contract/test-run.ts'
import { countsOf, matches, named, numberOf, parts, sum, totals, type Read, type Summary } from './reading.ts'

const GO_OK = /^ok[ \t]{1,20}\S{1,300}[ \t]{1,20}(?:[\d.]{1,12}s|\(cached\))(?!.{0,100}\[no tests to run\])/
const GO_FAIL = /^FAIL[ \t]{1,20}\S{1,300}[ \t]{1,20}(?:[\d.]{1,12}s|\[(build|setup) failed\])/

/** Tests where they are told of, else packages. What cannot be built beside what passed is a failure. */
export const byGo: Read = (lines, sight) => {
  const done = matches(lines, /^DONE (?:\d{1,4} runs, )?(\d{1,7}) tests?(.{0,120}) in [\d.]{1,12}s$/).at(-1)
  if (done !== undefined) return byGotestsum(done)
  const report = byGoReport(lines)
  if (report !== undefined) return { counts: report, isPartial: sight !== 'all' }
  const count = (pattern: RegExp) => matches(lines, pattern).length
  const packages = count(GO_OK)
  const bad = matches(lines, GO_FAIL)
  const unbuilt = bad.filter(([, unready]) => unready !== undefined).length
  const failed = count(/^[ \t]{0,16}--- FAIL: \S/)
  const passed = count(/^[ \t]{0,16}--- PASS: \S/)
  const seen = packages + passed + failed + bad.length - unbuilt
  const isLost = endsInFail(lines)
  if (seen === 0) return isLost && unbuilt === 0 ? { counts: countsOf(0, 1) } : {}
  const told = failed + unbuilt > 0 ? failed + unbuilt : bad.length
  return {
    counts: countsOf(
      passed > 0 ? passed : packages,
      told === 0 && isLost ? 1 : told,
      count(/^[ \t]{0,16}--- SKIP: \S/),
    ),
    isPartial: sight === 'some',
  }
}

/** The last word on everything, after which only others speak. */
function endsInFail(lines: readonly string[]): boolean {
  const fail = lines.lastIndexOf('FAIL')
  return fail >= 0 && !lines.slice(fail).some((line) => line === 'PASS' || GO_OK.test(line))
}

/** `go test -json`: one line for each thing that happens, in any order. */
function byGoReport(lines: readonly string[]): Counts | undefined {
  const ends = matches(lines, /^\{.{0,200}"Action":"(pass|fail|skip)"(.{0,300})/)
  const count = (action: string, isTest: boolean) =>
    ends.filter(([line, said]) => said === action && line.includes('"Test":"') === isTest).length
  if (ends.length === 0) return undefined
  const [failed, packages] = [count('fail', true), count('fail', false)]
  return countsOf(count('pass', true), failed > 0 ? failed : packages, count('skip', true))
}

function byGotestsum([, tests, rest = '']: readonly (string | undefined)[]): Summary {
  const { failed, skipped } = named(rest)
  return { counts: countsOf(numberOf(tests) - failed - skipped, failed, skipped) }
}

const CARGO = /^[ \t]{0,4}test result: (?:ok|FAILED)\. (\d{1,7}) passed; (\d{1,7}) failed; (\d{1,7}) ignored;/
const NEXTEST = /^[ \t]{0,12}Summary \[[^\]]{1,20}\][ \t]{1,8}\d{1,7}(?:\/\d{1,7})? tests? run: (.{1,150})$/

/** One line for each crate, and one for the documentation's examples. What was flaky is among what passed. */
export const byCargo: Read = (lines, sight) => {
  const results = matches(lines, CARGO)
  if (results.length > 0) {
    const all = results.map(([, passed, failed, skipped]) =>
      countsOf(numberOf(passed), numberOf(failed), numberOf(skipped)),
    )
    const isFailed = matches(lines, /^error: (?:test failed|doctest failed|\d{1,5} targets? failed)\b/).length > 0
    const told = parts(all, { sight, isFailed })
    // Behind the last lines of one crate there may be tests of others.
    const isNone = sum(all).passed + sum(all).failed === 0
    return { ...told, isPartial: told.isPartial === true || (isNone && sight !== 'all') }
  }
  return totals(
    matches(lines, NEXTEST).map(([, said = '']) => {
      const counts = named(said)
      const others = /(\d{1,7}) timed out/.exec(said)?.[1]
      const unstarted = /(\d{1,7}) exec failed/.exec(said)?.[1]
      return { ...counts, failed: counts.failed + numberOf(others) + numberOf(unstarted) }
    }),
  )
}

const CTEST = /^\d{1,3}% tests passed, (\d{1,7}) tests? failed out of (\d{1,7})$/

/** What is skipped is among all, what is disabled is not. */
export const byCtest: Read = (lines) => {
  const count = (pattern: RegExp) => matches(lines, pattern).length
  const skipped = count(/^[ \t]{1,8}\d{1,6} - .{1,200} \(Skipped\)$/)
  const disabled = count(/^[ \t]{1,8}\d{1,6} - .{1,200} \((?:Disabled|Not Run \(Disabled\))\)$/)
  return totals(
    matches(lines, CTEST).map(([, failures, all]) =>
      countsOf(numberOf(all) - numberOf(failures) - skipped, numberOf(failures), skipped + disabled),
    ),
  )
}

/** A program that dies in a test has no last lines. */
export const byGoogletest: Read = (lines) => {
  const count = (pattern: RegExp) => matches(lines, pattern).length
  const numberBehind = (word: string) =>
    numberOf(matches(lines, new RegExp(String.raw`^\[ {2}${word} {0,3}\] (\d{1,7}) tests?[.,]`)).at(-1)?.[1])
  if (count(/^\[={10}\] \d{1,7} tests? from \d{1,6} test (?:suite|case)s? ran\./) > 0)
    return { counts: countsOf(numberBehind('PASSED'), numberBehind('FAILED'), numberBehind('SKIPPED')) }
  const begun = count(/^\[ RUN {6}\] \S/)
  return begun === 0 ? {} : { counts: countsOf(count(/^\[ {7}OK \] \S/), 1) }
}

const XCTEST = /^[ \t]{0,8}Executed (\d{1,7}) tests?, with (?:(\d{1,7}) tests? skipped and )?(\d{1,7}) failures? \(/
const SWIFT_TESTING =
  /^\S{0,4} ?Test run with (\d{1,7}) tests?(?: in \d{1,6} suites?)? (passed|failed) after .{1,40}?(?: with (\d{1,7}) issues?)?\.?$/

/** The older way and the newer one, each with its own end; of the older the last line is that of all suites. */
export const bySwift: Read = (lines) => {
  const old = matches(lines, XCTEST).at(-1)
  const recent = matches(lines, SWIFT_TESTING).at(-1)
  const isFailed = matches(lines, /^\*\* TEST FAILED \*\*$/).length > 0
  if (old === undefined && recent === undefined) return isFailed ? { counts: countsOf(0, 1) } : {}
  const [, tests, skips, failures] = old ?? []
  const bad = numberOf(failures)
  const [, runs, verdict, issues] = recent ?? []
  const broken = verdict === 'failed' ? Math.max(1, numberOf(issues)) : 0
  const counts = sum([
    countsOf(numberOf(tests) - bad - numberOf(skips), bad, numberOf(skips)),
    countsOf(numberOf(runs) - broken, broken),
  ])
  return { counts: isFailed && counts.failed === 0 ? { ...counts, failed: 1 } : counts }
}

/** What tools between say in one line instead: `Pytest: 3 passed, 1 failed`, `PASS (3) FAIL (1)`. */
export const byCondensed: Read = (lines) =>
  totals([
    ...matches(
      lines,
      /^(?:\S{1,2} )?(?:Go test|Pytest|cargo test|cargo nextest|RSpec|Vitest|Jest): (\d{1,7} passed.{0,120})$/,
    ).map(([, said = '']) => named(said)),
    ...matches(lines, /^PASS \((\d{1,7})\) FAIL \((\d{1,7})\)(?: skipped \((\d{1,7})\))?$/).map(
      ([, passed, failed, skipped]) => countsOf(numberOf(passed), numberOf(failed), numberOf(skipped)),
    ),
  ])
