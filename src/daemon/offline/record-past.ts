/** One transcript into one recording: written beside its name and moved there when it is whole, for its owner alone. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { noCounts, type PastCounts } from '../../adapters/claude-code/past/past-session.ts'
import type { Settings } from '../../contract/settings.ts'
import { Recorder } from '../recorder.ts'
import { playPast } from './past-night.ts'
import { INFERRED } from './past-words.ts'

export interface RecordPastGiven {
  path: string
  file: string
  force: boolean
  settings: Settings
  nowWallAt: number
  sleeps?: ReadonlySet<number> | undefined
  progress: (readBytes: number) => void
}

export interface RecordedPast {
  transcript: string
  file?: string
  inputs?: number
  bytes?: number
  /** Why the recording ended. */
  ended?: string
  fromWallAt?: number
  toWallAt?: number
  counts: PastCounts
  /** Why there is no recording. */
  problem?: string
}

export function recordPast(given: RecordPastGiven): RecordedPast {
  const { path, file, force } = given
  const counts = noCounts()
  const refused = (problem: string): RecordedPast => ({ transcript: path, counts, problem })
  if (existsSync(file) && !force)
    return refused(`${file} is there already. Write over it with --force, or name another file with --out.`)
  const part = `${file}.${process.pid}.part`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(part, { force: true })
    const recorded = write({ ...given, file: part }, counts)
    if (recorded === undefined) {
      rmSync(part, { force: true })
      return refused(`${path} holds no record of a conversation with a time. Name a transcript of Claude Code.`)
    }
    renameSync(part, file)
    return { ...recorded, file }
  } catch (error) {
    rmSync(part, { force: true })
    return refused(
      `Could not record ${path}: ${(error as Error).message}. Check that it can be read, and ${file} written.`,
    )
  }
}

function write(
  { path, file, settings, nowWallAt, sleeps, progress }: RecordPastGiven,
  counts: PastCounts,
): RecordedPast | undefined {
  let recorder: Recorder | undefined
  let fromWallAt = 0
  const played = playPast({
    ...{ path, settings, counts, nowWallAt, sleeps, progress, agent: agentOf(path) },
    begin: (world, wallAt) => {
      fromWallAt = wallAt
      recorder = new Recorder(world)
      const inferred = { transcript: basename(path), what: [...INFERRED] }
      recorder.start({ file, wallAt, monoAt: 0, about: { inferred } })
    },
    note: (input, result) => recorder?.note(input, result),
    isEnough: () => recorder?.view().recording !== true,
  })
  if (played === undefined || recorder === undefined) return undefined
  recorder.stop('the transcript ended', { read: { ...counts } })
  if (recorder.failure !== undefined) throw new Error(recorder.failure)
  const { inputs = 0, bytes = 0, ended = '' } = recorder.view().last ?? {}
  return { transcript: path, inputs, bytes, ended, fromWallAt, toWallAt: played.toWallAt, counts }
}

/** A name by which people know the session again. */
export function agentOf(path: string): string {
  const name = basename(path)
    .replace(/\.jsonl$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
  return `past-${name.slice(0, 40).replace(/^-+/, '') || 'session'}`
}
