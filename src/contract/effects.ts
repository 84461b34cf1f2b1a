/**
 * What the daemon is asked to do, as data. An effect is committed before it runs and names the generation
 * it was decided for; the actor checks that generation against the world and answers with an outcome.
 */
import * as z from 'zod'
import { agentId, askId, effectId, generation, runId, salvageRef, sessionId } from './ids.ts'

const base = { id: effectId, agent: agentId, generation }
const onAgent = z.object(base)

export const effect = z.discriminatedUnion('type', [
  onAgent.extend({ type: z.literal('session.spawn'), run: runId, prompt: z.string().max(100_000).optional() }),
  onAgent.extend({ type: z.literal('session.type'), text: z.string().min(1).max(100_000), nonce: z.string() }),
  onAgent.extend({
    type: z.literal('ask.answer'),
    ask: askId,
    request: z.string().max(65_536),
    answer: z.string().min(1).max(10_000),
  }),
  /** The question was answered elsewhere: the hook that waits for us may go. */
  onAgent.extend({ type: z.literal('ask.close'), ask: askId }),
  onAgent.extend({ type: z.literal('work.salvage') }),
  /** After an emergency stop, which saves nothing before it kills. */
  onAgent.extend({ type: z.literal('work.rescue') }),
  /** Brings work back from a snapshot; what would be lost by it is refused, or saved first. */
  onAgent.extend({
    type: z.literal('work.restore'),
    ref: salvageRef,
    paths: z.array(z.string().max(4096)).max(1000).optional(),
    force: z.boolean().optional(),
  }),
  onAgent.extend({ type: z.literal('session.end') }),
  z.object({ type: z.literal('fleet.stop'), id: effectId }),
  z.object({ type: z.literal('fleet.rearm'), id: effectId }),
  /** The note of an emergency stop that came while no daemon ran; by now the journal has it. */
  z.object({ type: z.literal('fleet.forget'), id: effectId }),
])
export type Effect = z.infer<typeof effect>
export type AgentEffect = Exclude<Effect, { type: `fleet.${string}` }>

/**
 * done: verified. not_done: verified that it did not happen. unknown: it may or may not have happened.
 * fenced: the world holds another generation, nothing was done.
 */
export const outcome = z.object({
  result: z.enum(['done', 'not_done', 'unknown', 'fenced']),
  detail: z.string().max(400).optional(),
  sessionId: sessionId.optional(),
  /** session.type: it was typed; that it was taken must still be heard from the agent. */
  unconfirmed: z.boolean().optional(),
  /** work.salvage and work.restore: the ref that holds the snapshot; absent when there was nothing to save. */
  salvageRef: z.string().max(200).optional(),
  /** work.salvage: there was no place to save to, since the workspace is no git repository. */
  noRepository: z.boolean().optional(),
  /** session.end and fleet.stop: what still lives. */
  survivors: z.array(z.string().max(100)).max(1000).optional(),
  /** fleet.stop: the agents whose trees were ended. */
  stopped: z.array(agentId).max(10_000).optional(),
})
export type Outcome = z.infer<typeof outcome>
