/**
 * What the common test runners say at their end. Each pattern is that of a whole line, so that the name of a test or a
 * line that a program prints is rarely taken for it; of several the last counts, since a summary comes last.
 */
import type { TestCounts as Counts, TestRunner as Runner } from '../../contract/test-run.ts'

export interface Summary {
  /** Undefined when it told of none. */
  counts?: Counts
  /** It says that there was nothing to run. */
  isEmpty: boolean
  /** It says that it did not get as far as its tests. */
  isBroken: boolean
}

export function summaryIn(runner: Runner, text: string): Summary {
  const counts = runner === 'script' ? firstCounts(text) : COUNTS[runner](text)
  return {
    ...(counts === undefined ? {} : { counts }),
    isEmpty: EMPTY.test(text),
    isBroken: BROKEN.test(text),
  }
}

const EMPTY =
  /^[^\n]{0,80}(?:No test files found|No tests? found|No tests to run|There are no tests to run|no tests ran|collected 0 items|No examples found|No tests executed!|No test is available|No test matches the given|no test specified|Missing script:|0 test files matching|had no matches|matched no packages|no packages to test|\[no test files\]|\[no tests to run\]|:test NO-SOURCE|:test UP-TO-DATE|No rule to make target|Command "test\S*" not found|None of the selected packages has a "test)/m

const BROKEN =
  /^[^\n]{0,300}(?:error: could not compile|\[build failed\]|\[setup failed\]|COMPILATION ERROR|Compilation failed|:compile\w{0,40} FAILED|error TS\d{3,5}:|error CS\d{3,5}:|Test suite failed to run|errors? during collection|Interrupted: \d+ errors?|outside of examples|Startup Error|failed to load config|Build FAILED|Cannot find module|ModuleNotFoundError|ImportError while loading|command not found|No module named)/m

type Read = (text: string) => Counts | undefined

const COUNTS: Record<Exclude<Runner, 'script'>, Read> = {
  vitest: byVitest,
  jest: byJest,
  mocha: (text) => own(text, { passed: 'passing', failed: 'failing', skipped: 'pending' }),
  node: byNode,
  playwright: byPlaywright,
  bun: (text) => own(text, { passed: 'pass', failed: 'fail', skipped: 'skip' }),
  pytest: byPytest,
  unittest: byUnittest,
  cargo: byCargo,
  go: byGo,
  maven: byMaven,
  gradle: byGradle,
  rspec: (text) => byRspec(last(text, /^(\d+ examples?, \d+ failures?[^\n]{0,80})$/gm)),
  phpunit: byPhpunit,
  dotnet: byDotnet,
}

/** Of a script whose runner is not known: whichever speaks. */
function firstCounts(text: string): Counts | undefined {
  for (const read of Object.values(COUNTS)) {
    const counts = read(text)
    if (counts !== undefined) return counts
  }
  return undefined
}

function last(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1]
}

function numberOf(text: string | undefined): number {
  return text === undefined ? 0 : Math.min(Number.parseInt(text, 10) || 0, 1_000_000)
}

const WORDS: Readonly<Record<string, keyof Counts>> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  todo: 'skipped',
  xfailed: 'skipped',
  deselected: 'skipped',
}

/** `1 failed | 10 passed (13)`, `1 failed, 2 passed, 3 total` */
function named(line: string | undefined): Counts | undefined {
  if (line === undefined) return undefined
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const [, number, word = ''] of line.matchAll(/(\d{1,7}) ([a-z]{1,20})/g)) {
    const kind = WORDS[word]
    if (kind !== undefined) counts[kind] += numberOf(number)
  }
  return counts
}

function byVitest(text: string): Counts | undefined {
  const counts = named(last(text, /^[ \t]*Tests[ \t]{2,}([^\n]{1,200})$/gm))
  const files = named(last(text, /^[ \t]*Test Files[ \t]{2,}([^\n]{1,200})$/gm))
  const errors = named(last(text, /^[ \t]*Errors[ \t]{2,}([^\n]{1,200})$/gm))
  return withBroken(counts, [files, errors])
}

function byJest(text: string): Counts | undefined {
  const counts = named(last(text, /^[ \t]*Tests:[ \t]+([^\n]{1,200}\btotal)[ \t]*$/gm))
  return withBroken(counts, [named(last(text, /^[ \t]*Test Suites:[ \t]+([^\n]{1,200}\btotal)[ \t]*$/gm))])
}

/** A file that could not be loaded has no test that failed; where others passed, that is a failure all the same. */
function withBroken(counts: Counts | undefined, others: readonly (Counts | undefined)[]): Counts | undefined {
  if (counts === undefined || counts.failed > 0 || counts.passed === 0) return counts
  return { ...counts, failed: others.reduce((sum, each) => sum + (each?.failed ?? 0), 0) }
}

/** Each number on a line of its own. */
function own(text: string, words: Record<keyof Counts, string>): Counts | undefined {
  const of = (word: string) =>
    last(text, new RegExp(String.raw`^[ \t]*(\d{1,7}) ${word}(?: \([^)\n]{1,20}\))?[ \t]*$`, 'gm'))
  const [passed, failed, skipped] = [of(words.passed), of(words.failed), of(words.skipped)]
  if (passed === undefined && failed === undefined) return undefined
  return { passed: numberOf(passed), failed: numberOf(failed), skipped: numberOf(skipped) }
}

function byNode(text: string): Counts | undefined {
  const of = (word: string) => last(text, new RegExp(String.raw`^[ \t]*[#ℹ] ${word} (\d{1,7})[ \t]*$`, 'gm'))
  const [passed, failed, cancelled] = [of('pass'), of('fail'), of('cancelled')]
  if (passed === undefined || failed === undefined) return undefined
  return {
    passed: numberOf(passed),
    failed: numberOf(failed) + numberOf(cancelled),
    skipped: numberOf(of('skipped')) + numberOf(of('todo')),
  }
}

function byPlaywright(text: string): Counts | undefined {
  const counts = own(text, { passed: 'passed', failed: 'failed', skipped: 'skipped' })
  const flaky = numberOf(last(text, /^[ \t]*(\d{1,7}) flaky[ \t]*$/gm))
  if (counts === undefined) return flaky === 0 ? undefined : { passed: flaky, failed: 0, skipped: 0 }
  return { ...counts, passed: counts.passed + flaky }
}

const PYTEST = /^=*[ \t]*((?:\d+ [a-z]+(?:, )?){1,8}) in [\d.:]+ ?s\b[^\n]{0,40}$/gm

/** A file that could not be read for its tests is counted as an error, though none of them was run. */
function byPytest(text: string): Counts | undefined {
  const isCollecting = /^!+ Interrupted: \d{1,6} errors? during collection !+$/m.test(text)
  return isCollecting ? undefined : named(last(text, PYTEST))
}

function byUnittest(text: string): Counts | undefined {
  const ran = last(text, /^Ran (\d{1,7}) tests? in /gm)
  if (ran === undefined) return undefined
  const end = last(text, /^((?:OK|FAILED)(?: \([^)\n]{1,100}\))?)[ \t]*$/gm) ?? ''
  const of = (word: string) => numberOf(new RegExp(`${word}=(\\d{1,7})`).exec(end)?.[1])
  const failed = of('failures') + of('errors')
  const skipped = of('skipped')
  return { passed: Math.max(0, numberOf(ran) - failed - skipped), failed, skipped }
}

const CARGO = /^test result: (?:ok|FAILED)\. (\d{1,7}) passed; (\d{1,7}) failed; (\d{1,7}) ignored;/gm
const NEXTEST = /^[ \t]*Summary \[[^\]\n]{1,20}\][ \t]+\d{1,7} tests? run: ([^\n]{1,120})$/gm

/** One line for each crate, and one for the documentation's examples. */
function byCargo(text: string): Counts | undefined {
  const results = [...text.matchAll(CARGO)]
  if (results.length === 0) return named(last(text, NEXTEST))
  return sum(
    results.map(([, passed, failed, skipped]) => ({
      passed: numberOf(passed),
      failed: numberOf(failed),
      skipped: numberOf(skipped),
    })),
  )
}

/** Tests where they are told of, else packages. */
function byGo(text: string): Counts | undefined {
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length
  const packages = count(/^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))(?![^\n]*\[no tests to run\])/gm)
  const failed = count(/^[ \t]{0,16}--- FAIL: \S/gm)
  const failedPackages = count(/^FAIL[ \t]+\S+[ \t]+[\d.]+s/gm)
  const passed = count(/^[ \t]{0,16}--- PASS: \S/gm)
  if (packages + failed + failedPackages + passed === 0) return undefined
  return {
    passed: passed > 0 ? passed : packages,
    failed: failed > 0 ? failed : failedPackages,
    skipped: count(/^[ \t]{0,16}--- SKIP: \S/gm),
  }
}

const MAVEN =
  /^(?:\[[A-Z]+\] )?Tests run: (\d{1,7}), Failures: (\d{1,7}), Errors: (\d{1,7}), Skipped: (\d{1,7})[ \t]*$/gm

/** The line without a time is that of a whole module. */
function byMaven(text: string): Counts | undefined {
  const results = [...text.matchAll(MAVEN)]
  if (results.length === 0) return undefined
  return sum(
    results.map(([, run, failures, errors, skipped]) => {
      const failed = numberOf(failures) + numberOf(errors)
      return { passed: Math.max(0, numberOf(run) - failed - numberOf(skipped)), failed, skipped: numberOf(skipped) }
    }),
  )
}

/** It counts only when something failed. */
function byGradle(text: string): Counts | undefined {
  const found = /^(\d{1,7}) tests? completed, (\d{1,7}) failed(?:, (\d{1,7}) skipped)?/m.exec(text)
  if (found === null) return undefined
  const [run, failed, skipped] = found.slice(1).map(numberOf)
  return {
    passed: Math.max(0, (run ?? 0) - (failed ?? 0) - (skipped ?? 0)),
    failed: failed ?? 0,
    skipped: skipped ?? 0,
  }
}

function byRspec(line: string | undefined): Counts | undefined {
  if (line === undefined) return undefined
  const of = (word: string) => numberOf(new RegExp(`(\\d{1,7}) ${word}`).exec(line)?.[1])
  const [failed, skipped] = [of('failure'), of('pending')]
  return { passed: Math.max(0, of('example') - failed - skipped), failed, skipped }
}

function byPhpunit(text: string): Counts | undefined {
  const ok = last(text, /^OK \((\d{1,7}) tests?, /gm)
  if (ok !== undefined) return { passed: numberOf(ok), failed: 0, skipped: 0 }
  const line = last(text, /^(Tests: \d{1,7}, Assertions: [^\n]{1,200})$/gm)
  if (line === undefined) return undefined
  const of = (word: string) => numberOf(new RegExp(`\\b${word}: (\\d{1,7})`).exec(line)?.[1])
  const failed = of('Failures') + of('Errors')
  const skipped = of('Skipped') + of('Incomplete')
  return { passed: Math.max(0, of('Tests') - failed - skipped), failed, skipped }
}

const DOTNET = /^(?:Passed|Failed)![ \t]+- Failed:[ \t]+(\d{1,7}), Passed:[ \t]+(\d{1,7}), Skipped:[ \t]+(\d{1,7}),/gm
const DOTNET_NEW = /^Test summary: total: \d{1,7}, failed: (\d{1,7}), succeeded: (\d{1,7}), skipped: (\d{1,7})/gm

function byDotnet(text: string): Counts | undefined {
  const results = [...text.matchAll(DOTNET), ...text.matchAll(DOTNET_NEW)]
  if (results.length === 0) return undefined
  return sum(
    results.map(([, failed, passed, skipped]) => ({
      passed: numberOf(passed),
      failed: numberOf(failed),
      skipped: numberOf(skipped),
    })),
  )
}

export function sum(all: readonly Counts[]): Counts {
  return all.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }))
}
