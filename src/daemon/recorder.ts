/**
 * Writes down what the loop is told, for `pan replay`: one file of JSON lines, readable by its owner alone. First the
 * world as it is, then each input with what was decided by it, last why it ended. Secrets are taken out of every text.
 * It ends by itself at its instant and at its size; a disk that fails ends it too, and never the loop.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Effect } from '../contract/effects.ts'
import { RECORDING_FORMAT, type RecordingEnd, type RecordingHead, type RecordingView } from '../contract/recording.ts'
import type { Input } from '../core/inputs.ts'
import { notingPrices, stateOf } from '../core/recording.ts'
import { redact } from '../core/redact.ts'
import type { Result } from '../core/step.ts'
import type { World } from '../core/world.ts'

export const MAX_BYTES = 64 * 1024 * 1024
/** So much is always left for the last line. */
const END_BYTES = 1024

export interface RecordingWish {
  /** Where it goes, under a name of its own; or which file it shall be. */
  folder?: string
  file?: string
  /** What else the first line says of it. */
  about?: Pick<RecordingHead, 'inferred' | 'label'>
  wallAt: number
  monoAt: number
  /** How long; left out, until it is stopped or full. */
  forMs?: number | undefined
  maxBytes?: number
}

interface Running {
  handle: number
  untilMonoAt: number
  prices: ReturnType<typeof notingPrices>
  stopPrices: () => void
  redacted: number
}

type Last = NonNullable<RecordingView['last']>

export class Recorder {
  readonly #world: World
  #running: Running | undefined
  #last: Last | undefined
  #failure: string | undefined

  constructor(world: World) {
    this.#world = world
  }

  view(): RecordingView {
    const last = this.#last
    return { recording: this.#running !== undefined, ...(last === undefined ? {} : { last: { ...last } }) }
  }

  /** Why the last one could not be written whole; undefined when all of it is there, up to its limit. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** False when one runs already. Throws when the file cannot be made. */
  start({ folder = '.', wallAt, monoAt, forMs, maxBytes = MAX_BYTES, about = {}, ...wish }: RecordingWish): boolean {
    if (this.#running !== undefined) return false
    const { file = join(folder, `${nameOf(wallAt)}.jsonl`) } = wish
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const handle = openSync(file, 'wx', 0o600)
    this.#failure = undefined
    const world = this.#world
    const { prices } = world
    world.prices = notingPrices(prices)
    this.#running = {
      handle,
      untilMonoAt: forMs === undefined ? Infinity : monoAt + forMs,
      prices: world.prices as Running['prices'],
      stopPrices: () => void (world.prices = prices),
      redacted: 0,
    }
    this.#last = {
      ...{ file, startedWallAt: wallAt, inputs: 0, bytes: 0, maxBytes },
      ...(forMs === undefined ? {} : { untilWallAt: wallAt + forMs }),
    }
    const head = { cloister: 'recording', format: RECORDING_FORMAT, startedWallAt: wallAt, ...about }
    this.#add({ ...head, state: stateOf(world) })
    return true
  }

  /** Called with each input, when it has been folded into the world. */
  note(input: Input, { events, effects }: Result): void {
    const running = this.#running
    if (running === undefined || this.#last === undefined) return
    const rates = running.prices.take()
    this.#last.inputs += 1
    this.#add({ input, events, effects: effects.map(effectName), ...(rates === undefined ? {} : { rates }) })
    if (input.monoAt >= running.untilMonoAt) this.stop('its time was over')
  }

  stop(why: string, more: Pick<RecordingEnd, 'read' | 'reproduced'> = {}): void {
    const running = this.#running
    if (running === undefined || this.#last === undefined) return
    this.#running = undefined
    running.stopPrices()
    this.#last.ended = why
    try {
      const { inputs } = this.#last
      const end = { why, inputs, redacted: running.redacted, ...more }
      this.#last.bytes += write(running.handle, JSON.stringify({ end }))
    } catch (error) {
      this.#failure ??= (error as Error).message
      this.#last.ended = `${why}; its end could not be written (${(error as Error).message})`
    }
    this.#close(running.handle)
  }

  /** Some disks say only now that what was written did not fit. */
  #close(handle: number): void {
    try {
      closeSync(handle)
    } catch (error) {
      this.#failure ??= (error as Error).message
    }
  }

  #add(line: object): void {
    const running = this.#running
    const last = this.#last
    if (running === undefined || last === undefined) return
    try {
      const text = withoutSecrets(line, () => (running.redacted += 1))
      if (last.bytes + Buffer.byteLength(text) + END_BYTES > last.maxBytes) {
        if ('input' in line) last.inputs -= 1
        return this.stop(`it reached its limit of ${Math.round(last.maxBytes / 1024 / 1024)} MB`)
      }
      last.bytes += write(running.handle, text)
    } catch (error) {
      this.#failure = (error as Error).message
      this.stop(`it could not be written (${(error as Error).message})`)
    }
  }
}

/** An instant as the name of a file. */
export function nameOf(wallAt: number): string {
  return new Date(wallAt).toISOString().replaceAll(':', '-')
}

/** What is to be done, without its texts. */
export function effectName(effect: Effect): string {
  return 'agent' in effect ? `${effect.type} ${effect.agent} ${effect.generation}` : effect.type
}

/** The line as it stands in the file; tells of each text that it changed. */
export function withoutSecrets(value: object, changed: () => void = () => {}): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'string') return part
    const clean = cleanOf(part)
    if (clean !== part) changed()
    return clean
  })
}

const KEPT = 10_000
const LONGEST_KNOWN = 200
const known = new Map<string, string>()

/** Most texts come again and again (ids, kinds, names), and looking for secrets is dear. */
function cleanOf(text: string): string {
  const before = known.get(text)
  if (before !== undefined) return before
  const clean = redact(text)
  if (known.size >= KEPT) known.clear()
  if (text.length <= LONGEST_KNOWN) known.set(text, clean)
  return clean
}

/** All of it, or it throws: a disk that fills up takes a part of a line first. */
function write(handle: number, text: string): number {
  const bytes = Buffer.from(`${text}\n`)
  let written = 0
  while (written < bytes.length) written += writeSync(handle, bytes, written)
  return written
}
