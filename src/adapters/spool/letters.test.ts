import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { letterPath } from '../../core/letters.ts'
import { FileLetters } from './letters.ts'

test('a letter lies whole where it is said to lie, for this user only; the newest fifty stay', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cloister-letters-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const letters = new FileLetters(home)
  for (let n = 0; n < 55; n += 1) await letters.leave('agent-1', `m-${n}`, `text ${n} 漢`)
  const path = letterPath(letters.folder, 'agent-1', 'm-54')
  expect(readFileSync(path, 'utf8')).toBe('text 54 漢')
  expect([statSync(path).mode & 0o777, statSync(join(home, 'letters/agent-1')).mode & 0o777]).toEqual([0o600, 0o700])
  expect(readdirSync(join(home, 'letters/agent-1'))).toHaveLength(50)
})
