/** Writes the documentation that is generated from src/contract and src/api; with --check only says which of it is stale. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { apiDocs } from './docs-api.ts'
import { configDocs } from './docs-config.ts'
import { eventDocs } from './docs-events.ts'

// Another folder than the project's can be given, which is how the check itself is tested.
const ROOT = process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? join(import.meta.dirname, '..')
const PAGES = { 'docs/api.md': apiDocs, 'docs/config.md': configDocs, 'docs/events.md': eventDocs }

const isCheck = process.argv.includes('--check')
for (const [page, make] of Object.entries(PAGES)) {
  const file = join(ROOT, page)
  const fresh = make()
  if (!isCheck) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, fresh)
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== fresh) {
    console.error(`${page} does not match its source: run \`npm run docs\` and commit the result.`)
    process.exitCode = 1
  }
}
