/** On a full disk a recording is refused: what was there before stays, and nothing is left that was cut short. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHAPES } from '../field/client-shapes.ts'
import { HOUR, Transcript } from '../field/transcript.ts'
import { installed, run } from '../journal/victim-runs.ts'

test('a full disk', async (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can mount a small disk for this test')
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshared = await run(['unshare', '--mount', 'true'])
  ctx.skip(unshared.code !== 0, `a mount namespace is not allowed here: ${unshared.stderr}`)

  const folder = mkdtempSync(join(tmpdir(), 'cloister-full-'))
  const transcript = new Transcript(SHAPES[8]!, 1)
  transcript.prompt('go')
  transcript.wait(HOUR)
  transcript.says('done')
  const script = join(import.meta.dirname, 'full-disk.ts')
  const argv = [process.execPath, script, join(folder, 'disk'), transcript.write(folder)]
  const { lines, stderr, code } = await run(['unshare', '--mount', ...argv])
  rmSync(folder, { recursive: true })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    problem: expect.stringMatching(/^Could not record .*ENOSPC/) as string,
    kept: 'what was there before',
    refusal: {
      code: 'failed',
      sentence: expect.stringMatching(/^It could not be written down: ENOSPC/) as string,
      hint: expect.stringContaining('Make room on the disk') as string,
    },
    left: ['ballast', 'night.jsonl', 'wrong'],
  })
})
