/** The prices in the repository are those of the pinned library. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('claude-rates.ts was taken from the library', () => {
  const script = join(import.meta.dirname, '../../scripts/prices.ts')
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('')
})
