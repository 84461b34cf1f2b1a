/**
 * Answers for waiting ask hooks, by their FIFO, and orders for report hooks, by a file that one of them takes.
 * An ask hook holds its FIFO open for both ways from before its report is seen until it ends. So a FIFO that nobody
 * has open belongs to a hook that is dead, and what is written in one line is read.
 */
import type { Stats } from 'node:fs'
import { constants, lstat, open, readdir, rename, rm, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../contract/effects.ts'
import { ID_PATTERN } from '../../contract/ids.ts'
import type { Mailbox } from '../../core/ports.ts'
import { codeOf, pathsOf, reasonOf } from './layout.ts'

/** A hook that does not read what is written in this time is as good as gone. */
const READ_MS = 2_000
const TURN_MS = 5
const TEXT_LIMIT = 1024 * 1024
/** An ask hook opens its FIFO within moments of making it. */
const FRESH_MS = 60_000

export class FileMailbox implements Mailbox {
  readonly #paths: ReturnType<typeof pathsOf>
  #orders = 0

  constructor(home: string) {
    this.#paths = pathsOf(home)
  }

  /** An empty text ends the wait without an answer: the question was answered elsewhere. */
  async answer(run: string, ask: string, text: string): Promise<Outcome> {
    if (!ID_PATTERN.test(run) || !ID_PATTERN.test(ask)) return notDone(`there can be no ask ${run}.${ask}`)
    if (text.length > TEXT_LIMIT) return notDone(`the answer is longer than ${TEXT_LIMIT} characters`)
    const path = join(this.#paths.asks, `${run}.${ask}`)
    try {
      const handle = await openFifo(path)
      if (typeof handle === 'string') return notDone(handle)
      try {
        return await this.#write(handle, path, text)
      } finally {
        await handle.close()
      }
    } catch (error) {
      return notDone(`the answer could not be given through ${path}: ${reasonOf(error)}`)
    }
  }

  /** The order replaces one that was not taken yet. */
  async order(run: string, text: string): Promise<Outcome> {
    if (!ID_PATTERN.test(run)) return notDone(`there can be no run ${run}`)
    const path = join(this.#paths.orders, run)
    if (text === '') return this.#withdraw(path)
    this.#orders += 1
    const draft = join(this.#paths.orders, `.${run}.${process.pid}-${this.#orders}`)
    try {
      const old = await statOf(path)
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
      await rename(draft, path)
      return old === undefined
        ? { result: 'done' }
        : { result: 'done', detail: `It replaced an order for run ${run} that no hook had taken.` }
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      return notDone(`the order could not be left in ${path}: ${reasonOf(error)}`)
    }
  }

  async #withdraw(path: string): Promise<Outcome> {
    try {
      await rm(path, { force: true })
      return { result: 'done' }
    } catch (error) {
      return notDone(`the order in ${path} could not be taken back: ${reasonOf(error)}`)
    }
  }

  /**
   * Removes the FIFOs of ask hooks that were killed so hard that they could not, and the drafts of orders that a daemon
   * was killed over.
   */
  async sweep(wallAt = Date.now()): Promise<void> {
    for (const name of await readdir(this.#paths.orders)) {
      const isDraft = name.startsWith('.') && !name.includes(`.${process.pid}-`)
      if (isDraft) await rm(join(this.#paths.orders, name), { force: true })
    }
    for (const name of await readdir(this.#paths.asks)) {
      const path = join(this.#paths.asks, name)
      const stats = await statOf(path)
      if (stats === undefined || wallAt - stats.ctimeMs < FRESH_MS) continue
      const handle = await openFifo(path)
      if (typeof handle !== 'string') await handle.close()
    }
  }

  async #write(handle: FileHandle, path: string, text: string): Promise<Outcome> {
    // An answer is JSON, in which a line break between two tokens is as good as a blank.
    const bytes = Buffer.from(`${text.replaceAll(/[\r\n\0]+/g, ' ')}\n`)
    const deadlineAt = performance.now() + READ_MS
    let done = 0
    while (done < bytes.length) {
      const written = await writeSome(handle, bytes, done)
      if (written === 'ended') return notDone('its hook ended before it read the answer')
      done += written
      if (written > 0) continue
      if (performance.now() > deadlineAt) return { result: 'unknown', detail: 'The hook read only a part of it.' }
      await pause(TURN_MS)
    }
    // The hook has the FIFO open; without its name nobody can answer a second time.
    await unlink(path).catch(() => undefined)
    return { result: 'done' }
  }
}

function notDone(detail: string): Outcome {
  return { result: 'not_done', detail: `Nothing was handed over: ${detail}.`.slice(0, 400) }
}

/** The sentence says why not. */
async function openFifo(path: string): Promise<FileHandle | string> {
  const found = await statOf(path)
  if (found === undefined) return 'nobody waits for it any more'
  if (!isOurFifo(found)) return `${path} is not a FIFO of yours; remove it`
  try {
    const handle = await open(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    // It may have been exchanged since.
    if (isOurFifo(await handle.stat())) return handle
    await handle.close()
    return `${path} is not a FIFO of yours; remove it`
  } catch (error) {
    if (codeOf(error) === 'ENXIO') await unlink(path).catch(() => undefined)
    if (codeOf(error) === 'ENXIO' || codeOf(error) === 'ENOENT') return 'nobody waits for it any more'
    throw error
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isOurFifo(stats: Stats): boolean {
  return stats.isFIFO() && stats.uid === process.getuid?.()
}

/** 0 when the FIFO is full and the hook has to read first. */
async function writeSome(handle: FileHandle, bytes: Buffer, from: number): Promise<number | 'ended'> {
  try {
    return (await handle.write(bytes, from)).bytesWritten
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0
    if (codeOf(error) === 'EPIPE') return 'ended'
    throw error
  }
}
