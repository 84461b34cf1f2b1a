/**
 * Sessions from the field: recordings that a person labelled by saying that the verdict at their end was wrong. What is
 * true of them nobody says; that the same is said again is counted as still wrong.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { judgedAs } from '../../src/core/recording.ts'
import { replayFile, Unreplayable } from '../../src/daemon/offline/replay-file.ts'

export interface FieldCase {
  file: string
  words: string
  /** What was said then, and what is said of the same now. */
  said: string
  now: string
  isStillWrong: boolean
  agentMs: number
}

export interface Field {
  cases: readonly FieldCase[]
  /** What could not be counted, with the reason. */
  leftOut: readonly string[]
}

export const NO_FIELD: Field = { cases: [], leftOut: [] }

/** Throws when there is no such folder. */
export function fieldIn(folder: string): Field {
  const cases: FieldCase[] = []
  const leftOut: string[] = []
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.jsonl')) continue
    const found = caseOf(join(folder, name), name)
    if (typeof found === 'string') leftOut.push(found)
    else cases.push(found)
  }
  return { cases, leftOut }
}

function caseOf(path: string, file: string): FieldCase | string {
  try {
    const { label, end, world, fromWallAt, toWallAt } = replayFile(path)
    if (label === undefined) return `${file} has no label: nobody said that it was wrong`
    // Where it never led to that verdict, its absence shows nothing.
    if (end?.reproduced !== true) return `${file} did not lead to the verdict that was wrong when it was written`
    const agent = world.agents.get(label.agent)
    const { health, cause } = agent === undefined ? { health: 'none', cause: 'gone' } : judgedAs(agent)
    const [said, now] = [`${label.health} ${label.cause}`, `${health} ${cause}`]
    return { file, words: label.words, said, now, isStillWrong: said === now, agentMs: toWallAt - fromWallAt }
  } catch (error) {
    if (!(error instanceof Unreplayable)) throw error
    return error.message
  }
}
