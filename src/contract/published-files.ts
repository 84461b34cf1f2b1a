/** The files of an agent that scripts and people read, as the documents shape them. */
import * as z from 'zod'
import { adopted } from './adopted.ts'
import { complexity } from './config/values.ts'
import { agentId, generation, issueId } from './ids.ts'
import { health, lifecycle } from './verdict.ts'

/** agents/<id>/state.json */
export const stateFile = z.object({
  id: agentId,
  issue: issueId.optional(),
  workspace: z.string(),
  runtime: z.string(),
  model: z.string(),
  /** Of the task that it does, else of the next one, where its tasks are known. */
  complexity: complexity.optional(),
  lifecycle,
  health: health.nullable(),
  cause: z.string().nullable(),
  lastActivity: z.string().optional(),
  handoffCount: z.int(),
  sessionId: z.string().optional(),
  generation,
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
