/** What to say of a process that has the home and does not answer. */
import { join } from 'node:path'
import { readStat } from '../../adapters/process/proc-stat.ts'
import type { Holder } from '../../adapters/sqlite/lock.ts'

export function unanswered(home: string, holder: Holder): { found: string; fix: string } {
  const { pid } = holder
  if (isStopped(holder)) {
    return { found: `process ${pid} has the home and is stopped`, fix: `Let it go on with \`kill -CONT ${pid}\`.` }
  }
  const fix = `See ${join(home, 'logs/daemon.log')}, or end it with \`kill ${pid}\` (agents stay) and \`pan up\`.`
  return { found: `process ${pid} has the home and does not answer`, fix }
}

/** By SIGSTOP or a debugger: it will not answer until somebody lets it go on. */
export function isStopped({ pid }: Holder): boolean {
  return ['T', 't'].includes(readStat(pid)?.state ?? '')
}
