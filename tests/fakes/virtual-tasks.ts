/** A list of tasks in memory. Blocked is what waits for a task that is not closed. */
import type { Task } from '../../src/contract/tasks.ts'
import type { TaskSource } from '../../src/core/tasks-port.ts'

type Given = Partial<Omit<Task, 'id' | 'title'>>

export class VirtualTasks implements TaskSource {
  readonly kind = 'beads'
  readonly shared = true
  /** How often the list was read. */
  reads = 0
  /** What reading fails with. */
  failure: string | undefined
  readonly #lists = new Map<string, Task[]>()

  /** A list for the folder, unless there is one. */
  begin(workspace: string): void {
    if (!this.#lists.has(workspace)) this.#lists.set(workspace, [])
  }

  add(workspace: string, title: string, given: Given = {}): string {
    this.begin(workspace)
    const list = this.#listOf(workspace)
    const id = `t-${list.length + 1}`
    list.push({ id, title, state: 'open', tags: [], blockedBy: [], ...given })
    return id
  }

  change(workspace: string, id: string, given: Given): void {
    const list = this.#listOf(workspace)
    this.#lists.set(
      workspace,
      list.map((task) => (task.id === id ? { ...task, ...given } : task)),
    )
  }

  async find({ workspace }: { workspace: string }) {
    if (!this.#lists.has(workspace)) return { missing: `there is no list for ${workspace}` }
    return { key: workspace, read: () => this.#read(workspace) }
  }

  async #read(workspace: string): Promise<Task[]> {
    this.reads += 1
    if (this.failure !== undefined) throw new Error(this.failure)
    const list = this.#listOf(workspace)
    const closed = new Set(list.filter(({ state }) => state === 'closed').map(({ id }) => id))
    return list.map((task) => {
      const blockedBy = task.state === 'closed' ? [] : task.blockedBy.filter((id) => !closed.has(id))
      const isBlocked = task.state === 'open' && blockedBy.length > 0
      return { ...task, blockedBy, state: isBlocked ? 'blocked' : task.state }
    })
  }

  #listOf(workspace: string): Task[] {
    return this.#lists.get(workspace) ?? []
  }
}
