/** The task lists that Claude Code keeps itself: one folder for each list, one file for each task. Read only. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../contract/tasks.ts'
import type { TaskSource } from '../../core/tasks-port.ts'
import { readTasks, type TaskFile } from './read-tasks.ts'
import { readSmall } from '../process/read-small.ts'

export interface ClaudeTasksOptions {
  /** Where HOME and CLAUDE_CONFIG_DIR are taken from. */
  env: Readonly<Record<string, string | undefined>>
}

const MOST_FILES = 1000
const MOST_BYTES = 256 * 1024

export function claudeTasks({ env }: ClaudeTasksOptions): TaskSource {
  const config = env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? '/', '.claude')
  return {
    kind: 'claude-tasks',
    shared: false,
    find: async ({ list, session }) => {
      for (const name of [list, session]) {
        if (name === undefined) continue
        const folder = join(config, 'tasks', folderName(name))
        const about = await stat(folder).catch(() => undefined)
        if (about?.isDirectory()) return { key: folder, read: () => readFolder(folder) }
      }
      return { missing: 'Claude Code has made no task list for it' }
    },
  }
}

/** The client replaces what it does not take in a name. */
function folderName(list: string): string {
  return list.replaceAll(/[^A-Za-z0-9_-]/g, '-')
}

async function readFolder(folder: string): Promise<Task[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{1,9}\.json$/.test(name))
  const numbered = names.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).slice(-MOST_FILES)
  const files: TaskFile[] = []
  for (const name of numbered) files.push(...(await readOne(join(folder, name))))
  return readTasks(files)
}

/** A task that is deleted takes its file with it, perhaps just now. */
async function readOne(path: string): Promise<TaskFile[]> {
  try {
    const { mtimeMs } = await stat(path)
    const text = await readSmall(path, MOST_BYTES)
    return text === undefined ? [] : [{ text, changedWallAt: Math.floor(mtimeMs) }]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
