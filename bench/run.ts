/** `npm run -s bench -- <name>`: runs one benchmark and prints its one JSON line. */
import { readdirSync } from 'node:fs'

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .toSorted()

const [name] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`Name a benchmark: ${names.join(', ')}. Example: npm run -s bench -- ${names[0]}`)
  process.exitCode = 2
} else {
  const { run } = (await import(`./${name}.bench.ts`)) as { run: () => Promise<object> | object }
  console.log(JSON.stringify(await run()))
}
