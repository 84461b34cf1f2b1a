/** What every command of `pan` is given: a way to start a program by path, and a way to ask the daemon. */
import type { Client } from './client.ts'
import type { ProgramName } from './start-program.ts'
import type { WorktreeProgram } from './worktrees.ts'

export interface Pan {
  /** Starts a program of the daemon; its exit code becomes ours. */
  start: (name: ProgramName, args: string[]) => Promise<number>
  /** Loads the program that knows the worktrees of agents. */
  worktrees: () => Promise<WorktreeProgram>
  /** Ends with this exit code; for what needs neither a program nor the daemon. */
  end: (exitCode: number) => void
  /** Work that asks the daemon. Its failures become a sentence and an exit code; a number it returns is the exit code. */
  ask: (asking: Asking, work: (client: Client) => Promise<number | void>) => Promise<void>
}

export interface Asking {
  json?: true
  /** What is tried, for the sentence of a failure: «poke agent-1». */
  attempt?: string
  /** What to do instead when no daemon runs. */
  withoutDaemon?: () => Promise<number>
  /** With a daemon that does not answer, too. */
  withoutAnswer?: () => Promise<number>
  /** Where else the same questions are answered when no daemon runs. */
  offline?: 'journal' | 'tmux'
  /** Ids that were typed: what cannot be one is wrong usage, daemon or not. */
  ids?: readonly (string | undefined)[]
}

export const JSON_OPTION = ['--json', 'print JSON'] as const
