/**
 * GET /api/stream: all state as server-sent events, `id` being the journal's seq. The first message is a snapshot, or,
 * with Last-Event-ID, a change with what was missed where that is not too much. Ages in views are true at `at` (wall
 * clock); whoever shows them lets them grow.
 */
import * as z from 'zod'
import { agentId } from './ids.ts'
import { agentView, eventsView } from './views.ts'
import { statusView } from './status-view.ts'

export const streamSnapshot = z.object({
  seq: z.int().nonnegative(),
  at: z.number(),
  /** Another id after a reconnect means that the daemon is another one. */
  boot: z.string(),
  status: statusView,
  agents: z.array(agentView),
})
export type StreamSnapshot = z.infer<typeof streamSnapshot>

/** What became different since the last message, coalesced: whole views, the newest only. */
export const streamChange = z.object({
  seq: z.int().nonnegative(),
  at: z.number(),
  status: statusView.optional(),
  agents: z.array(agentView),
  gone: z.array(agentId),
  events: eventsView.shape.events,
})
export type StreamChange = z.infer<typeof streamChange>

/** The last message before the daemon closes the stream, with the reason. */
export const streamBye = z.object({
  code: z.enum(['slow', 'stopping', 'too_many', 'expired']),
  sentence: z.string(),
  hint: z.string(),
})
export type StreamBye = z.infer<typeof streamBye>

/** The name of a server-sent event and what its data is. A comment line every 15 s keeps the connection alive. */
export interface StreamMessages {
  snapshot: StreamSnapshot
  change: StreamChange
  bye: StreamBye
}
