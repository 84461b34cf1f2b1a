/** What the API is sent, beside commands. */
import * as z from 'zod'
import { agentId, generation, issueId, modelName, projectId, sessionId } from './ids.ts'
import { TEXT_LIMIT } from './text-limit.ts'

/** What may be left out when an agent is started again is taken from what is known of it. */
export const spawnBody = z.strictObject({
  /** An agent's id, or an issue's, whose agent is then `agent-<issue>`. */
  id: agentId.optional(),
  issue: issueId.optional(),
  project: projectId.optional(),
  title: z.string().max(200).optional(),
  workspace: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  /** A folder of a repository: a new agent gets a worktree of its own there, on a branch of its own. */
  repo: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  /** Where the caller stands: the workspace of a new agent that names none. */
  cwd: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  runtime: z.string().min(1).max(64).optional(),
  model: modelName.optional(),
  /** Choose the model by the title, where none is named. */
  auto: z.literal(true).optional(),
  prompt: z.string().trim().min(1).max(TEXT_LIMIT).optional(),
})
export type SpawnBody = z.infer<typeof spawnBody>

/** An agent's own word on what it does, in the shape of the documents. */
export const heartbeatBody = z.strictObject({
  state: z.enum(['active', 'idle']),
  tool: z.string().max(100).optional(),
  action: z.string().max(1000).optional(),
  /** Another name of `action`. */
  summary: z.string().max(1000).optional(),
  /** When it was so; left out, now. */
  timestamp: z.iso.datetime({ offset: true }).optional(),
  sessionId: sessionId.optional(),
})
export type HeartbeatBody = z.infer<typeof heartbeatBody>

/** Durable; `taken` is false for a report of a generation that is over. */
export const heartbeatTaken = z.object({ agent: agentId, generation, taken: z.boolean() })
export type HeartbeatTaken = z.infer<typeof heartbeatTaken>
