/**
 * beads as a source of tasks, through its own program: `bd --json`, which its authors name as the boundary. Reads only,
 * one question at a time per project, each bounded in time and in what it may print.
 */
import { dirname } from 'node:path'
import type { Task } from '../../contract/tasks.ts'
import type { TaskSource } from '../../core/tasks-port.ts'
import type { Fields } from '../../core/tasks/bounded-task.ts'
import { run } from '../process/run.ts'
import { findProject } from './find-project.ts'
import { readAnswer, rowsOf } from './read-answer.ts'
import { needsReady, tasksIn } from './read-issues.ts'

export interface BeadsOptions {
  /** Where PATH, HOME, BD_BIN and BEADS_DIR are taken from. */
  env: Readonly<Record<string, string | undefined>>
  /** The program with its first arguments; left out, BD_BIN, else `bd` on the PATH. */
  program?: readonly string[]
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 16 * 1024 * 1024

/** What keeps it quiet and at home: no questions, no colours, no figures sent to its makers. */
const QUIET = {
  BD_JSON_ENVELOPE: '1',
  BD_NON_INTERACTIVE: '1',
  BD_DISABLE_METRICS: '1',
  BD_DISABLE_EVENT_FLUSH: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
}

const NEEDED = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'BEADS_DIR', 'XDG_CONFIG_HOME']

export function beads({ env, program, timeoutMs = TIMEOUT_MS }: BeadsOptions): TaskSource {
  const argv = program ?? [env['BD_BIN'] || 'bd']
  const own = Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  const turns = new Map<string, Promise<unknown>>()

  async function ask(folder: string, question: readonly string[]): Promise<Fields[]> {
    const printed = await run([...argv, ...question, '--json', '--readonly'], {
      cwd: folder,
      env: { ...own, ...QUIET },
      timeoutMs,
      maxBytes: MAX_BYTES,
    }).catch((error: unknown) => {
      throw isMissing(error) ? new Error(NOT_THERE) : error
    })
    const answer = readAnswer(printed)
    if ('error' in answer) throw new Error(`bd ${question[0]} failed in ${folder}: ${answer.error}`)
    return rowsOf(answer.payload)
  }

  async function read(folder: string): Promise<Task[]> {
    const rows = await ask(folder, ['list', '--all', '--limit', '0'])
    if (!needsReady(rows)) return tasksIn(rows, undefined)
    const ready = await ask(folder, ['ready', '--limit', '0', '--exclude-type', 'epic'])
    return tasksIn(rows, new Set(ready.map((row) => row['id'])))
  }

  return {
    kind: 'beads',
    shared: true,
    find: async ({ workspace }) => {
      const project = await findProject(workspace, env['BEADS_DIR'])
      if (project === undefined) return { missing: `there is no .beads in or above ${workspace}` }
      return {
        key: project,
        // Its store lets one reader in at a time: those who ask together only wait for each other.
        read: () => inTurn(turns, project, () => read(dirname(project))),
      }
    },
  }
}

const NOT_THERE = 'bd is not there: it is on no folder of the PATH. Install beads, or name the program in BD_BIN.'

function isMissing(error: unknown): boolean {
  const { cause } = error as Error
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}

function inTurn<T>(turns: Map<string, Promise<unknown>>, key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.catch(() => undefined).finally(() => turns.get(key) === settled && turns.delete(key))
  turns.set(key, settled)
  return mine
}
