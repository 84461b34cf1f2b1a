/**
 * Looks whether the plan of an agent's issue lies whole in its workspace. It is read again only when it changed, and
 * only counts when nobody has written to it for a while.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import { SECOND } from '../core/durations.ts'
import { isWholePlan, planFilePath } from '../core/handoffs/triggers/planning-complete.ts'
import type { Clock } from '../core/ports.ts'
import { readWorkspaceFile } from './workspace-file.ts'

/** Whoever writes a plan writes it in several pieces. */
const LEFT_ALONE_MS = 20 * SECOND
const READ_LIMIT = 200_000
const REMEMBERED = 1000

export function planFiles(clock: Clock): (agent: AgentRecord) => Promise<Sighting['plan']> {
  const known = new Map<string, { stamp: string; isWhole: boolean }>()
  return async ({ workspace, issue }) => {
    const path = issue === undefined ? undefined : planFilePath(issue)
    if (path === undefined) return undefined
    const file = join(workspace, path)
    const stats = await stat(file).catch(() => undefined)
    if (stats === undefined) return undefined
    const ageMs = clock.now().wallAt - stats.mtimeMs
    if (ageMs < LEFT_ALONE_MS) return undefined
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    const before = known.get(file)
    if (before?.stamp !== stamp) {
      if (known.size >= REMEMBERED) known.clear()
      const read = await readWorkspaceFile(workspace, path, READ_LIMIT)
      known.set(file, { stamp, isWhole: typeof read !== 'string' && !read.cut && isWholePlan(read.text) })
    }
    return known.get(file)?.isWhole === true ? { path, stamp, ageMs } : undefined
  }
}
