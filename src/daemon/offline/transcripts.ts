#!/usr/bin/env -S node --no-rehash-snapshot --no-opt --no-maglev --no-concurrent-recompilation --no-concurrent-sparkplug
/**
 * What Claude Code's transcripts in a folder say was used, by model: `transcripts <folder> [--index <file>] [--json]`.
 * With an index file only what was added since the last time is read.
 * The flags of the first line make a short run a tenth shorter: its code is over before it would be fast. A long run
 * takes some of them back (scan-folder.ts).
 */
import { scanFolder, type FolderUsage } from '../../adapters/claude-code/scan-folder.ts'
import { statOf, writeSync } from '../../adapters/claude-code/transcripts/files.ts'

const USAGE = 'Usage: transcripts <folder> [--index <file>] [--json]'

const code = await main(process.argv.slice(2))
// Not left to end by itself: clearing away what it held would take a tenth of the time of a short run. But Node waits
// for ever (nodejs/node#54918) when it is to exit while another thread compiles and wants memory for that.
if (process.execArgv.includes('--no-concurrent-recompilation')) process.exit(code)
process.exitCode = code

async function main(args: string[]): Promise<number> {
  const { folder, index, json } = read(args)
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (folder === undefined) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  try {
    const usage = await scanFolder(folder, index)
    if (usage.files === 0 && statOf(folder)?.isDirectory() !== true) {
      process.stderr.write(`There is no folder ${folder}. Name the one that holds Claude Code's projects.\n`)
      return 1
    }
    // A stream of Node's would take as long as all of the listing.
    writeSync(1, json ? `${JSON.stringify(usage)}\n` : table(usage))
    return 0
  } catch (error) {
    const { message } = error as Error
    process.stderr.write(`Could not read the transcripts in ${folder}: ${message}. Check that you may read them.\n`)
    return 1
  }
}

/** By hand: `node:util` would take a fifteenth of the time of a short run. */
function read(args: readonly string[]): { folder?: string; index?: string; json: boolean } {
  const at = args.indexOf('--index')
  const index = at === -1 ? undefined : args[at + 1]
  const [folder, ...more] = args.filter((word, n) => word !== '--json' && (at === -1 || (n !== at && n !== at + 1)))
  const isWrong =
    folder === undefined || folder.startsWith('-') || more.length > 0 || (at !== -1 && index === undefined)
  return { json: args.includes('--json'), ...(isWrong ? {} : { folder }), ...(index === undefined ? {} : { index }) }
}

function table({ files, messages, models }: FolderUsage): string {
  const rows = Object.entries(models).map(
    ([model, { input, output, cacheRead, cacheWrite5m, cacheWrite1h }]) =>
      `${model}: input ${input}, output ${output}, cache read ${cacheRead}, written ${cacheWrite5m} (5m) ${cacheWrite1h} (1h)`,
  )
  return `${[...rows, `${messages} messages in ${files} files`].join('\n')}\n`
}
