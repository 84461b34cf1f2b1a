/** `node scripts/assemble.ts`: makes scanner-bytes.ts of scanner.wat; `--check` only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleWat } from './wat.ts'

const source = join(import.meta.dirname, 'scanner.wat')
const target = join(import.meta.dirname, '../src/adapters/claude-code/transcripts/scanner-bytes.ts')

const text = program(assembleWat(readFileSync(source, 'utf8')))
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${target} was not made of ${source}. Make it anew with \`node scripts/assemble.ts\`.`)
  process.exitCode = 1
}

function program(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,100}/g)
  return [
    '/** The bytes of scripts/scanner.wat, made by `node scripts/assemble.ts`; not to be edited. */',
    'export const SCANNER_BYTES = [',
    ...(lines ?? []).map((line) => `  '${line}',`),
    "].join('')",
    '',
  ].join('\n')
}
