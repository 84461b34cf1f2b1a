/** A vitest reporter that writes what ./test counts, with why tests were skipped or tried again, to CLOISTER_TALLY's file. */
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

export interface Tally {
  passed: number
  failed: number
  skipped: Told[]
  /** Passed, but not at once. */
  retried: Told[]
}

interface Told {
  test: string
  reason: string
}

// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter from the default export
export default class TestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env['CLOISTER_TALLY']
    if (file !== undefined) writeFileSync(file, JSON.stringify(tally(modules, unhandled)))
  }
}

function tally(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  // A file that cannot be loaded or a hook that throws fails without any failed test.
  const groups = modules.flatMap((module) => [module, ...module.children.allSuites()])
  const broken = groups.filter((group) => group.errors().length > 0)
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: tests.filter((test) => test.result().state === 'failed').length + broken.length + unhandled.length,
    skipped: tests.filter((test) => test.result().state === 'skipped').map(skipped),
    retried: tests.filter((test) => test.diagnostic()?.flaky === true).map(retried),
  }
}

function skipped(test: TestCase): Told {
  const result = test.result()
  const reason = result.state === 'skipped' ? result.note : undefined
  return { test: test.fullName, reason: reason ?? 'no reason given' }
}

function retried(test: TestCase): Told {
  const [error] = test.result().errors ?? []
  const [reason = ''] = (error?.message ?? 'no error was kept').split('\n')
  return { test: test.fullName, reason }
}
