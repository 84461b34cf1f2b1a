/** Unit tests lie beside the code, suites under tests. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './scripts/tests/order.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    // A machine that does much else at the same time is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Under CI a failed test is tried once more, which tells a test that wavers from one that fails; both fail the run.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Not threads: starting a program is dearer the more memory the process has that starts it.
    pool: 'forks',
    // Nothing replaces a module or leaves something in one, so that the next file need not begin with a new process.
    isolate: false,
    // Most of them wait for real processes more than they work.
    maxWorkers: Math.max(5, availableParallelism()),
    sequence: { sequencer: LongFirst },
    setupFiles: ['tests/as-before.ts'],
  },
})
