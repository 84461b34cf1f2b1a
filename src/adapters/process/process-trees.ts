/** The process trees of one home's agents: whether they live and work, and how they end. */
import type { Leader } from '../../contract/adopted.ts'
import type { Adoptee, Processes } from '../../core/ports.ts'
import { AdoptedTree, leaderLives } from './adopted-tree.ts'
import { Census, type Member, type Snapshot } from './census.ts'
import { askToEnd, kill } from './end-members.ts'
import { lives } from './proc-stat.ts'
import { readAgent } from './run-tag.ts'
import { forgetUnrecorded, isLatched, isUnrecorded, latch, readNote, release, type StopNote } from './sentinel.ts'

export interface ProcessTreesOptions {
  homeId: string
  home: string
  /** How long the agent's own program may take to end in order, and its children with it, when it alone is asked. */
  askMs?: number
  /** How long those that are left may take to end by themselves after SIGTERM. */
  graceMs?: number
  /** How long killing is repeated before survivors are reported. */
  killMs?: number
  /** How old a count may be for a look. A process found in it is asked again, and «dead» is never said from it. */
  countMaxAgeMs?: number
  /** Told what an emergency stop does, as it does it. */
  tell?: (sentence: string) => void
}

export interface StoppedRun {
  run: string
  /** As its processes carry it; absent when none could be read. */
  agent?: string
  ended: number
  survivors: readonly string[]
}

export interface FleetStop {
  /** Runs whose tree was found and is verified gone. */
  runs: readonly string[]
  survivors: readonly string[]
  byRun: readonly StoppedRun[]
  /** What else went wrong; the stop went on. */
  problems: readonly string[]
}

/** Above what a quiet child uses from one look to the next. */
const BUSY_TICKS = 5
const CLOSING_MS = 500

interface LastLook {
  /** When the count was taken that it comes from. */
  takenAt: number
  pid: number | undefined
  leader: string
  ticks: number
  busy?: boolean
}

export class ProcessTrees implements Processes {
  readonly #options: Required<ProcessTreesOptions>
  readonly #census: Census
  readonly #looks = new Map<string, LastLook>()
  #newest: Snapshot | undefined
  #running: Promise<Snapshot> | undefined
  #next: Promise<Snapshot> | undefined

  constructor(options: ProcessTreesOptions) {
    this.#options = { askMs: 3_000, graceMs: 1_000, killMs: 3_000, countMaxAgeMs: 1_000, tell: () => {}, ...options }
    this.#census = new Census(options.homeId)
  }

  async lookAt(run: string, leader?: Leader): ReturnType<Processes['lookAt']> {
    const snapshot = await this.#recent(run, leader)
    const members =
      leader === undefined ? (snapshot.byRun.get(run) ?? []) : new AdoptedTree(run, leader).members(snapshot.strays)
    if (members.length === 0) {
      this.#looks.delete(run)
      return { alive: false }
    }
    const last = this.#looks.get(run)
    if (last?.takenAt === snapshot.takenAt) return answer(last)
    const look: LastLook = { takenAt: snapshot.takenAt, ...work(members) }
    if (last?.leader === look.leader) look.busy = look.ticks - last.ticks > BUSY_TICKS
    this.#looks.set(run, look)
    return answer(look)
  }

  async end(run: string, adopted?: Leader): Promise<{ survivors: readonly string[] }> {
    const tree = adopted === undefined ? undefined : new AdoptedTree(run, adopted)
    const count = async () => {
      const { byRun, strays } = await this.#count()
      return tree?.left(strays) ?? byRun.get(run) ?? []
    }
    this.#looks.delete(run)
    const [leader] = await count()
    // A SIGTERM to all would cut off what the program still does at its end: its record, its hooks.
    if (leader !== undefined) await askToEnd(async () => (await count()).filter(isSame(leader)), this.#options.askMs)
    await askToEnd(count, this.#options.graceMs)
    return { survivors: (await kill(count, this.#options.killMs)).map(nameOf) }
  }

  /**
   * No grace: an emergency stop is for the moment when nothing may go on. `closing` runs when all are gone; what came
   * to life until then, such as a spawn that was under way, is ended after it.
   */
  async stopFleet(adopted: readonly Adoptee[] = [], closing?: () => Promise<unknown>): Promise<FleetStop> {
    const { home, killMs, tell } = this.#options
    this.#looks.clear()
    const problem = await latch(home)
    tell(problem ?? 'Spawning is blocked.')
    const found = new Map<string, Member>()
    const names = new Map<string, string | undefined>()
    const trees = adopted.map(({ run, leader }) => new AdoptedTree(run, leader))
    const count = async () => {
      const { members: own, strays } = await this.#count()
      const members = [...own, ...trees.flatMap((tree) => tree.left(strays))]
      const before = found.size
      for (const member of members) found.set(`${member.pid} ${member.startedAt}`, member)
      // While they live: the dead carry nothing.
      for (const { run, pid } of members) if (names.get(run) === undefined) names.set(run, readAgent(pid))
      if (found.size > before)
        tell(
          `Ending ${counted(members.length, 'process', 'es')} of ${counted(new Set(members.map(({ run }) => run)).size, 'agent')}.`,
        )
      return members
    }
    let left = await kill(count, killMs)
    if (closing !== undefined) {
      await closing()
      left = await kill(count, Math.min(killMs, CLOSING_MS))
    }
    return { ...summary([...found.values()], left, names), problems: problem === undefined ? [] : [problem] }
  }

  async rearm(): Promise<void> {
    await release(this.#options.home)
  }

  async sentinel(): Promise<boolean> {
    return isLatched(this.#options.home)
  }

  async stopNote(): Promise<StopNote> {
    return readNote(this.#options.home)
  }

  async unrecordedStop(): Promise<boolean> {
    return isUnrecorded(this.#options.home)
  }

  async forgetStop(): Promise<void> {
    await forgetUnrecorded(this.#options.home)
  }

  /** One count serves all who ask within a short time, unless the run seems to be dead. */
  async #recent(run: string, leader: Leader | undefined): Promise<Snapshot> {
    const newest = this.#newest
    const isFresh = newest !== undefined && performance.now() - newest.takenAt <= this.#options.countMaxAgeMs
    if (!isFresh) return this.#count()
    // One that came to life after the count is not in it.
    const isCounted = leader !== undefined && newest.strays.get(leader.pid)?.startedAt === leader.startTime
    const isAlive =
      leader === undefined ? newest.byRun.get(run)?.some(lives) === true : isCounted && leaderLives(leader)
    return isAlive ? newest : this.#count()
  }

  /** A count that begins after the question. Whoever asks while one is under way shares the one after it. */
  #count(): Promise<Snapshot> {
    this.#next ??= this.#startAfter(this.#running)
    return this.#next
  }

  async #startAfter(running: Promise<Snapshot> | undefined): Promise<Snapshot> {
    await running?.catch(() => undefined)
    this.#running = this.#census.take()
    this.#next = undefined
    this.#newest = await this.#running
    return this.#newest
  }
}

function isSame({ pid, startedAt }: Member): (one: Member) => boolean {
  return (one) => one.pid === pid && one.startedAt === startedAt
}

function answer({ pid, busy }: LastLook): Awaited<ReturnType<Processes['lookAt']>> {
  return { alive: true, ...(pid === undefined ? {} : { pid }), ...(busy === undefined ? {} : { busy }) }
}

/**
 * The CPU time of all but the leader. Children that have ended count through those who waited for them, so that the
 * work of many short commands is seen as well.
 */
function work(members: readonly Member[]): Pick<LastLook, 'pid' | 'leader' | 'ticks'> {
  const [leader] = members
  const all = members.reduce((sum, { cpuTicks, reapedTicks }) => sum + cpuTicks + reapedTicks, 0)
  return { pid: leader?.pid, leader: `${leader?.pid} ${leader?.startedAt}`, ticks: all - (leader?.cpuTicks ?? 0) }
}

function summary(
  found: readonly Member[],
  left: readonly Member[],
  names: ReadonlyMap<string, string | undefined>,
): Omit<FleetStop, 'problems'> {
  const alive = Map.groupBy(left, ({ run }) => run)
  const byRun = [...Map.groupBy(found, ({ run }) => run)]
    .map(([run, members]) => {
      const survivors = alive.get(run) ?? []
      const agent = names.get(run)
      const named = agent === undefined ? {} : { agent }
      return { run, ...named, ended: members.length - survivors.length, survivors: survivors.map(nameOf) }
    })
    .toSorted((a, b) => (a.run < b.run ? -1 : 1))
  return {
    runs: byRun.filter(({ survivors }) => survivors.length === 0).map(({ run }) => run),
    survivors: left.map(nameOf),
    byRun,
  }
}

/** A process may call itself anything; control bytes must not reach a terminal. */
function nameOf({ pid, command, spared }: Member): string {
  // oxlint-disable-next-line no-control-regex -- control bytes are what is taken out
  const name = `${pid} (${command.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')})`
  return spared === undefined ? name : `${name}, spared: ${spared}`
}

function counted(n: number, noun: string, ending = 's'): string {
  return `${n} ${noun}${n === 1 ? '' : ending}`
}
