import { expect, test } from 'vitest'
import type { FinishedView } from '../../../src/contract/finished.ts'
import { factsOf } from './finished-words.ts'

const view: FinishedView = {
  agent: 'agent-pan-18',
  wallAt: 0,
  finishedAt: '1970-01-01T00:00:00.000Z',
  lifecycle: 'idle',
  model: 'sonnet',
}
const diff = { files: 6, added: 120, removed: 2, commits: 1, base: 'main' }
const tests = { runner: 'vitest', result: 'passed', why: '' } as const

test.each<[Partial<FinishedView>, string[]]>([
  [{}, ['no tests seen']],
  [
    { branch: 'feature/pan-18', diff, tests, costUsd: 4.2 },
    ['feature/pan-18', '6 files +120 −2, 1 commit since main', 'last tests passed (vitest)', '$4.20'],
  ],
  [{ diff: { ...diff, files: 0 }, costUsd: null }, ['no change since main', 'no tests seen', 'unpriced']],
  [{ diff: { files: 1, added: 1, removed: 0, commits: 0 } }, ['1 file +1 −0, uncommitted', 'no tests seen']],
  [{ diff: { files: 0, added: 0, removed: 0, commits: 0 } }, ['nothing uncommitted', 'no tests seen']],
  [{ tests: { ...tests, result: 'not_run' }, lifecycle: 'suspended' }, ['last tests did not run (vitest)', 'sleeps']],
  [{ tests: { ...tests, runner: 'script', result: 'failed' } }, ['last tests failed']],
  [{ diff: { ...diff, uncommitted: 1 } }, ['6 files +120 −2, 1 commit since main, 1 uncommitted', 'no tests seen']],
  [{ tests: { ...tests, result: 'failed' }, lifecycle: 'stopped' }, ['last tests failed (vitest)', 'has ended']],
])('%j', (given, expected) => {
  expect(factsOf({ ...view, ...given })).toEqual(expected)
})
