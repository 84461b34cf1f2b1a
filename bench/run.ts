/**
 * `npm run -s bench -- <name>`: runs one benchmark and prints its one JSON line. Exit codes: 0 measured, 1 a promise that
 * no machine is too slow for is broken (`broken` names it), 2 wrong usage.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

interface Bench {
  run: () => Promise<Result> | Result
  /** It measures dist. */
  built?: boolean
  /** What node must be started with to run it. */
  flags?: readonly string[]
}

interface Result {
  broken?: readonly string[]
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .toSorted()

const [name] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`Name a benchmark: ${names.join(', ')}. Example: npm run -s bench -- ${names[0]}`)
  process.exitCode = 2
} else {
  process.exitCode = await measure(name)
}

async function measure(which: string): Promise<number> {
  const bench = (await import(`./${which}.bench.ts`)) as Bench
  const missing = (bench.flags ?? []).filter((flag) => !process.execArgv.includes(flag))
  if (missing.length > 0) {
    const argv = [...process.execArgv, ...missing, import.meta.filename, which]
    return spawnSync(process.execPath, argv, { stdio: 'inherit' }).status ?? 1
  }
  if (bench.built === true) (await import('./ensure-built.ts')).ensureBuilt()
  const result = await bench.run()
  console.log(JSON.stringify(result))
  for (const promise of result.broken ?? []) console.error(`Broken: ${promise}.`)
  return (result.broken ?? []).length === 0 ? 0 : 1
}
