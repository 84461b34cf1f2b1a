/** A run of an agent's tests, as its own command showed it. */
import * as z from 'zod'

export const testRunner = z.enum([
  'vitest',
  'jest',
  'mocha',
  'node',
  'playwright',
  'bun',
  'pytest',
  'unittest',
  'cargo',
  'go',
  'maven',
  'gradle',
  'rspec',
  'phpunit',
  'dotnet',
  'ava',
  'deno',
  'cypress',
  'karma',
  'jasmine',
  'minitest',
  'pest',
  'ctest',
  'googletest',
  'swift',
  'mix',
  'sbt',
  'dart',
  'tox',
  'nox',
  /** A script of the project whose runner is not known. */
  'script',
])
export type TestRunner = z.infer<typeof testRunner>

const count = z.int().nonnegative()
export const testCounts = z.object({ passed: count, failed: count, skipped: count })
export type TestCounts = z.infer<typeof testCounts>

export const testRun = z.object({
  runner: testRunner,
  /** not_run: it found no tests, or did not get as far as them. */
  result: z.enum(['passed', 'failed', 'not_run']),
  /** Left out where the runner did not say. */
  counts: testCounts.optional(),
  /** What it was told by, in one sentence of ours. */
  why: z.string().max(200),
})
export type TestRun = z.infer<typeof testRun>
