/** A transcript judged at once, without a recording in between: what its replay would tell. */
import { basename } from 'node:path'
import { noCounts, type PastCounts } from '../../adapters/claude-code/past/past-session.ts'
import type { Event } from '../../contract/events.ts'
import type { Settings } from '../../contract/settings.ts'
import type { World } from '../../core/world.ts'
import { playPast } from './past-night.ts'
import { INFERRED } from './past-words.ts'
import { agentOf } from './record-past.ts'
import { Unreplayable, type Replay } from './replay-file.ts'

export interface PastReplay extends Replay {
  counts: PastCounts
}

interface Given {
  path: string
  settings: Settings
  nowWallAt: number
  sleeps?: ReadonlySet<number> | undefined
  progress: (readBytes: number) => void
}

/** Throws Unreplayable with a sentence that says why. */
export function replayPast({ path, settings, nowWallAt, sleeps, progress }: Given): PastReplay {
  const counts = noCounts()
  const events: Event[] = []
  let begun: { world: World; wallAt: number } | undefined
  let inputs = 0
  let played
  try {
    played = playPast({
      ...{ path, settings, nowWallAt, sleeps, progress, counts, agent: agentOf(path) },
      begin: (world, wallAt) => (begun = { world, wallAt }),
      note: (_, result) => {
        inputs += 1
        for (const event of result.events) events.push(event)
      },
    })
  } catch (error) {
    throw new Unreplayable(`Could not read ${path}: ${(error as Error).message}. Check the path.`, { cause: error })
  }
  if (played === undefined || begun === undefined) {
    throw new Unreplayable(
      `${path} is neither a recording nor a transcript with a conversation. Name a file that \`pan record\` made, or one of Claude Code's.`,
    )
  }
  return {
    ...{
      world: begun.world,
      events,
      inputs,
      fromWallAt: begun.wallAt,
      toWallAt: played.toWallAt,
      difference: undefined,
    },
    inferred: { transcript: basename(path), what: [...INFERRED] },
    end: { why: 'the transcript ended', inputs, redacted: 0 },
    label: undefined,
    counts,
  }
}
