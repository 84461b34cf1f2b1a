/** What the spool and its thread say to each other. Messages arrive in the order in which they were sent. */
import type { RawReport } from '../../core/ports.ts'

export interface WorkerOptions {
  home: string
  homeId: string
  /** At most so many reports, and bytes of them, are with the daemon and not yet taken. */
  window: { reports: number; bytes: number }
  rescanMs: number
}

export type Request = { type: 'taken'; ids: readonly string[] } | { type: 'rescan' } | { type: 'close' }

export type Reply =
  | { type: 'opened' }
  | { type: 'reports'; reports: readonly RawReport[] }
  /** All that is wrong now; sent when it changes. */
  | { type: 'problems'; sentences: readonly string[] }
