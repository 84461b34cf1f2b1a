import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { grownLines } from './grown-lines.ts'

test('whole lines as they come, the end of too much, a file anew, and no pipe', (ctx) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-grown-'))
  ctx.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'log')
  const read = (before?: ReturnType<typeof grownLines>) => grownLines(file, before?.place, 10)
  writeFileSync(file, 'one\ntw')
  const first = read()
  appendFileSync(file, 'o\n')
  const second = read(first)
  appendFileSync(file, 'a very long line\nend\n')
  const third = read(second)
  expect([first, second, third].map((each) => [each?.lines.toString(), each?.isSame])).toEqual([
    ['one\n', false],
    ['two\n', true],
    ['end\n', true],
  ])
  rmSync(file)
  execFileSync('mkfifo', [file])
  expect(read(third)).toBeUndefined()
})
