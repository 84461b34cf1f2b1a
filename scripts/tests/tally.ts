/**
 * A vitest reporter that writes what ./test counts to CLOISTER_TALLY's file: results, why tests were skipped or tried
 * again, and how long each file took.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

export interface Tally {
  passed: number
  failed: number
  skipped: Told[]
  /** Passed, but not at once. */
  retried: Told[]
  files: Timed[]
}

export interface Told {
  /** Its file and its full name. */
  test: string
  reason: string
}

export interface Timed {
  file: string
  seconds: number
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
  const retried = tests.filter((test) => test.diagnostic()?.flaky === true)
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length - retried.length,
    failed: tests.filter((test) => test.result().state === 'failed').length + broken.length + unhandled.length,
    skipped: tests.filter((test) => test.result().state === 'skipped').map((test) => told(test, noteOf(test))),
    retried: retried.map((test) => told(test, firstLineOf(test.result().errors?.[0]?.message ?? 'no error was kept'))),
    files: modules.map(timed),
  }
}

function told(test: TestCase, reason: string): Told {
  return { test: `${pathOf(test.module)} > ${test.fullName}`, reason }
}

function noteOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given'
}

function firstLineOf(text: string): string {
  return text.split('\n')[0] ?? ''
}

function timed(module: TestModule): Timed {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return { file: pathOf(module), seconds: (duration + collectDuration + setupDuration) / 1000 }
}

function pathOf({ moduleId, project }: TestModule): string {
  return relative(project.config.root, moduleId)
}
