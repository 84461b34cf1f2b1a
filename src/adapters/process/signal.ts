/** Signals one process, and never another one that got its pid. */
import type { Member } from './census.ts'
import { lives } from './proc-stat.ts'

/** Whether the signal was sent. False when that process is gone, is spared, or does not take signals from us. */
export function signal(
  member: Pick<Member, 'pid' | 'startedAt' | 'spared'>,
  name: 'SIGTERM' | 'SIGCONT' | 'SIGSTOP' | 'SIGKILL',
): boolean {
  if (member.spared !== undefined || !lives(member)) return false
  try {
    return process.kill(member.pid, name)
  } catch (error) {
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
