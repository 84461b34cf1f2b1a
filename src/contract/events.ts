/**
 * Everything that happened, in the past tense. Transitions and decisions are events; observations are not.
 * `at` is the wall clock, `observedAt` observed time (records.ts). docs/events.md is generated from here.
 */
import * as z from 'zod'
import { adopted } from './adopted.ts'
import { outcome } from './effects.ts'
import { cycleRecord } from './context-cycle.ts'
import { captured, handoff, handoffOutcome, handoffResult, handoffState, savings } from './handoffs.ts'
import { envelope, houseEvents } from './house-events.ts'
import { identity } from './identity.ts'
import { agentId, effectId, generation, handoffId, messageId, runId, sessionId } from './ids.ts'
import { messageRecord } from './messages.ts'
import { act, actKind, precedence } from './acts.ts'
import { ground } from './repository.ts'
import { assignment, hold, limitHold } from './standing.ts'
import { taskText } from './task-texts.ts'
import { cause, citation, health, lifecycle } from './verdict.ts'
import { workSignal } from './work-signals.ts'

const agentEnvelope = envelope.extend({ agent: agentId, generation })

function agent<const T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) {
  return agentEnvelope.extend({ type: z.literal(type), ...shape }).meta({ description })
}

const agentEvents = [
  agent('agent.registered', 'An agent is known from now on.', {
    ...identity.shape,
    /** As it was found before anything was started there. */
    ...ground.shape,
  }),
  agent('agent.adopted', 'A session that a person started is watched from now on, and what may be done to it.', {
    run: runId,
    adopted,
    sessionId,
    by: z.string(),
  }),
  agent(
    'agent.forgotten',
    'An agent that does not run, or that was adopted, is no longer known; what happened to it stays in the journal.',
    { by: z.string() },
  ),
  agent('agent.started', 'A new generation of the agent lives, or may live when nobody could confirm it.', {
    confirmed: z.boolean(),
    sessionId: sessionId.optional(),
    /** The only repository and folder that its work is saved from and brought back to. */
    ...ground.shape,
  }),
  agent('agent.lifecycle-changed', 'The agent reported another lifecycle, or an act gave it one.', {
    from: lifecycle,
    to: lifecycle,
    why: z.string(),
  }),
  agent('agent.health-changed', 'The health of the agent changed, or the class of its cause.', {
    from: health,
    to: health,
    cause,
    reason: z.string(),
    citations: z.array(citation),
    /** How many looks there had been: an act needs the verdict of two in a row. */
    look: z.int(),
  }),
  agent('agent.finished', 'The agent rests and nothing is left for it to do: somebody should look at it.', {
    restedAt: z.number(),
    restedWallAt: z.number(),
  }),
  agent('agent.finished-seen', 'Somebody looked at what the agent finished.', { by: z.string() }),
  agent('agent.fenced', 'A report of another generation was dropped.', { reported: generation }),
  agent('agent.salvaged', 'The work was saved before a kill, or there was nothing to save or no place to save it to.', {
    ref: z.string().optional(),
    /** Why nothing could be saved; the files are untouched, unless they are gone. */
    unsaved: z.string().optional(),
    gone: z.literal(true).optional(),
    /** Plain files were saved, and why not with git. */
    plain: z.string().optional(),
    /** What may be work is not in it, and why. */
    incomplete: z.string().optional(),
    /** After the verified end, since something had been written after the first snapshot. */
    late: z.literal(true).optional(),
    /** What a restore replaced, which is not the agent's newest work. */
    replaced: z.literal(true).optional(),
  }),
  agent('agent.kill-incomplete', 'Processes of the agent survived the kill; no successor is started.', {
    survivors: z.array(z.string()),
  }),
  agent('agent.session-lost', 'A session could not be gone on with; the agent begins anew with what is known.', {
    sessionId,
    why: z.string(),
  }),
  agent('agent.cleared', 'The context was cleared: the same process, a new session, a new generation.', {
    from: sessionId,
    sessionId,
    by: z.string(),
  }),
  agent('agent.model-changed', 'The agent runs with another model from its next start on.', {
    from: z.string(),
    to: z.string(),
    by: z.string(),
  }),
  agent('message.queued', 'A message is in the ledger and is typed when the way is free.', { message: messageRecord }),
  agent('message.held', 'A message waits, and why.', {
    message: messageId,
    why: z.string(),
    notBeforeAt: z.number(),
  }),
  agent('message.typed', 'A message was typed, or may have been; the agent has yet to say that it took it.', {
    message: messageId,
    attempts: z.int().positive(),
  }),
  agent('message.heard', 'A message was taken by the agent, and what says so.', {
    message: messageId,
    evidence: messageRecord.shape.evidence.unwrap(),
  }),
  agent('message.undelivered', 'A message was given up; a person can have it tried again.', {
    message: messageId,
    why: z.string(),
  }),
  agent('message.recalled', 'A person took a message back that waited.', { message: messageId, by: z.string() }),
  agent('message.retried', 'A person wants a message tried again.', { message: messageId, by: z.string() }),
  agent('agent.noted', 'Something that the agent has to be told when it is next started.', {
    note: z.string().max(1000),
  }),
  agent('task.kept', 'A text that the agent was given is kept whole, so that its task outlives its session.', {
    text: taskText,
    /** Why it could not be written into a file, and is kept here. */
    why: z.string().max(400).optional(),
  }),
  agent('act.decided', 'An act on the agent was decided; its effect runs after this is durable.', {
    act,
    /** Poke: which one of the episode. */
    n: z.int().optional(),
    /** Of an automatic act: when it is judged whether it helped. */
    judgeAt: z.number().optional(),
    citations: z.array(citation),
  }),
  agent('act.stepped', 'An act of several steps went on to its next effect.', {
    act: actKind.optional(),
    effect: effectId,
    step: act.shape.step,
    attempts: act.shape.attempts,
    deadlineAt: z.number(),
  }),
  agent('act.ended', 'An act has a verified outcome, or none came in time.', {
    act: actKind,
    effect: effectId,
    result: z.enum([...outcome.shape.result.options, 'timed_out', 'cancelled']),
    detail: z.string().optional(),
  }),
  agent('act.held', 'An automatic act was wanted and held back.', {
    act: actKind,
    precedence,
    reason: z.string(),
  }),
  agent('episode.opened', 'Trouble began; pokes are counted from here.', { health, reason: z.string() }),
  agent('episode.escalated', 'Nothing helped by itself: the work should pass to somebody else.', {
    reason: z.string(),
    model: z.string(),
    pokes: z.int(),
  }),
  agent('episode.exhausted', 'All pokes were used without progress; a person is asked.', { pokes: z.int() }),
  agent('episode.closed', 'Verified progress, or the end of the generation; counters are back to zero.', {
    pokes: z.int(),
    why: z.enum(['progress', 'ended']),
  }),
  agent('intervention.judged', 'Whether an automatic act helped.', {
    act: actKind,
    n: z.int().optional(),
    decidedAt: z.number(),
    result: z.enum(['recovered', 'answered', 'not_recovered', 'unknown']),
  }),
  agent('agent.held', 'Rules leave the agent alone from now on; frozen, people cannot touch it either.', { hold }),
  agent('agent.released', 'The hold is over.', { by: z.string(), why: z.string() }),
  agent('limit.began', 'A usage limit or an outage holds the agent; it is told to go on when that is over.', {
    limit: limitHold,
  }),
  agent('limit.ended', 'The usage limit or the outage is over for the agent.', {
    why: z.string(),
    of: z.literal('outage').optional(),
  }),
  agent('restart.planned', 'The agent ended without anybody asking for it and is started again.', {
    dueAt: z.number(),
    why: z.string(),
    inARow: z.int().positive(),
  }),
  agent('restart.exhausted', 'The agent ended too often; a person is asked.', { inARow: z.int(), recent: z.int() }),
  agent('restart.dropped', 'A restart that was planned does not happen.', { why: z.string() }),
  agent('work.assigned', 'Work waits for the agent.', { assignment }),
  agent('work.begun', 'The agent works since work was given to it, or the work was taken back.', { why: z.string() }),
  agent('work.signalled', 'Something was seen of the work that may call for other hands.', { signal: workSignal }),
  agent('handoff.proposed', 'The work of the agent is to pass to somebody else.', { handoff }),
  agent('handoff.approved', 'A person said yes to a hand-off.', { handoff: handoffId, by: z.string() }),
  agent('handoff.stepped', 'A hand-off went on to its next step.', {
    handoff: handoffId,
    state: handoffState,
    deadlineAt: z.number(),
    effect: effectId.optional(),
    /** What ended the step before, where that was not its purpose. */
    detail: z.string().optional(),
  }),
  agent('handoff.captured', 'What is known of the work was written down for the successor.', {
    handoff: handoffId,
    captured,
  }),
  agent('handoff.lent', 'The agent rests, and a specialist owns its work from now on.', {
    handoff: handoffId,
    to: agentId,
    deadlineAt: z.number(),
  }),
  agent('handoff.returned', 'The agent owns its work again; the specialist rests or has ended.', {
    handoff: handoffId,
    from: agentId,
    why: z.string(),
  }),
  agent('handoff.ended', 'A hand-off is over: done, undone, or left to a person.', {
    handoff: handoffId,
    result: handoffResult,
    by: z.string().optional(),
    detail: z.string(),
    judgeAt: z.number().optional(),
    successor: sessionId.optional(),
    successorGeneration: generation.optional(),
    untold: z.enum(['rests', 'saves']).optional(),
    /** A person wants the agent stopped for good, and its end is under way. */
    stopped: z.object({ by: z.string(), reason: z.string() }).optional(),
  }),
  agent('handoff.recorded', 'A context cycle in the record of health: how full, how long, how it ended.', cycleRecord),
  agent('handoff.auto-changed', 'Whether rules may hand the work of the agent over.', {
    on: z.boolean(),
    by: z.string(),
  }),
  agent('handoff.judged', 'Whether a hand-off that was done has helped.', {
    handoff: handoffId,
    outcome: handoffOutcome,
  }),
  agent('handoff.reckoned', 'What a hand-off saved, by what its successor really used.', {
    handoff: handoffId,
    savings,
  }),
  agent('handoff.spared', 'The occasion for a hand-off needs no other hands: whoever has the work goes on with it.', {
    key: handoff.shape.key.unwrap(),
    trigger: handoff.shape.trigger,
    reason: handoff.shape.reason,
  }),
] as const

export const event = z.discriminatedUnion('type', [...houseEvents, ...agentEvents])
export type Event = z.infer<typeof event>
export type EventType = Event['type']
export type EventOf<T extends EventType> = Extract<Event, { type: T }>
export type AgentEvent = z.infer<(typeof agentEvents)[number]>
export type HouseEvent = z.infer<(typeof houseEvents)[number]>
