/**
 * A session that a person started alone and had Cloister watch. It carries no run tag: its pane and its leader, the
 * client's own process, are known by ids that are never given twice, and nothing else is ever taken for them.
 */
import * as z from 'zod'
import { agentId, projectId } from './ids.ts'

/** What a person may allow beyond being watched. */
export const ALLOWABLE = ['message', 'kill'] as const
export const allowed = z.enum(ALLOWABLE)
export type Allowed = z.infer<typeof allowed>

/** Where it shows itself, when that is a pane of a tmux server. Ids repeat after a restart of the server. */
export const adoptedPane = z.object({
  socket: z.string().startsWith('/').max(108),
  /** The start time as tmux tells it, in seconds. */
  server: z.object({ pid: z.int().positive(), startTime: z.int().positive() }),
  /** `%3` */
  id: z.string().regex(/^%\d{1,9}$/, 'not the id of a pane'),
})
export type AdoptedPane = z.infer<typeof adoptedPane>

/** Clock ticks since a start of the machine, and which start that was: with the pid an identity. */
export const leader = z.object({
  pid: z.int().positive(),
  startTime: z.int().positive(),
  boot: z.string().min(1).max(64),
})
export type Leader = z.infer<typeof leader>

export const adopted = z.object({
  /** Left out when it runs in no tmux. */
  pane: adoptedPane.optional(),
  leader,
  allow: z.array(allowed).max(ALLOWABLE.length),
})
export type Adopted = z.infer<typeof adopted>

/** Whose process it is, where it shows itself, and what may be done to it. */
export const adoptedView = z.object({
  allow: z.array(allowed),
  pid: z.int().positive(),
  pane: z.object({ socket: z.string(), id: z.string() }).optional(),
})
export type AdoptedView = z.infer<typeof adoptedView>

/** Whom to adopt, and what may be done to it beyond watching. */
export const adoptBody = z.strictObject({
  /** A tmux pane (`%3`, `work`, `work:1`, `work:1.0`) or the id of a session. */
  target: z.string().min(1).max(200),
  /** The tmux server's socket; needed for a pane. */
  socket: z.string().startsWith('/', 'must be an absolute path').max(108).optional(),
  /** Left out: `own-` and the beginning of the session's id. */
  id: agentId.optional(),
  project: projectId.optional(),
  title: z.string().max(200).optional(),
  allow: z.array(allowed).max(10).default([]),
})
export type AdoptBody = z.infer<typeof adoptBody>
