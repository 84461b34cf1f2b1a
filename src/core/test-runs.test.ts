import { expect, test } from 'vitest'
import type { TestCounts } from '../contract/test-run.ts'
import { judgeTestRun, type TestsTold } from './test-runs.ts'

const counts = (passed: number, failed: number): { counts: TestCounts } => ({ counts: { passed, failed, skipped: 0 } })
const told = (more: Partial<TestsTold>): TestsTold => ({
  isNamed: true,
  isKnownRunner: true,
  isDoubtful: false,
  isContradictory: false,
  isEmpty: false,
  isBroken: false,
  exit: { code: undefined, provesPass: false, provesFailure: false },
  ...more,
})
const own = (code: number) => ({ exit: { code, provesPass: true, provesFailure: true } })
const foreign = (code: number) => ({ exit: { code, provesPass: false, provesFailure: false } })

const agreed = 'of several summaries that do not agree, exit code'

test.each<[string, Partial<TestsTold>, ReturnType<typeof judgeTestRun>]>([
  [
    'failures count before any exit code',
    { ...counts(3, 1), ...own(0) },
    { result: 'failed', why: 'it says that 1 failed' },
  ],
  ['all passed', { ...counts(3, 0), ...foreign(1) }, { result: 'passed', why: 'it says that 3 passed' }],
  [
    'all passed, and yet the runner failed',
    { ...counts(3, 0), ...own(1) },
    { result: 'failed', why: 'its tests passed, but it ended with exit code 1' },
  ],
  ['all passed, and something in a script failed', { ...counts(3, 0), ...own(1), isKnownRunner: false }, undefined],
  ['passed, as far as is seen', { ...counts(3, 0), ...foreign(0), isDoubtful: true }, undefined],
  [
    'passed, as far as is seen, and it ended well',
    { ...counts(3, 0), ...own(0), isDoubtful: true },
    { result: 'passed', why: 'it says that 3 passed' },
  ],
  [
    'failed, as far as is seen',
    { ...counts(3, 1), ...foreign(0), isDoubtful: true },
    { result: 'failed', why: 'it says that 1 failed' },
  ],
  ['two that do not agree', { ...counts(3, 1), ...foreign(0), isContradictory: true }, undefined],
  [
    'two that do not agree, and it ended well',
    { ...counts(3, 1), ...own(0), isContradictory: true },
    { result: 'passed', why: `${agreed} 0 decides` },
  ],
  [
    'two that do not agree, and it ended badly',
    { ...counts(3, 1), ...own(2), isContradictory: true },
    { result: 'failed', why: `${agreed} 2 decides` },
  ],
  ['nothing to run', { isEmpty: true, ...own(0) }, { result: 'not_run', why: 'it says that it ran no test' }],
  ['none counted', { ...counts(0, 0), ...own(0) }, { result: 'not_run', why: 'it says that it ran no test' }],
  ['none counted, as far as is seen', { ...counts(0, 0), ...foreign(0), isDoubtful: true }, undefined],
  ['broken', { isBroken: true, ...own(2) }, { result: 'not_run', why: 'it did not get as far as its tests' }],
  [
    'what says so is not what was run, since it ended well',
    { isBroken: true, ...own(0) },
    { result: 'passed', why: 'it ended with exit code 0' },
  ],
  ['broken, but no tests', { isBroken: true, isNamed: false, ...own(2) }, undefined],
  ['ended well', own(0), { result: 'passed', why: 'it ended with exit code 0' }],
  ['somebody ended well', foreign(0), undefined],
  ['ended, and nobody knows how', {}, undefined],
  [
    'a runner without a word',
    own(1),
    { result: 'not_run', why: 'it ended with exit code 1 before it told of any test' },
  ],
  [
    'a script without a word',
    { ...own(1), isKnownRunner: false },
    { result: 'failed', why: 'it ended with exit code 1' },
  ],
  [
    'a script that was cut off',
    { ...own(137), isKnownRunner: false },
    { result: 'not_run', why: 'it ended with exit code 137 before it told of any test' },
  ],
  ['a script whose name says nothing', { ...own(1), isNamed: false, isKnownRunner: false }, undefined],
])('%s', (_, more, judged) => {
  expect(judgeTestRun(told(more))).toEqual(judged)
})
