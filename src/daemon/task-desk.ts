/**
 * Asks the lists of tasks, however many ask for them: a list that was read lately is not read again, and who asks
 * meanwhile gets the same answer. A list that cannot be read is left alone for as long.
 */
import type { AgentRecord } from '../contract/records.ts'
import type { AgentTasks, Task } from '../contract/tasks.ts'
import type { Clock } from '../core/ports.ts'
import type { TaskList, TaskPlace, TaskSource } from '../core/tasks-port.ts'
import { keptTasks, noTasks, ownTasks, taskListOf } from '../core/tasks/own-tasks.ts'
import { atMost } from './at-most.ts'

export interface TaskDeskOptions {
  /** Of several that have tasks of an agent the first counts. */
  sources: readonly TaskSource[]
  clock: Clock
}

export interface FoundTasks {
  found: readonly { source: TaskSource; tasks: readonly Task[] }[]
  /** What is missing where there is no list. */
  missing: readonly string[]
  /** Why a list that is there could not be read. */
  failed: readonly string[]
}

type Looked = { source: TaskSource; tasks: readonly Task[] } | { missing: string } | { failed: string }

type Tasked = Pick<AgentRecord, 'id' | 'kind' | 'issue' | 'workspace' | 'sessionId'>

const READ_AT_ONCE = 2
const LISTS_KEPT = 200

export class TaskDesk {
  readonly #options: TaskDeskOptions
  readonly #paced = atMost(READ_AT_ONCE)
  readonly #read = new Map<string, { at: number; tasks: Promise<readonly Task[]> }>()

  constructor(options: TaskDeskOptions) {
    this.#options = options
  }

  /** The tasks of one agent, not older than that; `failed` when a list is there that could not be read. */
  async tasksOf(agent: Tasked, maxAgeMs: number): Promise<{ tasks: AgentTasks; failed: boolean }> {
    const { id, issue, workspace, sessionId: session } = agent
    const { found, missing, failed } = await this.look({ workspace, list: taskListOf(agent), session }, maxAgeMs)
    for (const { source, tasks } of found) {
      const own = source.shared ? ownTasks(tasks, agent) : tasks
      if (own.some(({ group }) => group !== true)) return { tasks: keptTasks(source.kind, own), failed: false }
    }
    const [first] = found
    if (first === undefined) return { tasks: noTasks([...failed, ...missing].join('; ')), failed: failed.length > 0 }
    const count = first.tasks.filter(({ group }) => group !== true).length
    const tasks = count === 1 ? '1 task' : `${count} tasks`
    const why = count === 0 ? 'its list has no task' : `of ${tasks} there none is of ${issue ?? id}`
    return { tasks: { ...keptTasks(first.source.kind, []), why }, failed: false }
  }

  /** All lists that count for a place. */
  async look(place: TaskPlace, maxAgeMs: number): Promise<FoundTasks> {
    const looked = await Promise.all(this.#options.sources.map((source) => this.#ask(source, place, maxAgeMs)))
    return {
      found: looked.flatMap((each) => ('tasks' in each ? [each] : [])),
      missing: looked.flatMap((each) => ('missing' in each ? [each.missing] : [])),
      failed: looked.flatMap((each) => ('failed' in each ? [each.failed] : [])),
    }
  }

  async #ask(source: TaskSource, place: TaskPlace, maxAgeMs: number): Promise<Looked> {
    const list = await source.find(place)
    if ('missing' in list) return list
    try {
      return { source, tasks: await this.#tasksIn(`${source.kind} ${list.key}`, list, maxAgeMs) }
    } catch (error) {
      return { failed: (error as Error).message }
    }
  }

  #tasksIn(key: string, list: TaskList, maxAgeMs: number): Promise<readonly Task[]> {
    const at = this.#options.clock.now().monoAt
    const last = this.#read.get(key)
    if (last !== undefined && at - last.at < maxAgeMs) return last.tasks
    const tasks = this.#paced(() => list.read())
    // Whoever waits for it hears of its failure; here it is only kept.
    tasks.catch(() => undefined)
    this.#read.delete(key)
    this.#read.set(key, { at, tasks })
    for (const old of [...this.#read.keys()].slice(0, -LISTS_KEPT)) this.#read.delete(old)
    return tasks
  }
}
