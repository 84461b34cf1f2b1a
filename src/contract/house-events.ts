/** What happened to the home as a whole. */
import * as z from 'zod'
import { refusal } from './commands.ts'
import { outcome } from './effects.ts'
import { agentId, effectId } from './ids.ts'
import { stopAsked, stopFound } from './last-stop.ts'
import { needsYou } from './needs-you.ts'

export const envelope = z.object({ seq: z.int().positive(), at: z.number(), observedAt: z.number() })

function house<const T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) {
  return envelope.extend({ type: z.literal(type), ...shape }).meta({ description })
}

export const houseEvents = [
  house('house.booted', 'The daemon started; nothing is judged until it has looked twice.', {
    downMs: z.number().nonnegative(),
    openEffects: z.int().nonnegative(),
  }),
  house('house.clock-jumped', 'Wall and monotonic clock disagreed: sleep, or the clock was set.', {
    wallMs: z.number(),
    monoMs: z.number(),
  }),
  house('house.degraded', 'The daemon itself is late; its verdicts are not trusted until it caught up.', {
    lateMs: z.number(),
    why: z.string(),
  }),
  house('house.blinded', 'A look failed, so that agents are unknown rather than silent.', { why: z.string() }),
  house('house.sighted', 'Looks succeed again after being blind or late.', {}),
  house('house.settings-changed', 'cloister.yaml was read anew.', { keys: z.array(z.string()) }),
  house('monitoring.started', 'Monitoring runs; automatic acts are allowed.', { by: z.string() }),
  house('monitoring.stopped', 'Monitoring is paused; agents go on untouched.', { by: z.string() }),
  house('mass.began', 'Several agents turned bad at once; automatic acts are held.', {
    agents: z.array(agentId),
    watched: z.int(),
    /** What most of them did, where they have it in common. */
    what: z.string().max(100).optional(),
  }),
  house('mass.ended', 'The common trouble is over; automatic acts are allowed again.', { why: z.string() }),
  house('needs-you.raised', 'Something only a person can settle.', { item: needsYou }),
  house('needs-you.settled', 'A «needs you» item was settled.', {
    item: needsYou,
    by: z.string(),
  }),
  house('emergency.triggered', 'Emergency stop: every tree of this home is ended.', {
    by: z.string(),
    reason: z.string(),
    effect: effectId,
    deadlineAt: z.number(),
    /** Adopted agents are ended, too. */
    adopted: z.literal(true).optional(),
    /** Whoever was first missed after this was ended by it. */
    sinceAt: z.number().optional(),
    found: stopFound.optional(),
    ...stopAsked,
  }),
  house('emergency.explained', 'Who asked for the emergency stop, and why: the daemon had seen the sentinel first.', {
    by: z.string(),
    reason: z.string(),
  }),
  house('emergency.retried', 'The emergency stop was not confirmed in time and runs again.', {
    effect: effectId,
    deadlineAt: z.number(),
    attempt: z.int(),
  }),
  house('emergency.ended', 'The emergency stop reported what it ended and what survived.', {
    stopped: z.array(agentId),
    survivors: z.array(z.string()),
    confirmed: z.boolean(),
    /** Adopted agents, which go on. */
    leftAlone: z.array(agentId).optional(),
  }),
  house('emergency.found', 'Found at the start: an emergency stop, and a resume from it, while no daemon ran.', {
    stopped: z.array(agentId),
    reason: z.string().optional(),
    ...stopFound.partial().shape,
    ...stopAsked,
  }),
  house('emergency.rearming', 'A person resumed; the sentinel is being taken away.', {
    by: z.string(),
    effect: effectId,
    deadlineAt: z.number(),
    /** Who is started again then. */
    start: z.array(agentId).optional(),
  }),
  house('emergency.rearm-failed', 'The sentinel could not be taken away; the stop stays latched.', { why: z.string() }),
  house('emergency.rearmed', 'Spawning and typing are possible again.', { by: z.string() }),
  house('command.refused', 'A command was not carried out.', { by: z.string(), command: z.string(), refusal }),
  house('outcome.dropped', 'An outcome came for an effect that nobody waits for.', {
    effect: effectId,
    result: outcome.shape.result,
  }),
] as const
