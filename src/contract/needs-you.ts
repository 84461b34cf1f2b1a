/** What only a person can settle. */
import * as z from 'zod'
import { question } from './evidence.ts'
import { agentId, askId, handoffId, messageId, needsYouId } from './ids.ts'

export const NEEDS_YOU_KINDS = [
  'waiting',
  'quiet',
  'dead',
  'no_terminal',
  'no_workspace',
  'attention',
  'mass',
  'kill_incomplete',
  'salvage_failed',
  'spawn_failed',
  'undelivered',
  'crash_loop',
  'work_waiting',
  'tasks_waiting',
  'approval',
  'handoff',
  'escalation',
  'context',
  'emergency_stopped',
  'emergency_survivors',
  'emergency_unconfirmed',
  'unhelped',
] as const

export const needsYou = z.object({
  id: needsYouId,
  kind: z.enum(NEEDS_YOU_KINDS),
  agent: agentId.optional(),
  /** Of a trouble that many share: whom it is about. */
  agents: z.array(agentId).max(64).optional(),
  sentence: z.string(),
  hint: z.string(),
  /** What the agent offers to choose from, where it asks one thing; free text is taken too where the runtime can. */
  options: z.array(z.string()).optional(),
  /** All that it asks at once, as it wrote it: an answer has a line for each. */
  questions: z.array(question).optional(),
  /** Which of its questions this is: an answer never goes to another one. */
  ask: askId.optional(),
  /** It can be answered from here, without typing. */
  answerable: z.boolean().optional(),
  /** The message that was not delivered, the newest of several: it can be tried again. */
  message: messageId.optional(),
  /** The hand-off that waits for a yes, or that failed. */
  handoff: handoffId.optional(),
  raisedWallAt: z.number(),
})
export type NeedsYou = z.infer<typeof needsYou>
export type NeedsYouKind = NeedsYou['kind']
