/** Folds a recording through the core, offline, and compares what is decided with what was decided. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Event } from '../../contract/events.ts'
import {
  RECORDING_FORMAT,
  recordedStep,
  recordingEnd,
  recordingHead,
  type RecordedStep,
  type RecordingEnd,
  type RecordingHead,
} from '../../contract/recording.ts'
import type { Rates } from '../../core/costs/price.ts'
import { describe } from '../../core/describe.ts'
import type { Input } from '../../core/inputs.ts'
import { worldOf, type WorldState } from '../../core/recording.ts'
import { upcastState, upcastStep } from '../../core/recordings/upcast.ts'
import { step } from '../../core/step.ts'
import type { World } from '../../core/world.ts'
import { effectName, withoutSecrets } from '../recorder.ts'

const MAX_BYTES = 1024 * 1024 * 1024

export interface Difference {
  /** Which line of the file. */
  line: number
  wallAt: number
  recorded: string[]
  replayed: string[]
}

export interface Replay {
  world: World
  events: readonly Event[]
  inputs: number
  fromWallAt: number
  toWallAt: number
  /** Undefined where the file was cut off. */
  end: RecordingEnd | undefined
  /** The first of them; undefined when every decision is the recorded one. */
  difference: Difference | undefined
  /** Where it was told from a transcript, and what of it nobody saw. */
  inferred: RecordingHead['inferred']
  /** What a person said of its last verdict. */
  label: RecordingHead['label']
}

export class Unreplayable extends Error {}

/** Throws Unreplayable with a sentence that names the line. */
export function replayFile(file: string): Replay {
  const [first = '', ...lines] = linesOf(file)
  const head = parse(recordingHead, first, { file, line: 1 })
  const { startedWallAt: fromWallAt, format } = head
  if (format > RECORDING_FORMAT) {
    throw new Unreplayable(
      `${file} was recorded by a newer Cloister (format ${format}), and this one reads formats up to ${RECORDING_FORMAT}. ` +
        'Nothing was replayed. Update this Cloister, or replay it with the one that recorded it.',
    )
  }
  const rates = new Map<string, Rates | undefined>()
  const world = inPlace({ file, line: 1 }, () =>
    worldOf(upcastState(head.state, format) as unknown as WorldState, { ratesOf: (model) => rates.get(model) }),
  )
  const replay: Replay = {
    ...{ world, inputs: 0, fromWallAt, toWallAt: fromWallAt, end: undefined, difference: undefined, events: [] },
    inferred: head.inferred,
    label: head.label,
  }
  const events: Event[] = []
  for (const [index, text] of lines.entries()) {
    const place = { file, line: index + 2 }
    if (replay.end !== undefined) throw new Unreplayable(`${file} goes on after its end, in line ${place.line}.`)
    // A write that was cut off in the middle: what is before it is whole.
    if (index === lines.length - 1 && !isJson(text)) break
    const read = parse(z.union([recordedStep, recordingEnd]), text, place)
    if ('end' in read) replay.end = read.end
    else {
      for (const [model, rate] of Object.entries(read.rates ?? {})) {
        rates.set(model, (rate ?? undefined) as Rates | undefined)
      }
      const told = inPlace(place, () => upcastStep(read, format)) as RecordedStep
      const result = inPlace(place, () => step(world, told.input as unknown as Input))
      events.push(...result.events)
      replay.inputs += 1
      replay.toWallAt = told.input.wallAt
      replay.difference ??= differenceOf(told, result, place.line)
    }
  }
  return { ...replay, events }
}

function linesOf(file: string): string[] {
  let text
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(handle)
      if (!stats.isFile()) throw new Error('it is no file')
      if (stats.size > MAX_BYTES) throw new Error('it is larger than 1 GB, which no recording is')
      text = readFileSync(handle, 'utf8')
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw new Unreplayable(
      `Could not read ${file}: ${(error as Error).message}. Check the path: \`pan record stop\` names it.`,
    )
  }
  if (text === '') throw new Unreplayable(`${file} is empty. A recording is made by \`pan record start\`.`)
  return text.replace(/\n$/, '').split('\n')
}

interface Place {
  file: string
  line: number
}

function parse<T extends z.ZodType>(schema: T, text: string, { file, line }: Place): z.output<T> {
  const read = isJson(text) ? schema.safeParse(JSON.parse(text)) : undefined
  if (read?.success) return read.data
  const what = line === 1 ? 'is not the beginning of a recording' : 'is damaged'
  const hint = line === 1 ? 'Name a file that `pan record` made.' : 'Nothing after it can be replayed.'
  throw new Unreplayable(`Line ${line} of ${file} ${what}. ${hint}`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What the schema of a line lets through may still be nothing that the core was ever told. */
function inPlace<T>({ file, line }: Place, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Unreplayable(`Line ${line} of ${file} cannot be replayed: ${(error as Error).message}`, { cause: error })
  }
}

function differenceOf(read: RecordedStep, result: ReturnType<typeof step>, line: number): Difference | undefined {
  const { input, events, effects } = read
  const replayed = {
    events: JSON.parse(withoutSecrets(result.events)) as RecordedStep['events'],
    effects: result.effects.map(effectName),
  }
  if (isDeepStrictEqual(plain({ events, effects }), plain(replayed))) return undefined
  return {
    ...{ line, wallAt: input.wallAt },
    recorded: [...events.map(sentenceOf), ...effects],
    replayed: [...replayed.events.map(sentenceOf), ...replayed.effects],
  }
}

/** The schema's objects are as good as those that JSON gives, and only their prototype may differ. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

function sentenceOf(event: RecordedStep['events'][number]): string {
  try {
    return describe(event as unknown as Event)
  } catch {
    return event.type
  }
}
