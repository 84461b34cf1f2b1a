/**
 * The tree of a session that a person started: its leader, known by pid, start time and start of the machine, and those
 * that are its descendants now. Whoever left the tree by himself is the person's, and so is whatever carries a run tag.
 * While a tree is being ended its members are remembered, since the death of a parent takes the last link away.
 */
import type { Leader } from '../../contract/adopted.ts'
import { ancestry, standingOf, type Member } from './census.ts'
import { lives, readProcFile, type ProcStat } from './proc-stat.ts'

/** Who carries no tag, by pid. */
export type Strays = ReadonlyMap<number, ProcStat>

export class AdoptedTree {
  readonly run: string
  readonly #leader: Leader
  /** By pid: when it started. */
  readonly #ending = new Map<number, number>()

  constructor(run: string, leader: Leader) {
    this.run = run
    this.#leader = leader
  }

  /** The leader first. */
  members(strays: Strays): Member[] {
    const leader = strays.get(this.#leader.pid)
    if (leader === undefined || !isLeader(this.#leader, leader)) return []
    return this.#with(descendants([leader], strays))
  }

  /** Those that are left of it, the leader or not, once somebody began to end it. */
  left(strays: Strays): Member[] {
    const known = [...this.#ending].flatMap(([pid, startedAt]) => {
      const stray = strays.get(pid)
      return stray?.startedAt === startedAt ? stray : []
    })
    const leader = strays.get(this.#leader.pid)
    const first = leader !== undefined && isLeader(this.#leader, leader) ? [leader] : []
    const all = descendants([...first, ...known], strays)
    for (const { pid, startedAt } of all) this.#ending.set(pid, startedAt)
    return this.#with(all)
  }

  #with(stats: readonly ProcStat[]): Member[] {
    const own = ancestry()
    return stats.map((stat) => {
      const { spared } = own.has(stat.pid) ? { spared: 'this program or an ancestor of it' } : standingOf(stat.pid)
      return { ...stat, run: this.run, ...(spared === undefined ? {} : { spared }) }
    })
  }
}

/** Whether the very same process still lives. */
export function leaderLives({ pid, startTime, boot }: Leader): boolean {
  return boot === bootId() && lives({ pid, startedAt: startTime })
}

/** Which start of the machine this is. */
export function bootId(): string {
  return readProcFile('/proc/sys/kernel/random/boot_id')?.toString().trim() || 'unknown'
}

function isLeader({ startTime, boot }: Leader, { startedAt }: ProcStat): boolean {
  return startedAt === startTime && boot === bootId()
}

function descendants(first: readonly ProcStat[], strays: Strays): ProcStat[] {
  const own = ancestry()
  const children = Map.groupBy(strays.values(), ({ parent }) => parent)
  const found = new Map(first.map((stat) => [stat.pid, stat]))
  const open = [...found.values()]
  for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
    const news = (children.get(parent.pid) ?? []).filter(({ pid }) => !found.has(pid))
    // Seen alive after the child was read, so the child's parent was this process and no later one of the same pid.
    if (news.length === 0 || own.has(parent.pid) || !lives(parent)) continue
    for (const child of news) found.set(child.pid, child)
    open.push(...news)
  }
  return [...found.values()]
}
