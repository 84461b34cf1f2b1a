/** `npm run nights [-- --update] [name…]`: plays the nights; with --update shows the diff, then writes it. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { diff } from './diff.ts'
import { join, play, split } from './play.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

export function nightNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.slice(0, -'.txt'.length))
    .toSorted()
}

export function readNight(name: string): string {
  return readFileSync(`${folder}${name}.txt`, 'utf8')
}

const USAGE = `Usage: npm run nights                       play all nights
       npm run nights -- <name>…           play only these
       npm run nights -- --update [name…]  show each difference, then write it down`

async function main(args: readonly string[]): Promise<number> {
  const update = args.includes('--update')
  const wanted = args.filter((arg) => !arg.startsWith('-'))
  const complaint = misuse(args)
  if (complaint !== undefined) {
    console.error(`${complaint}\n${USAGE}`)
    return 2
  }
  let different = 0
  for (const name of nightNames()) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { script, transcript } = split(readNight(name))
    const played = await play(script)
    if (played.trim() === transcript) {
      console.log(`same       ${name}`)
      continue
    }
    different += 1
    console.log(`${update ? 'updated   ' : 'DIFFERENT '} ${name}`)
    console.log(diff(transcript, played.trim()))
    if (update) writeFileSync(`${folder}${name}.txt`, join({ script, transcript: played }))
  }
  if (different > 0) {
    console.log(
      update
        ? 'Read the difference above; commit it only if you understand every line.'
        : 'Read the difference. If it is what you meant: npm run nights -- --update',
    )
  }
  return update ? 0 : Number(different > 0)
}

/** What is wrong with the arguments, if anything. */
function misuse(args: readonly string[]): string | undefined {
  const option = args.find((arg) => arg.startsWith('-') && arg !== '--update')
  if (option !== undefined) return `There is no option ${option}.`
  const names = nightNames()
  const unknown = args.find((arg) => arg !== '--update' && !names.includes(arg))
  return unknown === undefined ? undefined : `There is no night «${unknown}». There are: ${names.join(', ')}.`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
