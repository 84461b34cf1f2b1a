import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installed, run } from './victim-runs.ts'

test('a full disk: commits are refused clearly, everything confirmed is kept, and it goes on when there is space', async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can mount a small disk for this test')
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshared = await run(['unshare', '--mount', 'true'])
  ctx.skip(unshared.code !== 0, `a mount namespace is not allowed here: ${unshared.stderr}`)

  const folder = mkdtempSync(join(tmpdir(), 'cloister-full-'))
  const script = join(import.meta.dirname, 'full-disk.ts')
  const { lines, stderr, code } = await run(['unshare', '--mount', process.execPath, script, join(folder, 'disk')])
  rmSync(folder, { recursive: true })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

  const report = JSON.parse(lines[0] ?? '') as { confirmed: number; error: string; next: string; kept: number[] }
  const { confirmed, kept } = report
  expect(confirmed).toBeGreaterThan(3)
  expect([confirmed, confirmed + 1]).toContain(kept.length)
  const error =
    `Error: Could not write to the journal ${join(folder, 'disk', 'home', 'cloister.db')}: database or disk is full. ` +
    `Everything up to event ${confirmed} is kept; what came after was not confirmed. ` +
    'Free space on its disk and start the daemon again.'
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  expect(report).toEqual({
    confirmed,
    error,
    next: error,
    kept: upTo(kept.length),
    openEffects: kept.length,
    after: upTo(kept.length + 1),
  })
})
