/** What the journal and its worker say to each other. Messages arrive in the order in which they were sent. */
import type { StatusFile } from '../../contract/house-view.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { EventQuery, RibbonQuery } from '../../core/ports.ts'
import type { DatabaseOptions } from './database.ts'
import type { Rows } from './rows.ts'

export type WorkerOptions = DatabaseOptions

export type Request =
  | { type: 'commit'; rows: Rows }
  | { type: 'recover'; id: number }
  | { type: 'events'; id: number; query: EventQuery }
  | { type: 'ribbons'; id: number; query: RibbonQuery }
  | { type: 'publish'; status: StatusFile }
  | { type: 'cost'; agent: AgentId; usd: number | undefined }
  | { type: 'close' }

export type Reply =
  | { type: 'opened' }
  /** The oldest `count` commits that were not yet confirmed are durable. */
  | { type: 'durable'; count: number }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refused'; id: number; sentence: string }
  /** A published file could not be written; the journal itself is well. */
  | { type: 'problem'; sentence: string }
  /** All of them could be again. */
  | { type: 'well' }
  /** The journal failed for good: nothing that is unconfirmed will be. */
  | { type: 'dead'; sentence: string }
