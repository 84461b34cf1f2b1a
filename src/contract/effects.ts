/**
 * What the daemon is asked to do, as data. An effect is committed before it runs and names the generation
 * it was decided for; the actor checks that generation against the world and answers with an outcome.
 */
import * as z from 'zod'
import { documentReport } from './context-cycle.ts'
import { captured, savings } from './handoffs.ts'
import { agentId, askId, effectId, generation, handoffId, messageId, runId, salvageRef, sessionId } from './ids.ts'
import { callBounds } from './open-work.ts'
import { ground } from './repository.ts'
import { taskText, taskTextName, TASK_TEXT_BYTES, toldTask } from './task-texts.ts'
import { TEXT_LIMIT } from './text-limit.ts'

const base = { id: effectId, agent: agentId, generation }
const onAgent = z.object(base)

/** A long text goes by file; what is typed only names it. */
const letter = z.object({ message: messageId, text: z.string().max(TEXT_LIMIT) })

export const effect = z.discriminatedUnion('type', [
  onAgent.extend({
    type: z.literal('session.spawn'),
    run: runId,
    prompt: z.string().max(TEXT_LIMIT).optional(),
    letter: letter.optional(),
    /** The prompt is the one that was written for this hand-off. */
    handoff: handoffId.optional(),
    /** It begins anew: it is told its whole task, and then the prompt, which says where it stands. */
    task: toldTask.optional(),
  }),
  /** Goes on with a session; one that cannot be gone on with is begun anew with the summary. */
  onAgent.extend({
    type: z.literal('session.resume'),
    run: runId,
    session: sessionId,
    prompt: z.string().max(TEXT_LIMIT).optional(),
    letter: letter.optional(),
    summary: z.string().max(TEXT_LIMIT),
    /** Begun anew, it is told its whole task before the summary, which says where it stands. */
    task: toldTask.optional(),
    /** Its transcript was there once. */
    seen: z.literal(true).optional(),
    /** It is told what was written for this hand-off, whether the session can be gone on with or not. */
    handoff: handoffId.optional(),
  }),
  onAgent.extend({
    type: z.literal('session.type'),
    text: z.string().min(1).max(TEXT_LIMIT),
    nonce: z.string(),
    letter: letter.optional(),
    /** What was written for this hand-off is typed; the text only names it. */
    handoff: handoffId.optional(),
  }),
  /** Whether a text that was typed was taken, by what the program itself keeps. */
  onAgent.extend({
    type: z.literal('session.check-text'),
    fingerprint: z.string(),
    session: sessionId.optional(),
    sinceWallAt: z.number(),
  }),
  onAgent.extend({ type: z.literal('session.interrupt') }),
  onAgent.extend({ type: z.literal('session.clear') }),
  /** Whether the agent rests, by what the program itself keeps. */
  onAgent.extend({ type: z.literal('session.check-rest'), session: sessionId.optional() }),
  /** An order that the agent's hook takes at the end of its present calls: come to rest. */
  onAgent.extend({ type: z.literal('order.leave') }),
  onAgent.extend({ type: z.literal('order.withdraw') }),
  onAgent.extend({
    type: z.literal('ask.answer'),
    ask: askId,
    request: z.string().max(65_536),
    answer: z.string().min(1).max(10_000),
  }),
  /** The question was answered elsewhere: the hook that waits for us may go. */
  onAgent.extend({ type: z.literal('ask.close'), ask: askId }),
  /** With what was saved before: that is the answer when nothing has changed since. */
  onAgent.extend({ type: z.literal('work.salvage'), since: salvageRef.optional() }),
  /** After an emergency stop, which saves nothing before it kills. */
  onAgent.extend({ type: z.literal('work.rescue') }),
  /** Brings work back from a snapshot; what would be lost by it is refused, or saved first. */
  onAgent.extend({
    type: z.literal('work.restore'),
    ref: salvageRef,
    paths: z.array(z.string().max(4096)).max(1000).optional(),
    force: z.boolean().optional(),
  }),
  /** Writes a text of its task into a file of its own; as often as one likes. What is gone is no longer kept. */
  onAgent.extend({
    type: z.literal('task.keep'),
    text: taskText.omit({ whole: true }).extend({ whole: z.string().max(TASK_TEXT_BYTES) }),
    gone: z.array(taskTextName).optional(),
  }),
  /** The agent is forgotten. */
  onAgent.extend({ type: z.literal('task.forget'), names: z.array(taskTextName) }),
  onAgent.extend({ type: z.literal('session.end') }),
  /** Reads what is known of the agent's work and writes it down for the one who takes over; as often as it likes. */
  onAgent.extend({ type: z.literal('handoff.capture'), handoff: handoffId }),
  /** Looks at the document that the agent writes before its context is cleared. */
  onAgent.extend({ type: z.literal('handoff.see-document'), handoff: handoffId }),
  /** Reckons what the successor of a hand-off used; asking changes nothing. */
  onAgent.extend({ type: z.literal('handoff.reckon'), handoff: handoffId }),
  z.object({ type: z.literal('fleet.stop'), id: effectId, adopted: z.literal(true).optional() }),
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
  detail: z.string().max(1200).optional(),
  sessionId: sessionId.optional(),
  /** session.type, interrupt, clear, order: it was done; that it worked must still be seen. */
  unconfirmed: z.boolean().optional(),
  /** not_done: nothing stands against it but that the way was not free, or that we were restarted. */
  held: z.boolean().optional(),
  /** session.type, not_done: nor will it ever be, since the text itself cannot be typed. */
  unfit: z.boolean().optional(),
  /** session.check-text, done: where the text was found. */
  found: z.enum(['transcript', 'queue']).optional(),
  /** session.spawn and session.resume: how long the program lets its calls run. */
  bounds: callBounds.optional(),
  /** session.resume: why the session could not be gone on with and a new one was begun. */
  fresh: z.string().max(400).optional(),
  /** work.salvage and work.restore: the ref that holds the snapshot; absent when there was nothing to save. */
  salvageRef: z.string().max(200).optional(),
  /** work.salvage: there was no place to save to, since the workspace is no git repository. */
  noRepository: z.boolean().optional(),
  /** work.salvage: plain files were saved, and why not with git. */
  plain: z.string().max(600).optional(),
  /** work.salvage: what may be work was not saved, and why. */
  incomplete: z.string().max(600).optional(),
  /** work.salvage: the workspace is not there; the detail says what is in its place. */
  gone: z.literal(true).optional(),
  /** session.spawn and resume: what the workspace was before anything was started there. */
  ...ground.shape,
  /** session.end: nothing was saved after it. Only recordings of versions that did not do so say that. */
  final: z.literal(true).optional(),
  /** session.end and fleet.stop: what still lives. */
  survivors: z.array(z.string().max(100)).max(1000).optional(),
  /** fleet.stop: the agents whose trees were ended. */
  stopped: z.array(agentId).max(10_000).optional(),
  captured: captured.optional(),
  /** handoff.see-document: what was there. */
  document: documentReport.optional(),
  savings: savings.optional(),
})
export type Outcome = z.infer<typeof outcome>
