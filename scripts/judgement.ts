/**
 * `npm run -s judgement [-- --with <folder>] [--out <file>]`: writes docs/judgement.md from the corpus with its fixed seed.
 * The tests compare the page with the corpus, apart from its date. With a folder of labelled recordings the page is
 * printed, or goes to the file that is named: what people said of their own agents does not belong in the repository.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgementPage, placeOfPage } from '../tests/corpus/judgement.ts'
import { runCorpus } from '../tests/corpus/summary.ts'

const USAGE = 'Usage: npm run -s judgement [-- --with <folder>] [--out <file>]'
const PAGE = join(import.meta.dirname, '../docs/judgement.md')

process.exitCode = main()

interface Values {
  with?: string | undefined
  out?: string | undefined
  help?: boolean | undefined
}

function main(): number {
  let values: Values
  try {
    const text = { type: 'string' } as const
    ;({ values } = parseArgs({ options: { with: text, out: text, help: { type: 'boolean' } } }))
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    return 2
  }
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  const run = runCorpus(1, values.with === undefined ? {} : { fieldFolder: values.with })
  const text = judgementPage(run, new Date().toISOString().slice(0, 10))
  const file = placeOfPage(PAGE, values)
  if (file === undefined) {
    process.stdout.write(text)
    return 0
  }
  writeFileSync(file, text)
  console.log(`Wrote ${file}: ${run.summary.sessions} sessions, ${run.field.cases.length} from the field.`)
  return 0
}
