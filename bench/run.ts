/**
 * `npm run -s bench -- <name>`: runs one benchmark and prints its one JSON line; with `--all` runs every one and writes
 * docs/figures.md. Exit codes: 0 measured, 1 one failed, or a promise that no machine is too slow for is broken
 * (`broken` names it), 2 wrong usage.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { TestPlace } from '../scripts/tests/place.ts'

interface Bench {
  run: () => Promise<Result> | Result
  /** It measures dist. */
  built?: boolean
  /** What node must be started with to run it. */
  flags?: readonly string[]
}

const STOPPED = 130

interface Result {
  broken?: readonly string[]
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .toSorted()

const HELP = `Usage: npm run -s bench -- <name> | --all

  <name>   runs one benchmark and prints one line of JSON: ${names.join(', ')}
  --all    runs every one after the other (at most 15 minutes) and writes docs/figures.md

A benchmark of the built programs builds dist first when a source is newer.

Exit codes:
  0  measured
  1  a benchmark failed or broke a promise
  2  wrong usage
  130  stopped (Ctrl-C); nothing of it is left
`

process.exitCode = await main(process.argv.slice(2))

async function main([what, ...rest]: readonly string[]): Promise<number> {
  if (what === '--help' || what === '-h') {
    process.stdout.write(HELP)
    return 0
  }
  if (what === '--all' && rest.length === 0) return (await import('./run-all.ts')).runAll(names)
  if (what !== undefined && names.includes(what) && rest.length === 0) {
    return process.env['CLOISTER_BENCH'] === what ? measure(what) : measureApart(what)
  }
  process.stderr.write(`Name a benchmark: ${names.join(', ')}. Example: npm run -s bench -- ${names[0]}\n`)
  return 2
}

/** In a process and a temporary folder of its own, so that nothing of it is left, whatever ends it. */
async function measureApart(which: string): Promise<number> {
  const { flags = [] } = (await import(`./${which}.bench.ts`)) as Bench
  const place = new TestPlace()
  const child = spawn(process.execPath, [...flags, import.meta.filename, which], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: place.folder, CLOISTER_BENCH: which },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill('SIGKILL'))
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? STOPPED
  } finally {
    await place.remove()
  }
}

async function measure(which: string): Promise<number> {
  const bench = (await import(`./${which}.bench.ts`)) as Bench
  if (bench.built === true) (await import('./ensure-built.ts')).ensureBuilt()
  const result = await bench.run()
  console.log(JSON.stringify(result))
  for (const promise of result.broken ?? []) console.error(`Broken: ${promise}.`)
  return (result.broken ?? []).length === 0 ? 0 : 1
}
