/**
 * Writes the fingerprints of what is stored and recorded to tests/formats/fingerprints.json, as far as their formats are
 * not released; with --check only says what changed without its format being raised. CONTRIBUTING.md has the checklist.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge, type Kind, type Known } from './formats/judge.ts'
import { storedKinds } from './formats/shapes.ts'

const folder = join(import.meta.dirname, '../tests/formats')
const file = join(folder, 'fingerprints.json')

const now = storedKinds()
const kept = JSON.parse(readFileSync(file, 'utf8')) as Known['kept']
const fixtures = { journal: readdirSync(join(folder, 'homes')), recording: readdirSync(join(folder, 'recordings')) }
const findings = judge({ now, kept, fixtures })
const isCheck = process.argv.includes('--check')
const told = findings.filter(({ renewable }) => isCheck || !renewable)

for (const { sentence } of told) console.error(sentence)
process.exitCode = told.length > 0 ? 1 : 0
if (!isCheck && told.length === 0) {
  const renewed = (kind: Kind) => ({ ...kept[kind], [now[kind].format]: now[kind].shapes })
  writeFileSync(
    file,
    `${JSON.stringify({ journal: renewed('journal'), recording: renewed('recording') }, undefined, 2)}\n`,
  )
}
