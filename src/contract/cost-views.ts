/** What an agent used and what that costs, as the API gives it. */
import * as z from 'zod'
import { agentId, sessionId } from './ids.ts'

const count = z.int().nonnegative()

export const tokenSums = z.object({
  input: count,
  output: count,
  cacheRead: count,
  /** Written to the cache for five minutes, and for an hour: their prices differ. */
  cacheWrite5m: count,
  cacheWrite1h: count,
})
export type TokenSums = z.infer<typeof tokenSums>

const modelCost = z.object({
  model: z.string(),
  tokens: tokenSums,
  /** Answers of the model, each counted once. */
  messages: count,
  /** By the list prices; null when the model has none, which is not the same as free. */
  usd: z.number().nonnegative().nullable(),
})

/** The program's own total, and ours for the same session; they never agree to the cent. */
const clientCost = z.object({
  usd: z.number().nonnegative(),
  /** When the program said so, by the wall clock. */
  at: z.number(),
  /** The session that it is the total of; missing when it is not known, and all sessions are compared. */
  session: sessionId.optional(),
  /** What we compute for what it covers; null when nothing of that has a price. */
  computedUsd: z.number().nonnegative().nullable(),
})
export type ClientCost = z.infer<typeof clientCost>

export const costView = z.object({
  agent: agentId,
  at: z.number(),
  /** Those with a transcript, or of which one was read before it was deleted, in the order in which the agent had them. */
  sessions: z.array(sessionId),
  models: z.array(modelCost),
  total: z.object({
    tokens: tokenSums,
    messages: count,
    /** Of the models that have a price; null when something was used and none of it has one. */
    usd: z.number().nonnegative().nullable(),
    unpriced: z.array(z.string()),
  }),
  client: clientCost.nullable(),
  /** Ours less the program's, for what its total covers; in percent of the program's. */
  differenceUsd: z.number().nullable(),
  differencePercent: z.number().nullable(),
  /** Why the two differ, or why they cannot be compared, and whose transcripts are gone, in a few sentences. */
  why: z.string(),
})
export type CostView = z.infer<typeof costView>
