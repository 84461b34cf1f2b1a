/** What the test runners of Python say at their end. */
import { countsOf, field, matches, named, numberOf, totals, type Read, type Summary } from './reading.ts'

const PYTEST = /^=*[ \t]{0,4}(\d{1,7} [a-z]{1,20}(?:, .{1,150})?) in \d[\d.:]{0,12} ?s\b.{0,40}$/

/** A file that could not be read for its tests is counted as an error, though none of them was run. */
export const byPytest: Read = (lines) => {
  const isCollecting = matches(lines, /^!+ Interrupted: \d{1,6} errors? during collection !+$/).length > 0
  return isCollecting ? {} : totals(matches(lines, PYTEST).map(([, said = '']) => named(said)))
}

const UNITTEST = /^Ran (\d{1,7}) tests? in \d|^((?:OK|FAILED|NO TESTS RAN)(?: \([^)]{1,100}\))?)$/

/** How many it ran, and on a later line what came of them. */
export const byUnittest: Read = (lines, sight) => {
  const all: { ran: number; end?: string }[] = []
  for (const [, ran, end] of matches(lines, UNITTEST)) {
    const open = all.at(-1)
    if (ran !== undefined) all.push({ ran: numberOf(ran) })
    else if (open !== undefined && end !== undefined) open.end ??= end
  }
  const told = all.map(({ ran, end = '' }) => {
    const expected = field(end, 'expected failures')
    // «failures=1» ends «expected failures=1», too.
    const failed =
      field(end.replace(/expected failures/, ''), 'failures') +
      field(end, 'errors') +
      field(end, 'unexpected successes')
    const skipped = field(end, 'skipped') + expected
    return countsOf(ran - failed - skipped, failed, skipped)
  })
  return { ...totals(told), isPartial: sight !== 'all' && all.at(-1)?.end === undefined }
}

/** One line for each environment and one for all; the tests in them are told of by their own runner. */
export const byTox: Read = (lines) =>
  byEnvironments(
    // With code 5 pytest says that it found none.
    matches(lines, /^[ \t]{2}[\w.,-]{1,60}: (OK|FAIL)\b(?! code 5 )/).map(([, said]) => said === 'OK'),
    byPytest(lines, 'all'),
  )

export const byNox: Read = (lines) =>
  byEnvironments(
    matches(lines, /^nox > Session \S{1,80} (?:was )?(successful|failed)\b/).map(([, said]) => said === 'successful'),
    byPytest(lines, 'all'),
  )

function byEnvironments(ends: readonly boolean[], { counts }: Summary): Summary {
  const failed = ends.filter((isGood) => !isGood).length
  if (ends.length === 0) return {}
  if (failed > 0)
    return { counts: countsOf(counts?.passed ?? ends.length - failed, Math.max(failed, counts?.failed ?? 0)) }
  return { counts: counts !== undefined && counts.failed === 0 ? counts : countsOf(ends.length, 0) }
}
