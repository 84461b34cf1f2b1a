/**
 * The sentinel file that blocks every spawn after an emergency stop. It is made beforehand and latched by a rename,
 * which needs no space on the disk:
 *
 *   emergency-stop.ready ──stop──▶ emergency-stop ──resume by the daemon──▶ emergency-stop.ready
 *                                  emergency-stop ──resume without a daemon──▶ emergency-stop.unrecorded
 *
 * The last is a note for the next daemon, which records the stop, saves the work and removes the note. A stop that
 * comes first takes the note for its sentinel, so that there is never a note beside a latch.
 */
import { access, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TEXT = `An emergency stop is in force while this file is called «emergency-stop».
Nothing is started or typed until a person resumes: pan cloister resume
Called «emergency-stop.unrecorded» it tells the next daemon of a stop that is over.
`

const REASON = 'Reason: '
const BY = 'By: '
const AT = 'At: '
const ENDED = 'Ended: '
const FOUND = 'Found: '
const OVER = 'A person has resumed since.'
const LONGEST_REASON = 200
const MOST_NAMED = 10_000
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/

/** To be called at every start of the daemon. */
export async function prepareSentinel(home: string): Promise<void> {
  if (!(await isLatched(home)) && !(await exists(ready(home)))) await make(ready(home))
}

export async function isLatched(home: string): Promise<boolean> {
  return exists(latched(home))
}

/**
 * What went wrong, or undefined. Never throws and never takes long, not even on a disk that hangs: the stop must go
 * on without it.
 */
export async function latch(home: string): Promise<string | undefined> {
  const problem = (why: string) =>
    `Could not latch the sentinel ${latched(home)}: ${why}. Agents are ended all the same, but nothing blocks new ones.`
  const tried = tryToLatch(home).catch((error: unknown) => problem(reasonOf(error)))
  const late = problem(`the disk did not answer within ${PATIENCE_MS} ms`)
  return Promise.race([tried, sleep(PATIENCE_MS, late, { ref: false })])
}

const PATIENCE_MS = 300

export interface StopNote {
  reason?: string
  person?: string
  askedWallAt?: number
  /** The agents that it ended, by their ids, and how many it found. */
  ended?: readonly string[]
  found?: number
}

/**
 * For the record of a daemon that comes later; without a place to write, the stop is as good without it. Whoever stops
 * again what is stopped changes nothing of it, but for those whom only he ended.
 */
export async function noteStop(home: string, note: StopNote): Promise<void> {
  const written = rewrite(latched(home), (before) => textOf(after(noteIn(before), note, before.includes(OVER)))).catch(
    () => {},
  )
  await Promise.race([written, sleep(PATIENCE_MS, undefined, { ref: false })])
}

function after(before: StopNote, note: StopNote, isOver: boolean): StopNote {
  const { ended: _, found: __, ...told } = before
  const { ended: ___, found: ____, ...tells } = note
  // A stop that took the note of one that is over has yet to be noted itself.
  return { ...(isOver || Object.keys(told).length === 0 ? tells : told), ...counts(before, note) }
}

/** Also with a stop that is over: as long as no daemon knows of it, nobody was started since. */
function counts(before: StopNote, { ended, found = 0 }: StopNote): Pick<StopNote, 'ended' | 'found'> {
  if (ended === undefined) return before.ended === undefined ? {} : { ended: before.ended, found: before.found ?? 0 }
  const all = [...new Set([...(before.ended ?? []), ...ended])]
  return { ended: all, found: Math.max(before.found ?? 0, all.length + found - ended.length) }
}

function textOf({ reason, person, askedWallAt, ended, found }: StopNote): string {
  const at = askedWallAt === undefined ? undefined : new Date(askedWallAt).toISOString()
  const names =
    ended === undefined
      ? ''
      : `${ENDED}${ended
          .filter((id) => NAME.test(id))
          .slice(0, MOST_NAMED)
          .join(' ')}\n`
  return TEXT + line(REASON, reason) + line(BY, person) + line(AT, at) + names + line(FOUND, found?.toString())
}

/** Never makes the file: a note that comes late, after a person has resumed, must not latch anew. */
async function rewrite(file: string, change: (before: string) => string): Promise<void> {
  await using opened = await open(file, 'r+')
  const before = await opened.readFile('utf8')
  const text = change(before)
  if (text === before) return
  await opened.truncate()
  await opened.write(text, 0)
}

function line(word: string, what: string | undefined): string {
  return what === undefined ? '' : `${word}${what.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON)}\n`
}

function said(text: string, word: string): string | undefined {
  return text
    .split('\n')
    .find((each) => each.startsWith(word))
    ?.slice(word.length)
}

export async function readNote(home: string): Promise<StopNote> {
  for (const file of [latched(home), unrecorded(home)]) {
    const note = noteIn(await readFile(file, 'utf8').catch(() => ''))
    if (Object.keys(note).length > 0) return note
  }
  return {}
}

function noteIn(text: string): StopNote {
  const [reason, person, names] = [said(text, REASON), said(text, BY), said(text, ENDED)]
  const askedWallAt = Date.parse(said(text, AT) ?? '')
  const found = Number(said(text, FOUND) ?? Number.NaN)
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(person === undefined ? {} : { person }),
    ...(Number.isNaN(askedWallAt) ? {} : { askedWallAt }),
    ...(names === undefined
      ? {}
      : {
          ended: names
            .split(' ')
            .filter((id) => NAME.test(id))
            .slice(0, MOST_NAMED),
        }),
    ...(Number.isSafeInteger(found) && found >= 0 ? { found } : {}),
  }
}

export async function release(home: string): Promise<void> {
  try {
    if (await isLatched(home)) {
      await rename(latched(home), ready(home))
      // The next stop has a reason of its own.
      await writeFile(ready(home), TEXT).catch(() => {})
    } else await prepareSentinel(home)
  } catch (error) {
    throw new Error(
      `Could not end the emergency stop: ${latched(home)} cannot be renamed to ${ready(home)}: ${reasonOf(error)}. ` +
        'Rename it by hand and resume again.',
      { cause: error },
    )
  }
}

/** Allows spawning while no daemon runs to record that there was a stop. */
export async function releaseUnrecorded(home: string): Promise<void> {
  try {
    await rename(latched(home), unrecorded(home))
  } catch (error) {
    throw new Error(
      `Could not end the emergency stop: ${latched(home)} cannot be renamed to ${unrecorded(home)}: ` +
        `${reasonOf(error)}. Rename it by hand.`,
      { cause: error },
    )
  }
  await rewrite(unrecorded(home), (before) => `${before}${OVER}\n`).catch(() => {})
  // Should the disk be full, the next stop takes the note instead.
  await make(ready(home)).catch(() => {})
}

/** Whether there was a stop that no daemon has recorded and that a person has ended since. */
export async function isUnrecorded(home: string): Promise<boolean> {
  return exists(unrecorded(home))
}

export async function forgetUnrecorded(home: string): Promise<void> {
  await rm(unrecorded(home), { force: true })
}

async function tryToLatch(home: string): Promise<undefined> {
  for (const file of [unrecorded(home), ready(home)]) {
    try {
      await rename(file, latched(home))
      return
    } catch (error) {
      if (!isMissing(error) && !(await isLatched(home))) throw error
    }
  }
  if (!(await isLatched(home))) await make(latched(home))
}

async function make(file: string): Promise<void> {
  try {
    await writeFile(file, TEXT, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // On a full disk the name may be there without its text, and the name is what counts.
    if (!(await exists(file))) throw error
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw new Error(`Cannot tell whether ${file} exists: ${reasonOf(error)}`, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function latched(home: string): string {
  return join(home, 'emergency-stop')
}

function ready(home: string): string {
  return join(home, 'emergency-stop.ready')
}

function unrecorded(home: string): string {
  return join(home, 'emergency-stop.unrecorded')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
