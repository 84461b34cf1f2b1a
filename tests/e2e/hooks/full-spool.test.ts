import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installed, QUIET } from './hook-runs.ts'

test('a full or read-only spool: hooks stay silent and take all of stdin, and it goes on when there is room', async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can mount a small disk for this test')
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshared = await run(['unshare', '--mount', 'true'])
  ctx.skip(unshared.code !== 0, `a mount namespace is not allowed here: ${unshared.stderr}`)

  const folder = mkdtempSync(join(tmpdir(), 'cloister-full-'))
  const script = join(import.meta.dirname, 'full-spool.ts')
  const { stdout, stderr, code } = await run(['unshare', '--mount', process.execPath, script, join(folder, 'disks')])
  rmSync(folder, { recursive: true })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

  const home = join(folder, 'disks')
  expect(JSON.parse(stdout)).toEqual({
    bytes: {
      ends: [{ ...QUIET, stdout: 'order' }, QUIET, QUIET, QUIET],
      drafts: 0,
      full: [`The disk of ${home}/bytes/spool is full, so hooks cannot report. Free space on it.`],
      bodies: ['early', 'late'],
      order: expect.stringMatching(/^Nothing was handed over: the order could not be left in .*ENOSPC/) as string,
      orders: [],
    },
    inodes: { ends: [QUIET, QUIET, QUIET, QUIET], files: [[], ['new', 'tmp']] },
    readOnly: {
      ends: [QUIET, QUIET],
      offered: ['early'],
      problems: [expect.stringMatching(/^1 hook files in .* were taken but could not be removed .*EROFS/)],
    },
  })
})

function run([program = '', ...args]: string[]): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ stdout, stderr, code }))
  })
}
