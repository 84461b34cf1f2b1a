/** What the test runners of the JVM, of .NET, Ruby, PHP, Elixir and Dart say at their end. */
import { countsOf, field, lastOf, matches, named, numberOf, parts, sum, totals, type Read } from './reading.ts'

const MAVEN =
  /^(?:\[[A-Z]{1,10}\] )?Tests run: (\d{1,7}), Failures: (\d{1,7}), Errors: (\d{1,7}), Skipped: (\d{1,7})(?:, Flakes: \d{1,7})?$/

/** The line without a time is that of a whole module; what passed when it was tried again is a flake. */
export const byMaven: Read = (lines, sight) => {
  const isFailed = matches(lines, /^\[ERROR\] .{0,400}There (?:are|were) test failures/).length > 0
  const modules = matches(lines, MAVEN).map(([, run, failures, errors, skipped]) => {
    const failed = numberOf(failures) + numberOf(errors)
    return countsOf(numberOf(run) - failed - numberOf(skipped), failed, numberOf(skipped))
  })
  return parts(modules, { sight, isFailed })
}

/** It counts only when something failed. */
export const byGradle: Read = (lines, sight) => {
  const all = matches(lines, /^(\d{1,7}) tests? completed, (\d{1,7}) failed(?:, (\d{1,7}) skipped)?$/).map(
    ([, run, bad, skips]) => countsOf(numberOf(run) - numberOf(bad) - numberOf(skips), numberOf(bad), numberOf(skips)),
  )
  if (all.length > 0) return parts(all, { sight })
  const isFailed = matches(lines, /^(?:> )?There were failing tests\b/).length > 0
  return isFailed ? { counts: countsOf(0, 1) } : {}
}

const SCALATEST =
  /^(?:\[info\] )?Tests: succeeded (\d{1,7}), failed (\d{1,7}), canceled (\d{1,7}), ignored (\d{1,7}), pending (\d{1,7})$/
const SBT =
  /^\[(?:info|error)\] (?:Passed|Failed|Error): Total (\d{1,7}), Failed (\d{1,7}), Errors (\d{1,7}), Passed (\d{1,7})(.{0,80})$/

/** One for each project; what ScalaTest says itself counts before what sbt says of it. A suite that was aborted failed. */
export const bySbt: Read = (lines, sight) => {
  const aborted = matches(lines, /^(?:\[info\] )?Suites: completed \d{1,7}, aborted (\d{1,7})$/)
  const own = matches(lines, SCALATEST).map(([, ...said]) => {
    const [passed = 0, failed = 0, canceled = 0, ignored = 0, pending = 0] = said.map(numberOf)
    return countsOf(passed, failed, canceled + ignored + pending)
  })
  const lost = aborted.reduce((all, [, count]) => all + numberOf(count), 0)
  const isFailed = matches(lines, /^\[error\] .{0,200}sbt\.TestsFailedException/).length > 0
  if (own.length > 0) return parts([...own, countsOf(0, lost)], { sight, isFailed })
  return parts(
    matches(lines, SBT).map(([, , failed, errors, passed, rest = '']) =>
      countsOf(numberOf(passed), numberOf(failed) + numberOf(errors), numberOf(/Ignored (\d{1,7})/.exec(rest)?.[1])),
    ),
    { sight, isFailed },
  )
}

const DOTNET =
  /^(?:Passed|Failed|Skipped)![ \t]{1,4}- Failed:[ \t]{1,8}(\d{1,7}), Passed:[ \t]{1,8}(\d{1,7}), Skipped:[ \t]{1,8}(\d{1,7}),/
const DOTNET_TOTAL =
  /^[ \t]{0,4}Test summary: total: \d{1,7}, failed: (\d{1,7}), succeeded: (\d{1,7}), skipped: (\d{1,7})/

/** One line for each project, or one for all, or one word on each line. */
export const byDotnet: Read = (lines, sight) => {
  const counted = (found: readonly (string | undefined)[]) =>
    countsOf(numberOf(found[2]), numberOf(found[1]), numberOf(found[3]))
  const total = matches(lines, DOTNET_TOTAL).map(counted)
  if (total.length > 0) return totals(total)
  const projects = matches(lines, DOTNET).map(counted)
  if (projects.length > 0) return { ...parts(projects, { sight }), isPartial: sight === 'some' || sight === 'end' }
  const of = (word: string) => lastOf(lines, new RegExp(String.raw`^[ \t]{0,8}${word}: (\d{1,7})$`))
  const ran = of('Total tests') ?? of('total')
  const words = (...names: readonly string[]) => numberOf(names.map(of).find((each) => each !== undefined))
  if (
    ran === undefined ||
    matches(lines, /^[ \t]{0,4}Test [Rr]un (?:Successful|Failed|Aborted|summary)\b/).length === 0
  )
    return {}
  return { counts: countsOf(words('Passed', 'succeeded'), words('Failed', 'failed'), words('Skipped', 'skipped')) }
}

export const byRspec: Read = (lines) =>
  totals(
    matches(lines, /^(\d{1,7}) examples?, (\d{1,7}) failures?(?:, (\d{1,7}) pending)?(.{0,80})$/).map(
      ([, all, bad, skips, rest = '']) => {
        const ran = countsOf(numberOf(all) - numberOf(bad) - numberOf(skips), numberOf(bad), numberOf(skips))
        const outside = numberOf(/(\d{1,7}) errors? occurred outside of examples/.exec(rest)?.[1])
        return ran.passed + ran.failed === 0 ? ran : { ...ran, failed: ran.failed + outside }
      },
    ),
  )

const MINITEST =
  /^(\d{1,7}) (?:runs|tests), \d{1,7} assertions, (\d{1,7}) failures, (\d{1,7}) errors(?:, (\d{1,7}) (?:skips|pendings))?\b/

/** Of Minitest and of its older brother. */
export const byMinitest: Read = (lines) =>
  totals(
    matches(lines, MINITEST).map(([, run, failures, errors, skips]) => {
      const failed = numberOf(failures) + numberOf(errors)
      return countsOf(numberOf(run) - failed - numberOf(skips), failed, numberOf(skips))
    }),
  )

const PHPUNIT = /^OK \((\d{1,7}) tests?, |^(Tests: \d{1,7}, Assertions: .{1,200})$/

export const byPhpunit: Read = (lines) =>
  totals(
    matches(lines, PHPUNIT).map(([, ok, line = '']) => {
      if (ok !== undefined) return countsOf(numberOf(ok), 0)
      const failed = field(line, 'Failures') + field(line, 'Errors')
      const skipped = field(line, 'Skipped') + field(line, 'Incomplete')
      return countsOf(field(line, 'Tests') - failed - skipped, failed, skipped)
    }),
  )

export const byPest: Read = (lines) =>
  totals(
    matches(lines, /^[ \t]{2,4}Tests:[ \t]{1,8}(.{1,150}) \(\d{1,7} assertions?\)$/).map(([, said = '']) =>
      named(said),
    ),
  )

const EXUNIT =
  /^(?:\d{1,7} (?:doctests?|properties|property|features?), ){0,3}\d{1,7} (?:tests?|doctests?|properties|property), \d{1,7} failures?(?:, .{1,80})?$/

export const byMix: Read = (lines, sight) => {
  const all = matches(lines, EXUNIT).map(([line]) => {
    const ran = sum(
      [...line.matchAll(/(\d{1,7}) (?:doctest|test|propert|feature)/g)].map(([, count]) =>
        countsOf(numberOf(count), 0),
      ),
    )
    const { failed, skipped } = named(line)
    return countsOf(ran.passed - failed - skipped, failed, skipped)
  })
  // One for each application of an umbrella.
  return parts(all, { sight })
}

const DART =
  /^\d{2,4}:\d\d \+(\d{1,7})(?: ~(\d{1,7}))?(?: -(\d{1,7}))?: (All tests passed!|Some tests failed\.|All other tests passed!)$/

export const byDart: Read = (lines) =>
  totals(
    matches(lines, DART).map(([, passed, skipped, failed, said]) =>
      countsOf(numberOf(passed), said === 'Some tests failed.' ? Math.max(1, numberOf(failed)) : 0, numberOf(skipped)),
    ),
  )
