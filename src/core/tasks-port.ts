/** The port for lists of tasks that others keep: beads, and what agents' own programs keep. They are read, never written. */
import type { Task, TaskSourceKind } from '../contract/tasks.ts'

/** Whose tasks are wanted, as far as that decides which list it is. */
export interface TaskPlace {
  workspace: string
  /** The name under which the agent's own program keeps its list (`taskListOf` in core/tasks). */
  list?: string | undefined
  /** The session of the agent's program, where it keeps a list of its own for each. */
  session?: string | undefined
}

export interface TaskList {
  /** The same key is the same list, whoever asks. */
  key: string
  /** All of it, closed ones too, in the order of the list. May start a program, and rejects when it cannot be read. */
  read(): Promise<readonly Task[]>
}

export interface TaskSource {
  readonly kind: TaskSourceKind
  /** Its lists hold tasks of many agents. */
  readonly shared: boolean
  /** Cheap: no process is started for it. Never rejects; without a list it says what is missing. */
  find(place: TaskPlace): Promise<TaskList | { missing: string }>
}
