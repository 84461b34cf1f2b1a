/** What an agent is doing, as a witness can know it; the verdict turns it into a cause. */
import * as z from 'zod'
import { askId } from './ids.ts'

const text = z.string().max(400)

/** A question that a hook holds open: who waits, and what the agent's program asked, in its own words. */
const ask = z.object({ id: askId, request: z.string().max(65_536) })

/** One thing that an agent asks, as it wrote it. Any other text is an answer, too. */
export const question = z.object({
  question: text,
  options: z.array(z.object({ label: z.string().max(200), about: text.optional() })).max(10),
  /** Several of the options may be chosen. */
  several: z.literal(true).optional(),
})
export type Question = z.infer<typeof question>

/** What an agent says, or is seen, to be doing. Only what a witness can know; the verdict adds the rest. */
export const doing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('startup_blocked'), what: text }),
  z.object({
    kind: z.literal('tool'),
    name: z.string().max(100),
    /** Left out where nobody knows how long it may take. */
    boundMs: z.number().nonnegative().optional(),
    /** It says the line of a successor, which is no work yet. */
    says: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('thinking') }),
  z.object({ kind: z.literal('background'), tasks: z.int().positive() }),
  z.object({ kind: z.literal('permission'), what: text, ask: ask.optional() }),
  z.object({
    kind: z.literal('question'),
    what: text,
    ask: ask.optional(),
    questions: z.array(question).min(1).max(10).optional(),
  }),
  z.object({
    kind: z.literal('limited'),
    untilWallAt: z.number().optional(),
    /** An end was told that is further away than any limit lasts, and is not believed. */
    tooFar: z.literal(true).optional(),
    /** Its turn is not over: its program waits, and goes on by itself. */
    waits: z.literal(true).optional(),
    /** What may be spent is spent: it does not end by itself, a person has to raise it. */
    spent: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('api_error'),
    what: text,
    /** The service failed and the turn is over: the same may succeed later. Else its program still tries, or cannot. */
    ended: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('auth_needed'), what: text }),
  z.object({ kind: z.literal('compacting') }),
  z.object({ kind: z.literal('looping'), what: text, times: z.int().positive() }),
  z.object({ kind: z.literal('idle') }),
])
export type Doing = z.infer<typeof doing>
export const DOING_KINDS = doing.options.map(({ shape }) => shape.kind.value)
