/** Every recording and every transcript of a folder, replayed one after the other: a row for each, and what they come to. */
import { relative } from 'node:path'
import { isoTime } from '../../core/iso-time.ts'
import { duration } from '../../core/durations.ts'
import { FILES_MOST, isRecording, jsonlFiles, mayBeTranscript } from './past-files.ts'
import type { Sleeps } from './past-sleeps.ts'
import { isSame, storyLines, timeOf } from './replay-one.ts'
import { Unreplayable, type Replay } from './replay-file.ts'
import type { PastReplay } from './replay-past.ts'
import { sumsInWords, sumsOf, type Sums } from './replay-story.ts'

export interface Row {
  file: string
  from?: string
  to?: string
  ms: number
  isInferred: boolean
  clients: readonly string[]
  inputs: number
  sums?: Sums
  same?: boolean
  /** How often it stood still together with others of the folder. */
  slept?: number
  problem?: string
  /** What would have been done when, where that was asked for. */
  story?: readonly string[]
}

export interface FolderReplay {
  rows: Row[]
  isCut: boolean
}

/** `judge` replays one file; it may throw Unreplayable. `sleeps` tells when gaps end over which a machine slept. */
export interface Judging {
  /** With the story of each. */
  explain?: boolean
  judge: (path: string, more?: { sum: string; sleeps: ReadonlySet<number> | undefined }) => Replay | PastReplay
  sleeps: (transcripts: readonly string[]) => Sleeps
}

export function replayFolder(folder: string, { judge, sleeps, explain = false }: Judging): FolderReplay {
  const { files, isCut } = jsonlFiles(folder)
  const readable = files.filter(mayBeTranscript)
  const slept = sleeps(readable.filter((path) => !isRecording(path)))
  const rows = readable.map((path, n) => {
    const file = relative(folder, path)
    try {
      const replay = judge(path, { sum: `${n + 1} of ${readable.length}`, sleeps: slept.get(path) })
      return { ...rowOf(file, replay), ...(explain && n < STORIES_MOST ? { story: storyLines(replay) } : {}) }
    } catch (error) {
      if (!(error instanceof Unreplayable)) throw error
      return { file, ms: 0, inputs: 0, clients: [], isInferred: !isRecording(path), problem: error.message }
    }
  })
  return { rows, isCut }
}

const SLEPT = '«slept»: it stood still together with others of the folder, so that time is held against nobody.'

const STORIES_MOST = 100

function rowOf(file: string, replay: Replay | PastReplay): Row {
  const { fromWallAt, toWallAt, inputs, inferred } = replay
  return {
    ...{ file, from: isoTime(fromWallAt), to: isoTime(toWallAt), ms: toWallAt - fromWallAt, inputs },
    clients: 'counts' in replay ? replay.counts.clients : [],
    isInferred: inferred !== undefined,
    sums: sumsOf(replay),
    same: isSame(replay),
    ...('counts' in replay && replay.counts.slept > 0 ? { slept: replay.counts.slept } : {}),
  }
}

/** Of a recording: a decision is another one now, or it is damaged. Of a transcript nothing is compared. */
export function isBroken({ problem, same, isInferred }: Row): boolean {
  return !isInferred && (problem !== undefined || same === false)
}

export function folderLines({ rows, isCut }: FolderReplay): string[] {
  const cells = rows.map(cellsOf)
  const widths = HEADINGS.map((heading, n) => Math.max(heading.length, ...cells.map((row) => row[n]?.length ?? 0)))
  const shown = [HEADINGS, ...cells].map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const inferred = rows.filter(({ isInferred, problem }) => isInferred && problem === undefined).length
  const unread = rows.filter(({ problem }) => problem !== undefined)
  return [
    ...shown,
    '',
    unread.length === rows.length
      ? 'None of them could be read:'
      : `${rows.length - unread.length} replayed, ${duration(rows.reduce((sum, { ms }) => sum + ms, 0))} in all. ${sumsInWords(totalOf(rows), inferred > 0)}`,
    ...(inferred === 0
      ? []
      : [`${inferred} of them were inferred from transcripts: what would have been, not what was.`]),
    ...(rows.some(({ slept }) => slept !== undefined) ? [SLEPT] : []),
    ...unread.map(({ problem = '' }) => problem),
    ...storiesOf(rows),
    ...(isCut ? [`There are more than ${FILES_MOST} files; the rest was left out. Name a folder further down.`] : []),
  ]
}

function storiesOf(rows: readonly Row[]): string[] {
  const told = rows.filter(({ story }) => story !== undefined)
  if (told.length === 0) return []
  const left = rows.filter(({ story, problem }) => story === undefined && problem === undefined).length
  return [
    ...told.flatMap(({ file, story = [] }) => [
      '',
      `${file}:`,
      ...(story.length === 0 ? ['  nothing to tell'] : story),
    ]),
    '',
    ...(left === 0 ? [] : [`The stories of ${left} more were left out. Name one of them, or a folder further down.`]),
  ]
}

export function totalOf(rows: readonly Row[]): Sums {
  const all = rows.flatMap(({ sums }) => sums ?? [])
  const acts: Record<string, number> = {}
  for (const each of all) for (const [kind, n] of Object.entries(each.acts)) acts[kind] = (acts[kind] ?? 0) + n
  const sum = (of: (each: Sums) => number) => all.reduce((total, each) => total + of(each), 0)
  return {
    ...{ stuck: sum(({ stuck }) => stuck), warning: sum(({ warning }) => warning), badMs: sum(({ badMs }) => badMs) },
    ...{ causes: [...new Set(all.flatMap(({ causes }) => causes))], acts, asked: sum(({ asked }) => asked) },
  }
}

const HEADINGS = ['file', 'from', 'for', 'client', 'stuck', 'warning', 'bad for', 'because', 'acts', 'asked', 'told']

function cellsOf({ file, from, ms, clients, sums, same, isInferred, slept, problem }: Row): string[] {
  if (sums === undefined || from === undefined)
    return [file, '-', '-', '-', '-', '-', '-', '-', '-', '-', problem === undefined ? '' : 'not read']
  const acts = Object.entries(sums.acts).map(([kind, count]) => `${kind} ${count}`)
  return [
    ...[file, timeOf(Date.parse(from)).slice(0, 16), duration(ms), clients.at(-1) ?? '-'],
    ...[String(sums.stuck), String(sums.warning), sums.badMs === 0 ? '-' : duration(sums.badMs)],
    ...[sums.causes.join(', ').replaceAll('_', ' ') || '-', acts.join(', ') || '-', String(sums.asked)],
    isInferred ? `inferred${slept === undefined ? '' : ', slept'}` : same === true ? 'same' : 'DIFFERENT',
  ]
}
