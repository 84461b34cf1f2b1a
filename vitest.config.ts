/** Unit tests lie beside the code, suites under tests. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real processes on a loaded machine: CI tries a failed test once more, and the report says that it did.
    retry: process.env['CI'] === undefined ? 0 : 1,
    pool: 'threads',
    // Most of them wait for real processes more than they work.
    maxWorkers: Math.max(3, availableParallelism()),
  },
})
