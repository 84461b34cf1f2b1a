/** What the machine says of a process, and of the one that holds a home: by pid and start time, since pids are reused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Holder {
  /** A holder left its note behind: only kill -9, a crash or a power cut do that. */
  died: boolean
  pid?: number
  /** By SIGSTOP or a debugger. */
  stopped?: boolean
}

/** The process that says it holds the home, if it is still that process. */
export function holderOf(home: string): Holder {
  let note: { pid?: unknown; startedAt?: unknown }
  try {
    note = JSON.parse(readFileSync(join(home, 'daemon.lock.json'), 'utf8')) as typeof note
  } catch {
    return { died: false }
  }
  const { pid, startedAt } = note
  if (typeof pid !== 'number') return { died: false }
  const found = processOf(pid)
  if (found === undefined || (startedAt !== undefined && startedAt !== found.startedAt)) return { died: true }
  return { died: false, pid, stopped: found.state === 'T' || found.state === 't' }
}

export function isAlive(pid: number): boolean {
  return processOf(pid) !== undefined
}

/** Undefined once it has ended, also while its parent has not yet taken notice. */
function processOf(pid: number): { state: string; startedAt: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The command stands in brackets and may itself contain brackets and spaces; the state is field 3, the start 22.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = ''] = fields
  return state === 'Z' || state === 'X' ? undefined : { state, startedAt: Number(fields[19]) }
}
