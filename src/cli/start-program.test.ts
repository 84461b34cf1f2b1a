import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

test.each<[string, string, { status: number; stdout: string }]>([
  ['its arguments', 'console.log(process.argv.slice(2))', { status: 0, stdout: "[ 'get', 'a b' ]\nreturned 0\n" }],
  ['its exit code', 'process.exitCode = 4', { status: 4, stdout: 'returned 4\n' }],
  [
    'a life after loading',
    "setTimeout(() => { console.log('late'); process.exitCode = 5 }, 20)",
    { status: 5, stdout: 'returned 0\nlate\n' },
  ],
])('a started program has %s', (_what, program, expected) => {
  const dist = makeDist({ 'daemon/offline/config.mjs': program })
  expect(start(dist)).toEqual({ ...expected, stderr: '' })
})

test('a missing program is named with what to do', () => {
  const dist = makeDist({})
  expect(start(dist)).toEqual({
    status: 0,
    stdout: 'returned 1\n',
    stderr: `Could not start config: ${dist}/daemon/offline/config.mjs is missing. Build with \`npm run build\`, or install again.\n`,
  })
})

function makeDist(files: Record<string, string>): string {
  const dist = mkdtempSync(join(tmpdir(), 'cloister-dist-'))
  onTestFinished(() => rmSync(dist, { recursive: true }))
  mkdirSync(join(dist, 'daemon/offline'), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dist, file), text)
  return dist
}

/** In a process of its own, because a started program takes over argv and the exit code. */
function start(dist: string): { status: number | null; stdout: string; stderr: string } {
  const script = `
    import { startProgram } from ${JSON.stringify(join(import.meta.dirname, 'start-program.ts'))}
    const entry = ${JSON.stringify(pathToFileURL(join(dist, 'cli/main.mjs')).href)}
    console.log('returned', await startProgram({ name: 'config', args: ['get', 'a b'], entry }))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
