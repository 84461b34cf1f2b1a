/** Lifecycle is what the agent reports; health with its cause is what we judge. Two axes, two names. */
import * as z from 'zod'
import { witness } from './evidence.ts'

export const lifecycle = z.enum(['uninitialized', 'active', 'idle', 'suspended', 'stopped'])

export const health = z.enum(['active', 'stale', 'warning', 'stuck', 'unknown'])
export type Health = z.infer<typeof health>

const text = z.string().max(400)

export const cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('startup_blocked'), what: text }),
  z.object({
    kind: z.literal('working_tool'),
    name: z.string(),
    ageMs: z.number(),
    /** Left out where nobody knows how long it may take. */
    boundMs: z.number().optional(),
  }),
  z.object({ kind: z.literal('thinking') }),
  z.object({ kind: z.literal('waiting_background'), tasks: z.int() }),
  z.object({ kind: z.literal('waiting_permission'), what: text }),
  z.object({ kind: z.literal('waiting_user'), what: text }),
  z.object({
    kind: z.literal('rate_limited'),
    untilWallAt: z.number().optional(),
    /** A limit of money, which a person has to raise. */
    spent: z.literal(true).optional(),
    /** The end that was told is not believed. */
    tooFar: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('api_error'), what: text }),
  z.object({ kind: z.literal('auth_needed'), what: text }),
  z.object({ kind: z.literal('compacting') }),
  z.object({ kind: z.literal('looping'), what: text, times: z.int() }),
  z.object({ kind: z.literal('hung'), what: text }),
  /** `orphans`: its own program has ended, and processes that it started live on. */
  z.object({ kind: z.literal('dead'), exitCode: z.int().optional(), orphans: z.literal(true).optional() }),
  z.object({ kind: z.literal('unknown'), why: text }),
])
export type Cause = z.infer<typeof cause>
export type CauseKind = Cause['kind']

/**
 * What is recorded and drawn of a cause. How an agent works changes with every call; that it works does not, so the
 * kinds that are not named here are one: at work.
 */
export const causeClass = z.enum([
  'starting',
  'at_work',
  'waiting_permission',
  'waiting_user',
  'rate_limited',
  'api_error',
  'auth_needed',
  'looping',
  'hung',
  'dead',
  'startup_blocked',
  'unknown',
])
export type CauseClass = z.infer<typeof causeClass>
export type WorkKind = Exclude<CauseKind, CauseClass>

/** One witness as a verdict or a proposal cites it. */
export const citation = z.object({ witness, value: text, ageMs: z.number().nonnegative() })
export type Citation = z.infer<typeof citation>

export const verdict = z.object({
  health,
  cause,
  reason: text,
  citations: z.array(citation).max(10),
  /** When this health and class of cause began, in observed time and in looks. */
  sinceAt: z.number(),
  sinceLook: z.int(),
  /** When this health began, where that was before its cause. */
  healthAt: z.number().optional(),
  judgedAt: z.number(),
})
