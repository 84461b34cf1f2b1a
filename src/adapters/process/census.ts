/**
 * Counts the processes of one home in `/proc`. A process belongs to a run when
 * - its environment carries the run's tag, or
 * - it has no tag any more and was counted before (same pid and start time), or
 * - it never had a tag and its parent belongs, or it is in a session that a process of the run opened: a child started
 *   with an empty environment.
 * Nothing else belongs. This program, its ancestors and processes of other users are counted but never to be touched.
 */
import { statSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { lives, listPids, readProcFile, readStat, type ProcStat } from './proc-stat.ts'
import { readTag } from './run-tag.ts'

export interface Member extends ProcStat {
  run: string
  /** Why it must not be signalled; undefined when it may be. */
  spared?: string
}

export interface Snapshot {
  takenAt: number
  /** Oldest first. */
  members: readonly Member[]
  byRun: ReadonlyMap<string, readonly Member[]>
  /** All others that carry no tag of any home, by pid. */
  strays: ReadonlyMap<number, ProcStat>
}

/** The daemon's loop is never held longer than this by a count, plus one process. */
const SLICE_MS = 2
/** How often the list is read again for processes that came while others vanished. */
const MOST_PASSES = 8

interface Known extends Standing {
  startedAt: number
  environ: string
  run: string
}

/** Whose process it is, and why it is spared if so. */
interface Standing {
  owner?: number
  spared?: string
}

type Found = Map<number, ProcStat & { tag?: string; standing?: Standing }>

/** Carries the tag of another home: neither it nor what it started is ours. */
const ELSEWHERE = ''

export class Census {
  readonly #homeId: string
  /** The living processes of all runs, by pid. */
  #known = new Map<number, Known>()
  /** Sessions that a process of a run opened. A number cannot be used anew while a process is still in the session. */
  #sessions = new Map<number, string>()

  constructor(homeId: string) {
    this.#homeId = homeId
  }

  async take(): Promise<Snapshot> {
    const takenAt = performance.now()
    const found: Found = new Map()
    const blank = new Set<number>()
    let sliceAt = performance.now()
    let pids = listPids()
    for (let pass = 1; pids.length > 0 && pass <= MOST_PASSES; pass += 1) {
      let vanished = 0
      for (const pid of pids) {
        if (!this.#visit(pid, found, blank)) vanished += 1
        if (performance.now() - sliceAt < SLICE_MS) continue
        await breathe()
        sliceAt = performance.now()
      }
      // Whoever ended while we counted may have left a child that was not on the list.
      const visited = new Set(pids)
      pids = vanished === 0 ? [] : listPids().filter((pid) => !found.has(pid) && !visited.has(pid))
    }
    // By now whoever was just starting a program has its environment.
    for (const pid of blank) this.#visit(pid, found, blank)
    return this.#conclude(takenAt, found)
  }

  /** False when the process is gone. */
  #visit(pid: number, found: Found, blank: Set<number>): boolean {
    const stat = readStat(pid)
    if (stat === undefined) found.delete(pid)
    if (stat === undefined || stat.kernelThread) return stat !== undefined
    const before = this.#known.get(pid)
    const known = before?.startedAt === stat.startedAt ? before : undefined
    const tag = known?.environ === stat.environ ? undefined : readTag(pid)
    if (tag === 'blank') blank.add(pid)
    if (typeof tag === 'object' && tag.homeId !== this.#homeId) found.set(pid, { ...stat, tag: ELSEWHERE })
    else if (typeof tag === 'object') found.set(pid, { ...stat, tag: tag.run, standing: standingOf(pid, known) })
    else if (known !== undefined) found.set(pid, { ...stat, tag: known.run, standing: standingOf(pid, known) })
    else found.set(pid, stat)
    return true
  }

  #conclude(takenAt: number, found: Found): Snapshot {
    const own = ancestry()
    this.#claimDescendants(found, own)
    this.#claimSessions(found)
    this.#claimDescendants(found, own)

    this.#known = new Map()
    const members: Member[] = []
    const strays = new Map<number, ProcStat>()
    for (const { tag: run, standing: told, ...stat } of found.values()) {
      if (run === undefined) strays.set(stat.pid, stat)
      if (run === undefined || run === ELSEWHERE) continue
      const { pid, startedAt, environ } = stat
      const standing = told ?? standingOf(pid)
      this.#known.set(pid, { startedAt, environ, run, ...standing })
      const spared = own.has(pid) ? 'this program or an ancestor of it' : standing.spared
      members.push({ ...stat, run, ...(spared === undefined ? {} : { spared }) })
    }
    members.sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)
    this.#rememberSessions(members)
    return { takenAt, members, byRun: Map.groupBy(members, ({ run }) => run), strays }
  }

  /**
   * A child without a tag belongs where its parent does, be that to us or elsewhere. Not through ourselves: what this
   * program starts is its own affair.
   */
  #claimDescendants(found: Found, own: ReadonlySet<number>): void {
    const children = Map.groupBy(found.values(), ({ parent }) => parent)
    const open = [...found.values()].filter(({ tag }) => tag !== undefined)
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      if (own.has(parent.pid)) continue
      const strays = (children.get(parent.pid) ?? []).filter(({ tag }) => tag === undefined)
      // Seen alive after the child was read, so the child's parent was this process and no later one of the same pid.
      if (strays.length === 0 || !lives(parent)) continue
      for (const stray of strays) {
        if (parent.tag === undefined) continue
        stray.tag = parent.tag
        open.push(stray)
      }
    }
  }

  #claimSessions(found: Found): void {
    const inside = Map.groupBy(found.values(), ({ session }) => session)
    for (const [session, run] of this.#sessions) {
      const those = inside.get(session) ?? []
      const strays = those.filter(({ tag }) => tag === undefined)
      const isOurs = (one: ProcStat) => this.#known.get(one.pid)?.startedAt === one.startedAt
      // One that was there before and still is proves that the number was not given to another session meanwhile.
      if (strays.length > 0 && those.some((one) => isOurs(one) && lives(one))) for (const one of strays) one.tag = run
    }
  }

  #rememberSessions(members: readonly Member[]): void {
    const used = new Set(members.map(({ session }) => session))
    for (const session of this.#sessions.keys()) if (!used.has(session)) this.#sessions.delete(session)
    for (const { pid, session, run, spared } of members) {
      if (pid === session && spared === undefined) this.#sessions.set(session, run)
    }
  }
}

/** This process, those above it, and the first process of all. */
export function ancestry(): ReadonlySet<number> {
  const own = new Set([1])
  for (let pid = process.pid; pid > 0 && !own.has(pid); pid = readStat(pid)?.parent ?? 0) own.add(pid)
  return own
}

/**
 * The folder's owner is cheap to ask and changes with the process's user, but is root for a process that protects its
 * memory; the status file is exact.
 */
export function standingOf(pid: number, known?: Standing): Standing {
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
  if (owner === undefined) return { spared: 'gone' }
  if (owner === known?.owner) return known
  const status = readProcFile(`/proc/${pid}/status`)?.toString('latin1') ?? ''
  const [real, effective] = /^Uid:\t(\d+)\t(\d+)/m.exec(status)?.slice(1).map(Number) ?? []
  const us = process.geteuid?.()
  return real === us && effective === us ? { owner } : { owner, spared: `of another user, uid ${real ?? 'unknown'}` }
}
