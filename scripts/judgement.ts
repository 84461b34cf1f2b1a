/**
 * `npm run -s judgement [-- --with <folder>]`: writes docs/judgement.md from the corpus with its fixed seed, and, with a
 * folder, from the labelled recordings in it. The tests compare the page with the corpus, apart from its date.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgementPage } from '../tests/corpus/judgement.ts'
import { runCorpus } from '../tests/corpus/summary.ts'

const { values } = parseArgs({ options: { with: { type: 'string' } } })
const page = join(import.meta.dirname, '../docs/judgement.md')
const run = runCorpus(1, values.with === undefined ? {} : { fieldFolder: values.with })
writeFileSync(page, judgementPage(run, new Date().toISOString().slice(0, 10)))
console.log(`Wrote ${page}: ${run.summary.sessions} sessions, ${run.field.cases.length} from the field.`)
