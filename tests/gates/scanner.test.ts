/** The bytes of the scanner in the repository are those that its source gives. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('scanner-bytes.ts was made of scanner.wat', () => {
  const script = join(import.meta.dirname, '../../scripts/assemble.ts')
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('')
})
