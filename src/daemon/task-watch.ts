/**
 * When the tasks of living agents are looked at: now and then, and sooner when an agent was seen to change them. Beside
 * the loop, which is told what was found as a report; nothing is told twice.
 */
import type { Activity, Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { AgentTasks } from '../contract/tasks.ts'
import { HOUR, SECOND } from '../core/durations.ts'
import { fingerprint } from '../core/fingerprint.ts'
import type { Clock } from '../core/ports.ts'
import { changesTasks } from '../core/tasks/changes-tasks.ts'
import { ratedTasks } from '../core/tasks/tasks-view.ts'
import type { Loop } from './loop.ts'
import { readableSighting } from './readable.ts'
import type { TaskDesk } from './task-desk.ts'

/** An agent's tasks are looked at this often, and so soon after a change of its own; several in a row are one. */
const EVERY_MS = 30 * SECOND
const SOON_MS = SECOND
/** Of so many rounds one asks, too, for lists that were not there before. */
const ROUNDS_WITHOUT = 10
const NOTHING: Activity = { ts: '', state: 'idle' }
const LONG_AGO_MS = 10_000 * HOUR

export interface TaskWatchOptions {
  desk: Pick<TaskDesk, 'tasksOf'>
  clock: Clock
  loop: Pick<Loop, 'world' | 'durable' | 'report'>
}

export class TaskWatch {
  readonly #options: TaskWatchOptions
  /** The newest activity of each that was looked at, and those whose present call changes tasks. */
  readonly #seen = new Map<AgentId, Activity>()
  readonly #changing = new Set<AgentId>()
  readonly #soon = new Map<AgentId, () => void>()
  #ends: readonly (() => void)[] = []
  #cancel: () => void = () => {}
  /** Those for whom there was no list. */
  readonly #without = new Set<AgentId>()
  #rounds = 0
  #stopped = false

  constructor(options: TaskWatchOptions) {
    this.#options = options
  }

  begin(): void {
    const { durable } = this.#options.loop
    this.#ends = [durable.follow((_, agents) => this.#heed(agents))]
    void this.#round()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
    for (const end of [...this.#ends, ...this.#soon.values()]) end()
  }

  async #round(): Promise<void> {
    const { clock, loop } = this.#options
    const { agents, house } = loop.world
    const beganAt = clock.now().monoAt
    if (house.monitoring !== 'paused') {
      // A list that was read for one agent is not read again for the next one of the same round.
      const due = [...agents.values()].filter((agent) => lives(agent) && this.#isDue(agent.id))
      await Promise.all(due.map(({ id }) => this.#look(id, EVERY_MS / 2)))
      this.#rounds += 1
    }
    for (const known of [this.#seen, this.#without]) {
      for (const id of known.keys()) if (!agents.has(id)) known.delete(id)
    }
    if (!this.#stopped) {
      this.#cancel = clock.wakeAt(Math.max(beganAt + EVERY_MS, clock.now().monoAt), () => void this.#round())
    }
  }

  #isDue(id: AgentId): boolean {
    return !this.#without.has(id) || this.#rounds % ROUNDS_WITHOUT === 0
  }

  /** Called with every durable batch, so it only remembers: the look comes when the call that changes tasks is over. */
  #heed(ids: readonly AgentId[]): void {
    const { agents } = this.#options.loop.world
    for (const id of ids) {
      const agent = agents.get(id)
      if (agent === undefined) continue
      // A batch may hold a whole call and what came after it.
      const fresh = agent.activities.slice(agent.activities.lastIndexOf(this.#seen.get(id) ?? NOTHING) + 1)
      if (fresh.some(changesTasks)) this.#changing.add(id)
      const newest = fresh.at(-1)
      if (newest !== undefined) this.#seen.set(id, newest)
      if (this.#changing.has(id) && agent.evidence.hook?.doing?.kind !== 'tool') {
        this.#changing.delete(id)
        this.#lookSoon(id)
      }
    }
  }

  /** So long after the last of several changes; what was read since then has it in it. */
  #lookSoon(id: AgentId): void {
    this.#soon.get(id)?.()
    const { clock } = this.#options
    const cancel = clock.wakeAt(clock.now().monoAt + SOON_MS, () => {
      this.#soon.delete(id)
      void this.#look(id, SOON_MS)
    })
    this.#soon.set(id, cancel)
  }

  async #look(id: AgentId, maxAgeMs: number): Promise<void> {
    const { desk, loop } = this.#options
    const asked = loop.world.agents.get(id)
    if (asked === undefined || !lives(asked)) return
    const { tasks: found, failed } = await desk.tasksOf(asked, maxAgeMs)
    if (found.source === undefined && !failed) this.#without.add(id)
    else this.#without.delete(id)
    const tasks = ratedTasks(found, loop.world.settings.routing)
    const agent = loop.world.agents.get(id)
    if (this.#stopped || agent === undefined || agent.generation !== asked.generation) return
    // Unknown is not gone: what was last seen stays when its list cannot be read for once.
    const isLost = failed && agent.tasks?.source !== undefined
    const isHeard = tasks.tasks.length === 0 || agent.evidence.tasks !== undefined
    const isSame = isHeard && JSON.stringify(agent.tasks) === JSON.stringify(tasks)
    if (isLost || isSame) return
    const sighting = readableSighting(this.#sightingOf(agent, tasks))
    if (sighting !== undefined) await loop.report(sighting)
  }

  /** Only tasks that change are a sign of work, and only closed ones are progress. */
  #sightingOf({ id, generation }: AgentRecord, tasks: AgentTasks): Sighting {
    const newest = Math.max(0, ...tasks.tasks.map(({ changedWallAt = 0 }) => changedWallAt))
    const ageMs = newest === 0 ? LONG_AGO_MS : Math.max(0, this.#options.clock.now().wallAt - newest)
    const states = tasks.tasks.map((task) => `${task.id} ${task.state}`)
    const closed = tasks.tasks.flatMap((task) => (task.state === 'closed' ? task.id : []))
    const told = states.length === 0 ? {} : { stamp: fingerprint(states.join('\n')) }
    const progress = closed.length === 0 ? {} : { progress: fingerprint(closed.join('\n')) }
    return { agent: id, generation, witness: 'tasks', ageMs, ...told, ...progress, tasks }
  }
}
