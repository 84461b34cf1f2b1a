/** The kinds of value that keys share, each with its limits. */
import * as z from 'zod'
import { ID_PATTERN, MODEL_PATTERN } from '../ids.ts'
import { closest } from './did-you-mean.ts'

const A_WEEK_IN_MINUTES = 7 * 24 * 60

export const minutes = z.number().positive().max(A_WEEK_IN_MINUTES)
export const seconds = z.number().positive().max(86_400)
export const usd = z.number().nonnegative().max(1_000_000)
export const count = z.int().nonnegative().max(100_000)

export const runtimeName = z.enum(['claude-code', 'codex', 'opencode'])
/** Known by name, so that settings may name them; what is routed there is started in another one until they are built. */
const TO_COME: readonly string[] = ['codex', 'opencode']

export function isToCome(runtime: string): boolean {
  return TO_COME.includes(runtime)
}

export const complexity = z.enum(['trivial', 'simple', 'medium', 'complex', 'expert'])
export type Complexity = z.infer<typeof complexity>
export const specialistName = z
  .string()
  .regex(ID_PATTERN, 'is not a specialist name: use lower-case letters, digits and "-"')

export const TIERS = ['opus', 'sonnet', 'haiku', 'cheap'] as const

/** Any model id is possible, so only a near miss of a tier can be told from an intended id. */
export const model = z
  .string()
  .regex(MODEL_PATTERN, 'is not a tier or a model id')
  .check((ctx) => {
    const tier = closest(ctx.value, TIERS)
    if (tier === undefined || tier === ctx.value) return
    ctx.issues.push({
      code: 'custom',
      input: ctx.value,
      message: 'is neither a tier nor a model id',
      params: { suggestion: tier },
    })
  })

/** Where work goes: a tier, a model id, or a model on a named runtime. */
export const route = z.union([model, z.strictObject({ model, runtime: runtimeName })])
