/** The files of an agent that scripts and people read, as the documents shape them. */
import * as z from 'zod'
import { adopted } from './adopted.ts'
import { complexity } from './config/values.ts'
import { agentId, generation, issueId } from './ids.ts'
import { ground } from './repository.ts'
import { SHOWN } from './shown.ts'
import { health, lifecycle } from './verdict.ts'

/** agents/<id>/state.json */
export const stateFile = z.object({
  id: agentId,
  issue: issueId.optional(),
  workspace: z.string(),
  /** The one that its work is saved in and brought back from. */
  repository: ground.shape.repository,
  /** The folder that it was started in, by its real path. */
  place: ground.shape.place,
  runtime: z.string(),
  model: z.string(),
  /** Of the task that it does, else of the next one, where its tasks are known. */
  complexity: complexity.optional(),
  lifecycle,
  health: health.nullable(),
  cause: z.string().nullable(),
  /** As people see it: `waiting` and `limited` instead of health. */
  shown: z.enum(SHOWN),
  lastActivity: z.string().optional(),
  handoffCount: z.int(),
  /** In USD, by its transcripts and the list prices; left out where something of it is not known or has no price. */
  costSoFar: z.number().nonnegative().optional(),
  sessionId: z.string().optional(),
  generation,
  /** When it was last put to sleep, and last woken; ISO 8601. */
  suspendedAt: z.string().optional(),
  resumedAt: z.string().optional(),
  adopted: adopted.optional(),
})
export type StateFile = z.infer<typeof stateFile>

/** agents/<id>/heartbeat.json */
export const heartbeatFile = z.object({
  timestamp: z.string(),
  agent_id: agentId,
  tool_name: z.string().nullable(),
  last_action: z.string().max(100),
  pid: z.int().nullable(),
  session_id: z.string().nullable(),
})
export type HeartbeatFile = z.infer<typeof heartbeatFile>
