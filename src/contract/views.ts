/** What is shown and published: the shapes of the API, the CLI's --json and the files under agents/. */
import * as z from 'zod'
import { identity } from './identity.ts'
import { agentId, generation, issueId } from './ids.ts'
import { actKind, emergencyState, needsYou } from './records.ts'
import { cause, citation, health, lifecycle } from './verdict.ts'

export const agentView = z.object({
  id: agentId,
  ...identity.shape,
  lifecycle,
  /** Health, cause and reason are there only while the lifecycle is active. */
  health: health.optional(),
  cause: cause.optional(),
  reason: z.string().optional(),
  citations: z.array(citation),
  generation,
  sessionId: z.string().optional(),
  silentMs: z.number(),
  unprogressedMs: z.number(),
  pokes: z.int(),
  act: z.object({ kind: actKind, reason: z.string(), by: z.string() }).optional(),
})
export type AgentView = z.infer<typeof agentView>

export const statusView = z.object({
  running: z.boolean(),
  degraded: z.string().optional(),
  lastCheckWallAt: z.number().optional(),
  emergency: emergencyState,
  summary: z.object({
    active: z.int(),
    stale: z.int(),
    warning: z.int(),
    stuck: z.int(),
    unknown: z.int(),
  }),
  watching: z.int(),
  needsYou: z.array(needsYou),
})
export type StatusView = z.infer<typeof statusView>

/** agents/<id>/state.json */
export const stateFile = z.object({
  id: agentId,
  issue: issueId.optional(),
  workspace: z.string(),
  runtime: z.string(),
  model: z.string(),
  lifecycle,
  health: health.nullable(),
  cause: z.string().nullable(),
  lastActivity: z.string().optional(),
  handoffCount: z.int(),
  sessionId: z.string().optional(),
  generation,
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
