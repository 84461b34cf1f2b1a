/**
 * `npm run -s bench -- <name>`: runs one benchmark and prints its one JSON line. Exit codes: 0 measured, 1 a promise that
 * no machine is too slow for is broken (`broken` names it), 2 wrong usage.
 */
import { readdirSync } from 'node:fs'

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
  const { run } = (await import(`./${name}.bench.ts`)) as { run: () => Promise<Result> | Result }
  const result = await run()
  console.log(JSON.stringify(result))
  for (const promise of result.broken ?? []) console.error(`Broken: ${promise}.`)
  process.exitCode = (result.broken ?? []).length === 0 ? 0 : 1
}
