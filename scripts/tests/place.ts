/**
 * The one temporary folder of a run of the tests. Everything that a test makes lies in it, and every process that a
 * test starts names it, in its environment, its arguments or as where it works. So both can be found, whatever ended
 * the run.
 */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { listPids, readProcFile, readStat } from '../../src/adapters/process/proc-stat.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface Left {
  folders: string[]
  processes: string[]
}

/** What is about to end, such as a terminal server whose last session was closed, gets so long. */
const PATIENCE_MS = 5_000
/** What cannot be ended, such as a process of somebody else, is left after so many tries. */
const MOST_TRIES = 100
/** The path of a unix socket is at most 107 bytes long, and tests put theirs deep. */
const LONGEST = 50

export class TestPlace {
  readonly folder = makeFolder()

  /** What tests left behind; to be asked once they are over. */
  async left(): Promise<Left> {
    const deadline = Date.now() + PATIENCE_MS
    while (this.#processes().length > 0 && Date.now() < deadline) await after(100)
    return { folders: readdirSync(this.folder), processes: this.#processes().map(({ pid, line }) => `${pid} ${line}`) }
  }

  /** Ends what is left until nothing is, and removes the folder. */
  async remove(): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = this.#processes()
      if (found.length === 0) break
      for (const { pid } of found) end(pid)
      await after(50)
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  #processes(): { pid: number; line: string }[] {
    return listPids().flatMap((pid) => {
      const line = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
      // One that has ended and was not taken notice of has no line.
      const isOurs = pid !== process.pid && line !== '' && this.#isNamedBy(pid, line)
      return isOurs ? [{ pid, line: line.slice(0, 200) }] : []
    })
  }

  #isNamedBy(pid: number, line: string): boolean {
    if ([line, read(pid, 'environ')].some((text) => text.includes(this.folder))) return true
    // Somebody's shell may stand in the folder, too; what tests left has nobody any more.
    return folderOf(pid).startsWith(this.folder) && readStat(pid)?.parent === 1
  }
}

function makeFolder(): string {
  const parent = resolve(tmpdir())
  try {
    const folder = mkdtempSync(join(parent, 'cl-'))
    if (folder.length <= LONGEST) return folder
    rmSync(folder, { recursive: true })
  } catch (error) {
    throw new WrongUsage(`No temporary folder can be made in ${parent}: ${(error as Error).message}. Set TMPDIR.`)
  }
  throw new WrongUsage(`${parent} is too long for the sockets of tests. Set TMPDIR to a shorter one, such as /tmp.`)
}

/** Empty when it is gone, or somebody else's. */
function read(pid: number, file: string): string {
  return readProcFile(`/proc/${pid}/${file}`)?.toString('latin1') ?? ''
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
