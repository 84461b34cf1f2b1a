/**
 * The program behind `pan replay`: tells a recorded night again, without a daemon, and says whether every decision is
 * the one that was recorded; judges a transcript as if it had been one; sums up a folder of either.
 * Exit codes: 0 it is, 1 it is not or a file is damaged, 2 wrong usage.
 */
import { parseArgs } from 'node:util'
import { complain, EXIT, fail, print, printJson } from './config-output.ts'
import { besideOf, isFolder, isRecording, mayBeTranscript } from './past-files.ts'
import { PastProgress } from './past-progress.ts'
import { pastSettings } from './past-settings.ts'
import { sleepsOf } from './past-sleeps.ts'
import { replayFile, Unreplayable } from './replay-file.ts'
import { folderLines, isBroken, replayFolder, totalOf, type Judging } from './replay-folder.ts'
import { isSame, replayJson, replayLines } from './replay-one.ts'
import { replayPast } from './replay-past.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  let parsed
  try {
    const flag = { type: 'boolean' } as const
    parsed = parseArgs({ args, allowPositionals: true, options: { json: flag, all: flag, explain: flag } })
  } catch (error) {
    fail((error as Error).message)
    return EXIT.usage
  }
  const { json = false, all = false, explain = false } = parsed.values
  const [path = ''] = parsed.positionals
  const judging = await judgingBy()
  try {
    if (isFolder(path)) return tellFolder(path, { ...judging, explain }, json)
    const replay = judging.judge(path, { sum: '', sleeps: sleepsWhereTranscript(path, judging) })
    if (json) printJson(replayJson(path, replay, { all, explain }))
    else print(...replayLines(replay, { all, explain }))
    return isSame(replay) ? EXIT.ok : EXIT.problems
  } catch (error) {
    if (!(error instanceof Unreplayable)) throw error
    if (json) printJson({ recording: path, same: false, problem: error.message })
    return fail(error.message)
  }
}

/** One that stood still together with those beside it did so wherever it is told from. */
function sleepsWhereTranscript(path: string, { sleeps }: Judging): ReadonlySet<number> | undefined {
  return isRecording(path) || !mayBeTranscript(path) ? undefined : sleeps(besideOf(path)).get(path)
}

async function judgingBy(): Promise<Judging> {
  const settings = await pastSettings(process.env, complain)
  const progress = new PastProgress()
  const nowWallAt = Date.now()
  return {
    sleeps: (paths) => sleepsOf(paths, nowWallAt, (path, bytes) => progress.read(path, bytes, 'looking for gaps')),
    judge: (path, { sum, sleeps } = { sum: '', sleeps: undefined }) => {
      if (isRecording(path) || !mayBeTranscript(path)) return replayFile(path)
      try {
        const told = (bytes: number) => progress.read(path, bytes, sum)
        return replayPast({ path, settings, nowWallAt, sleeps, progress: told })
      } finally {
        progress.end()
      }
    },
  }
}

function tellFolder(folder: string, judging: Judging, json: boolean): number {
  const replay = replayFolder(folder, judging)
  const { rows, isCut } = replay
  if (rows.length === 0) {
    const problem = `There is neither a recording nor a transcript in ${folder}. Both are files that end in .jsonl.`
    if (json) printJson({ folder, rows: [], problem })
    return fail(problem)
  }
  if (json) printJson({ folder, rows, total: totalOf(rows), ...(isCut ? { isCut } : {}) })
  else print(...folderLines(replay))
  return rows.some(isBroken) || rows.every(({ problem }) => problem !== undefined) ? EXIT.problems : EXIT.ok
}
