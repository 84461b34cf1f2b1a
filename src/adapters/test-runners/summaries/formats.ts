/** Which runner speaks how. No two of them say the same line, so that an unknown one is known by what it says. */
import type { Sight } from '../command-exit.ts'
import type { Runner } from '../tasks.ts'
import { byCargo, byCondensed, byCtest, byGo, byGoogletest, bySwift } from './compiled.ts'
import * as js from './javascript.ts'
import * as managed from './managed.ts'
import { byNox, byPytest, byTox, byUnittest } from './python.ts'
import type { Read, Summary } from './reading.ts'

export function summaryOf(runner: Runner, lines: readonly string[], sight: Sight): Summary {
  const summary = FORMATS[runner](lines, sight)
  return summary.counts === undefined ? byCondensed(lines, sight) : summary
}

/** Of a task whose runner is not known: all that speak, those before whom others only are parts left out. */
export function spoken(lines: readonly string[], sight: Sight): { runner: Runner | 'script'; summary: Summary }[] {
  const found = (Object.keys(FORMATS) as Runner[]).flatMap((runner) => {
    const sign = SIGNS[runner]
    if (sign !== undefined && !lines.some((line) => sign.test(line))) return []
    const summary = FORMATS[runner](lines, sight)
    return summary.counts === undefined ? [] : [{ runner, summary }]
  })
  const parts = new Set(found.flatMap(({ runner }) => PARTS[runner] ?? []))
  const own = found.filter(({ runner }) => !parts.has(runner))
  if (own.length > 0) return own
  const condensed = byCondensed(lines, sight)
  return condensed.counts === undefined ? [] : [{ runner: 'script', summary: condensed }]
}

/** Without one of these, others may say the same: a linter «2 errors», a check of the system «db: OK». */
const SIGNS: Partial<Record<Runner, RegExp>> = {
  bun: /^Ran \d{1,7} tests? across \d{1,7} files?\./,
  playwright:
    /^Running \d{1,7} tests? using|^[ \t]{2,8}\d{1,7} passed \([\d.]{1,10}m?[smh]\)$|^[ \t]{4}\[[\w -]{1,40}\] › /,
  mocha: /^[ \t]{2,12}\d{1,7} passing \(\d{1,9}m?[smh]\)$/,
  ava: /^[ \t]{2}─$|^[ \t]{2}[✔✘] /,
  go: /^(?:ok|FAIL|\?)[ \t]{1,4}\S{1,300}[ \t]|^--- (?:FAIL|PASS): \S|^DONE \d{1,7} (?:tests?|runs)\b|^\{"Time":.{0,60}"Action":"/,
  tox: /^[ \t]{2}(?:congratulations :\)|evaluation failed :\()/,
}

/** What runs others prints what they say, too. */
const PARTS: Partial<Record<Runner, readonly Runner[]>> = {
  tox: ['pytest', 'unittest'],
  nox: ['pytest', 'unittest'],
  cypress: ['mocha'],
  ctest: ['googletest'],
}

const FORMATS: Record<Runner, Read> = {
  vitest: js.byVitest,
  jest: js.byJest,
  mocha: js.byMocha,
  node: js.byNode,
  playwright: js.byPlaywright,
  bun: js.byBun,
  ava: js.byAva,
  deno: js.byDeno,
  cypress: js.byCypress,
  karma: js.byKarma,
  jasmine: js.byJasmine,
  pytest: byPytest,
  unittest: byUnittest,
  tox: byTox,
  nox: byNox,
  cargo: byCargo,
  go: byGo,
  ctest: byCtest,
  googletest: byGoogletest,
  swift: bySwift,
  maven: managed.byMaven,
  gradle: managed.byGradle,
  sbt: managed.bySbt,
  rspec: managed.byRspec,
  minitest: managed.byMinitest,
  phpunit: managed.byPhpunit,
  pest: managed.byPest,
  dotnet: managed.byDotnet,
  mix: managed.byMix,
  dart: managed.byDart,
}
