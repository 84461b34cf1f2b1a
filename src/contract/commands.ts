/** What people and programs may ask for. Bad input never gets this far: edges parse with these schemas. */
import * as z from 'zod'
import { adopted } from './adopted.ts'
import { handoffMethod, handoffTarget, recovered } from './handoffs.ts'
import { identity } from './identity.ts'
import { ground } from './repository.ts'
import { agentId, handoffId, inputId, messageId, modelName, needsYouId, salvageRef, sessionId } from './ids.ts'
import { TEXT_LIMIT } from './text-limit.ts'
import { workReport } from './work-signals.ts'

/** Control bytes are stripped where text is typed; here it only has to be text of a sane size. */
const typed = z
  .string()
  .trim()
  .max(TEXT_LIMIT)
  // Nor is a backslash at the end: Enter would not send it.
  .regex(/[^\s\p{Cc}\p{Cf}\\]/u, 'there is nothing to read in it')

export const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('agent.spawn'),
    agent: agentId,
    ...identity.shape,
    ...ground.shape,
    simulated: identity.shape.simulated.default(false),
    prompt: typed.optional(),
  }),
  /** What was found of a session that a person started. */
  z.object({
    type: z.literal('agent.adopt'),
    agent: agentId,
    ...identity.shape,
    ...ground.shape,
    simulated: identity.shape.simulated.default(false),
    adopted,
    sessionId,
    /** It waits at its prompt, as far as it says so itself. */
    rests: z.boolean().optional(),
  }),
  z.object({ type: z.literal('agent.poke'), agent: agentId }),
  z.object({ type: z.literal('agent.message'), agent: agentId, text: typed }),
  z.object({ type: z.literal('agent.retry-message'), agent: agentId, message: messageId }),
  z.object({ type: z.literal('agent.recall-message'), agent: agentId, message: messageId }),
  z.object({ type: z.literal('agent.give-back'), agent: agentId }),
  z.object({ type: z.literal('agent.resume'), agent: agentId, prompt: typed.optional() }),
  z.object({ type: z.literal('agent.suspend'), agent: agentId }),
  z.object({ type: z.literal('agent.switch-model'), agent: agentId, model: modelName }),
  z.object({ type: z.literal('agent.interrupt'), agent: agentId }),
  z.object({ type: z.literal('agent.rest'), agent: agentId }),
  z.object({ type: z.literal('agent.clear'), agent: agentId }),
  z.object({ type: z.literal('agent.kill'), agent: agentId, reason: z.string().max(200).optional() }),
  z.object({
    type: z.literal('agent.restore'),
    agent: agentId,
    ref: salvageRef,
    paths: z.array(z.string().min(1).max(4096)).min(1).max(1000).optional(),
    force: z.boolean().optional(),
  }),
  z.object({ type: z.literal('agent.forget'), agent: agentId }),
  z.object({
    type: z.literal('agent.hold'),
    agent: agentId,
    state: z.enum(['hold', 'frozen']),
    reason: z.string().max(200).optional(),
    untilWallAt: z.number().optional(),
  }),
  z.object({ type: z.literal('agent.release'), agent: agentId }),
  /** A person looked at what it finished. */
  z.object({ type: z.literal('agent.seen'), agent: agentId }),
  z.object({ type: z.literal('agent.assign'), agent: agentId, what: typed.pipe(z.string().max(1000)) }),
  /** What was found of its work, told by a person or a build. */
  z.object({ type: z.literal('work.report'), agent: agentId, ...workReport.omit({ id: true }).shape }),
  z.object({
    type: z.literal('handoff.start'),
    agent: agentId,
    to: handoffTarget,
    method: handoffMethod.optional(),
    reason: z.string().max(400).optional(),
    /** Only proposed: it waits for a yes. */
    ask: z.literal(true).optional(),
  }),
  /** A specialist has the work of the agent and is to give it back. */
  z.object({ type: z.literal('handoff.back'), agent: agentId, reason: z.string().max(400).optional() }),
  z.object({ type: z.literal('handoff.approve'), handoff: handoffId }),
  z.object({ type: z.literal('handoff.refuse'), handoff: handoffId, reason: z.string().max(200).optional() }),
  /** Whether rules may hand its work over; people always may. */
  z.object({ type: z.literal('handoff.auto'), agent: agentId, on: z.boolean() }),
  /** A person has seen whether it helped. */
  z.object({
    type: z.literal('handoff.judge'),
    handoff: handoffId,
    recovered: recovered.exclude(['unknown']),
    notes: z.string().max(400).optional(),
  }),
  z.object({ type: z.literal('cloister.start') }),
  z.object({ type: z.literal('cloister.stop') }),
  z.object({
    type: z.literal('cloister.emergency-stop'),
    reason: z.string().max(200).optional(),
    /** Adopted agents are ended, too. */
    adopted: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('cloister.resume'),
    /** Who is started again: all that the emergency stop ended, or these of them. */
    start: z.union([z.literal(true), z.array(agentId).min(1).max(1000)]).optional(),
  }),
  z.object({ type: z.literal('needs-you.settle'), item: needsYouId }),
  z.object({ type: z.literal('needs-you.answer'), item: needsYouId, answer: z.string().trim().min(1).max(10_000) }),
])
export type Command = z.infer<typeof command>

export const commandEnvelope = z.object({ id: inputId, by: z.string().min(1).max(100), command })
export type CommandEnvelope = z.infer<typeof commandEnvelope>

/** The one shape of a refusal: what failed, in a sentence, and what to do next. */
export const refusal = z.object({
  code: z.enum(['not_found', 'conflict', 'emergency', 'busy', 'invalid']),
  sentence: z.string(),
  hint: z.string(),
})
export type Refusal = z.infer<typeof refusal>

export const reply = z.discriminatedUnion('ok', [
  /** A hand-off is named where one was asked for. */
  z.object({ ok: z.literal(true), seq: z.int(), handoff: handoffId.optional() }),
  z.object({ ok: z.literal(false), refusal }),
])
export type Reply = z.infer<typeof reply>
