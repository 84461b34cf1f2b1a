import { expect, test } from 'vitest'
import { run, RunTimeout } from './run.ts'

const node = (program: string) => [process.execPath, '-e', program]

test('gives back what a program said and how it ended', async () => {
  const said = node('console.log("out"); console.error("err"); process.exitCode = 3')
  expect(await run(said)).toEqual({ code: 3, signal: null, stdout: 'out\n', stderr: 'err\n' })
})

test('a signal is an answer too', async () => {
  const killed = node('process.kill(process.pid, "SIGKILL")')
  expect(await run(killed)).toEqual({ code: null, signal: 'SIGKILL', stdout: '', stderr: '' })
})

test('passes on arguments, environment, folder and input as they are', async () => {
  const program =
    'console.log(JSON.stringify([process.argv[1], process.env, process.cwd()])); process.stdin.pipe(process.stdout)'
  const { stdout } = await run([...node(program), '$(x); "é"'], { env: { A: '$B' }, cwd: '/', input: '🦉' })
  expect(stdout).toBe('["$(x); \\"é\\"",{"A":"$B"},"/"]\n🦉')
})

test('a program may end without reading its input', async () => {
  expect(await run(node(''), { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 })
})

test.each([
  { what: 'takes too long', argv: node('setInterval(() => {}, 1e6)'), timeoutMs: 100, error: RunTimeout },
  { what: 'says too much', argv: node('console.log("x".repeat(2000))'), maxBytes: 1000, error: /more than 1000 bytes/ },
  { what: 'is not there', argv: ['/nowhere/program'], error: /\/nowhere\/program could not be started: .*ENOENT/ },
])('rejects when the program $what', async ({ argv, error, what: _, ...options }) => {
  await expect(run(argv, options)).rejects.toThrow(error)
})
