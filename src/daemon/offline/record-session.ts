/**
 * The program behind `pan record --session`: turns transcripts of Claude Code into recordings for `pan replay`, without a
 * daemon. Only one record is in memory at a time, and no recording is larger than 64 MB.
 * Exit codes: 0 every transcript was recorded, 1 one could not be, 2 wrong usage.
 */
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { homeFolder } from '../../adapters/config-file/location.ts'
import { noCounts } from '../../adapters/claude-code/past/past-session.ts'
import type { Settings } from '../../contract/settings.ts'
import { complain, EXIT, misused, print, printJson } from './config-output.ts'
import { besideOf, isFolder, isRecording, jsonlFiles, mayBeTranscript } from './past-files.ts'
import { PastProgress } from './past-progress.ts'
import { pastSettings } from './past-settings.ts'
import { sleepsOf } from './past-sleeps.ts'
import { INFERRED_SENTENCE, unreadLines } from './past-words.ts'
import { recordPast, type RecordedPast } from './record-past.ts'

const HINT = '`pan record --help` shows how it is used.'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  let parsed
  try {
    const options = { json: { type: 'boolean' }, force: { type: 'boolean' }, out: { type: 'string' } } as const
    parsed = parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    return misused(args.includes('--json'), (error as Error).message, HINT)
  }
  const { values, positionals } = parsed
  const { json = false, force = false, out } = values
  const [path = ''] = positionals
  if (path === '') return misused(json, 'No transcript was named.', HINT)
  const settings = await pastSettings(process.env, complain)
  const recorded = recordAll({ path: resolve(path), force, out, settings })
  if (json) printJson(isFolder(path) ? { recordings: recorded.map(asJson) } : asJson(recorded[0] ?? none(path)))
  else for (const each of recorded.length === 0 ? [none(path)] : recorded) tell(each, recorded.length)
  const isWhole = recorded.length > 0 && recorded.every(({ problem }) => problem === undefined)
  return isWhole ? EXIT.ok : EXIT.problems
}

interface All {
  path: string
  out: string | undefined
  force: boolean
  settings: Settings
}

function recordAll({ path, out, force, settings }: All): RecordedPast[] {
  const folder = out ?? join(homeFolder(process.env), 'recordings')
  const isMany = isFolder(path)
  const paths = isMany ? jsonlFiles(path).files.filter((file) => !isRecording(file) && mayBeTranscript(file)) : [path]
  const progress = new PastProgress()
  const nowWallAt = Date.now()
  const told = (each: string, bytes: number) => progress.read(each, bytes, 'looking for gaps')
  // One that stood still together with others did so wherever it is told from.
  const sleeps = sleepsOf(isMany ? paths : besideOf(path), nowWallAt, told)
  const recorded = paths.map((each, n) => {
    const name = isMany ? relative(path, each).replaceAll('/', '__') : basename(each)
    const file = out !== undefined && !isMany ? resolve(out) : join(resolve(folder), named(name))
    const sum = isMany ? `${n + 1} of ${paths.length}` : undefined
    const read = (bytes: number) => progress.read(each, bytes, sum)
    return recordPast({ path: each, file, force, settings, nowWallAt, sleeps: sleeps.get(each), progress: read })
  })
  progress.end()
  return recorded
}

function named(name: string): string {
  return name.endsWith('.jsonl') ? name : `${name}.jsonl`
}

function none(path: string): RecordedPast {
  const problem = `There is no transcript in ${path}. Name one of Claude Code, or a folder of them.`
  return { transcript: path, counts: noCounts(), problem }
}

function asJson({
  transcript,
  file,
  problem,
  inputs,
  bytes,
  ended,
  fromWallAt,
  toWallAt,
  counts,
}: RecordedPast): object {
  if (problem !== undefined) return { transcript, problem, read: counts }
  const span = { from: new Date(fromWallAt ?? 0).toISOString(), to: new Date(toWallAt ?? 0).toISOString() }
  return { transcript, recording: file, inferred: true, ...span, inputs, bytes, ended, read: counts }
}

function tell({ file, problem, inputs, bytes = 0, ended, counts }: RecordedPast, many: number): void {
  if (problem !== undefined) return complain(problem)
  const size = `${counts.records} records became ${inputs} inputs, ${(bytes / 1024 / 1024).toFixed(1)} MB`
  if (many > 1) return print(`${file}: ${size}`)
  const cut = ended === 'the transcript ended' ? [] : [`It ended because ${ended}.`]
  print(`Recorded ${file}: ${size}.`, ...cut, ...unreadLines(counts), INFERRED_SENTENCE)
  print(`Judge it with: pan replay --explain ${file}`)
}
