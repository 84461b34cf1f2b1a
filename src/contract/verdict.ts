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
  z.object({ kind: z.literal('working_tool'), name: z.string(), ageMs: z.number(), boundMs: z.number() }),
  z.object({ kind: z.literal('thinking') }),
  z.object({ kind: z.literal('waiting_background'), tasks: z.int() }),
  z.object({ kind: z.literal('waiting_permission'), what: text }),
  z.object({ kind: z.literal('waiting_user'), what: text }),
  z.object({ kind: z.literal('rate_limited'), untilWallAt: z.number().optional() }),
  z.object({ kind: z.literal('api_error'), what: text }),
  z.object({ kind: z.literal('auth_needed'), what: text }),
  z.object({ kind: z.literal('compacting') }),
  z.object({ kind: z.literal('looping'), what: text, times: z.int() }),
  z.object({ kind: z.literal('hung'), what: text }),
  z.object({ kind: z.literal('dead'), exitCode: z.int().optional() }),
  z.object({ kind: z.literal('unknown'), why: text }),
])
export type Cause = z.infer<typeof cause>
export type CauseKind = Cause['kind']

/** One witness as a verdict or a proposal cites it. */
export const citation = z.object({ witness, value: text, ageMs: z.number().nonnegative() })
export type Citation = z.infer<typeof citation>

export const verdict = z.object({
  health,
  cause,
  reason: text,
  citations: z.array(citation).max(10),
  /** When this health and kind of cause began, in observed time and in looks. */
  sinceAt: z.number(),
  sinceLook: z.int(),
  judgedAt: z.number(),
})
export type Verdict = z.infer<typeof verdict>
