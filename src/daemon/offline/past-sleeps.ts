/**
 * When the machine of several past sessions slept or was offline, told by gaps that they share: each of them stood still
 * in the middle of a turn and went on by itself within the same minutes. Where a person made it go on, it may have hung.
 */
import { noCounts, pastSession, type PastMoment } from '../../adapters/claude-code/past/past-session.ts'
import { MINUTE } from '../../core/durations.ts'

/** The ends of such gaps, by transcript. */
export type Sleeps = ReadonlyMap<string, ReadonlySet<number>>

const GAP_MS = 10 * MINUTE
/** The last that is written before it may be the beginning of a long call; what comes after it comes at once. */
const FROM_MS = 10 * MINUTE
const TO_MS = 2 * MINUTE

type Told = (path: string, readBytes: number) => void

interface Gap {
  path: string
  fromWallAt: number
  toWallAt: number
}

/** `told` is called while a file is read. */
export function sleepsOf(paths: readonly string[], nowWallAt: number, told: Told = () => {}): Sleeps {
  const gaps = paths.flatMap((path) => gapsOf(path, nowWallAt, told)).toSorted((a, b) => a.toWallAt - b.toWallAt)
  const sleeps = new Map<string, Set<number>>()
  const note = ({ path, toWallAt }: Gap) => sleeps.set(path, (sleeps.get(path) ?? new Set()).add(toWallAt))
  for (const [n, gap] of gaps.entries()) {
    for (let other = n + 1; other < gaps.length; other += 1) {
      const next = gaps[other]
      if (next === undefined || next.toWallAt - gap.toWallAt > TO_MS) break
      if (next.path === gap.path || Math.abs(next.fromWallAt - gap.fromWallAt) > FROM_MS) continue
      note(gap)
      note(next)
    }
  }
  return sleeps
}

function gapsOf(path: string, nowWallAt: number, told: Told): Gap[] {
  const gaps: Gap[] = []
  let before: PastMoment | undefined
  try {
    for (const moment of pastSession({ path, counts: noCounts(), nowWallAt, progress: (bytes) => told(path, bytes) })) {
      const fromWallAt = before?.wallAt ?? moment.wallAt
      const isLong = moment.wallAt - fromWallAt >= GAP_MS
      if (isLong && before?.isOpen === true && goesOnByItself(moment))
        gaps.push({ path, fromWallAt, toWallAt: moment.wallAt })
      before = moment
    }
  } catch {
    // Whoever judges it says why it cannot be read.
  }
  return gaps
}

function goesOnByItself({ hooks, isInterrupt }: PastMoment): boolean {
  return !isInterrupt && hooks.every(({ kind }) => kind !== 'UserPromptSubmit' && kind !== 'SessionStart')
}
