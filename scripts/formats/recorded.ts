/**
 * The shapes that a recording holds, as schemas. The core has them as types only, since it uses no package; the last
 * lines hold the two together: a field that is added to one of them and not here does not compile.
 */
import * as z from 'zod'
import { command } from '../../src/contract/commands.ts'
import { complexity } from '../../src/contract/config/values.ts'
import { effect, outcome } from '../../src/contract/effects.ts'
import { sighting, witness } from '../../src/contract/evidence.ts'
import { houseRecord } from '../../src/contract/house-record.ts'
import { agentId } from '../../src/contract/ids.ts'
import { agentRecord } from '../../src/contract/records.ts'
import { capability, type Capability } from '../../src/contract/views.ts'
import type { Rates } from '../../src/core/costs/price.ts'
import type { Input } from '../../src/core/inputs.ts'
import type { WorldState } from '../../src/core/recording.ts'

const ms = z.number()
const on = { enabled: z.boolean() }
const model = z.string()
const specialist = z.string()

const handoffSettings = z.object({
  planningComplete: z.object({
    ...on,
    taskWords: z.array(z.string()),
    planFile: z.boolean(),
    exitPlanMode: z.boolean(),
    mode: z.enum(['any', 'all']),
    from: model,
    to: model,
  }),
  implementationComplete: z.object({ ...on, taskWord: z.string(), specialist }),
  testsPass: z.object({ ...on, to: model }),
  stuck: z.object({ ...on, specialistFirst: z.boolean(), haikuMs: ms, sonnetMs: ms, opusMs: ms }),
  testFailure: z.object({ ...on, on: z.enum(['any_failure', '2_consecutive']), from: model, to: model }),
  nextTask: z.object(on),
  costDowngrade: z.object({ ...on, thresholdUsd: z.number() }),
  reviewApproved: z.object({ ...on, to: model }),
  mergeConflict: z.object({ ...on, specialist }),
  ciFailed: z.object({ ...on, specialist }),
  securityConcern: z.object({ ...on, to: model }),
  requireApproval: z.array(z.enum(['cross_runtime', 'escalate_to_opus', 'downgrade_from_opus'])),
  perIssuePerHour: z.number(),
  maxEscalations: z.number(),
  autoEscalate: z.boolean(),
  restMs: ms,
  saveMs: ms,
  cycle: z.object({
    ...on,
    threshold: z.number(),
    writeMs: ms,
    retries: z.number(),
    verifyMs: ms,
    warnPerHour: z.number(),
  }),
  specialistsOff: z.array(specialist),
})

const routingSettings = z.object({
  detection: z.object({
    mediumAboveFiles: z.number(),
    complexAboveFiles: z.number(),
    otherwise: complexity,
    tags: z.record(z.string(), complexity),
    keywords: z.record(z.string(), complexity),
  }),
  byComplexity: z.record(complexity, z.union([z.string(), z.object({ model, runtime: z.string() })])),
  tiers: z.record(z.enum(['opus', 'sonnet', 'haiku', 'cheap']), model),
  defaultModel: model,
  runtimes: z.record(z.string(), z.string()),
  defaultRuntime: z.string(),
  specialists: z.record(
    z.string(),
    z.object({ model, runtime: z.string().nullable(), enabled: z.boolean(), autoWake: z.boolean() }),
  ),
})

const settings = z.object({
  autoStart: z.boolean(),
  thresholds: z.object({ staleMs: ms, warningMs: ms, stuckMs: ms }),
  pokeOnWarning: z.boolean(),
  pokeText: z.string().nullable(),
  interruptOnStuck: z.boolean(),
  killOnStuck: z.boolean(),
  restartOnKill: z.boolean(),
  restartOnCrash: z.boolean(),
  nudgeAssigned: z.boolean(),
  lifecycle: z.object({
    autoSuspend: z.boolean(),
    autoResume: z.boolean(),
    specialistIdleMs: ms,
    workIdleMs: ms,
    idleMs: z.record(z.string(), ms),
    keepAwake: z.array(z.string()),
    maxResumeUsd: z.number().nullable(),
  }),
  handoffs: handoffSettings,
  lookEveryMs: ms,
  witnessesOff: z.array(witness),
  routing: routingSettings,
})

const trouble = z.enum(['settings', 'journal'])

const observer = z.object({
  wallAt: z.number(),
  monoAt: z.number(),
  graceAt: z.number(),
  lastLookAt: z.number(),
  lastTriedAt: z.number(),
  lastLookWallAt: z.number().optional(),
  looks: z.number(),
  looksOwed: z.number(),
  blind: z.string().optional(),
  late: z.boolean(),
  doubted: z.boolean(),
  troubles: z.partialRecord(trouble, z.string()).optional(),
})

const capabilities = z.object({
  ...(Object.fromEntries(capability.options.map((name) => [name, z.boolean()])) as Record<Capability, z.ZodBoolean>),
  models: z.object({ names: z.array(z.string()), family: z.string() }).optional(),
})

export const recordedState = z.object({
  settings,
  house: houseRecord,
  agents: z.array(agentRecord),
  observer,
  deadlines: z.array(z.tuple([z.string(), z.number()])),
  troubled: z.array(agentId),
  acting: z.array(agentId),
  turns: z.array(z.object({ agent: agentId, at: z.number() })),
  runs: z.array(z.tuple([z.string(), agentId])),
  capabilities: z.array(z.tuple([z.string(), capabilities])),
  letters: z.string().optional(),
})

const stamp = z.object({ id: z.string(), wallAt: z.number(), monoAt: z.number(), chance: z.number().optional() })
const stopNote = {
  reason: z.string().optional(),
  person: z.string().optional(),
  askedWallAt: z.number().optional(),
}

export const recordedInput = z.discriminatedUnion('type', [
  stamp.extend({
    type: z.literal('boot'),
    openEffects: z.number(),
    stop: z.object({ gone: z.array(agentId), ...stopNote }).optional(),
  }),
  stamp.extend({ type: z.literal('tick'), lateMs: ms }),
  stamp.extend({
    type: z.literal('look'),
    sightings: z.array(sighting),
    blind: z.string().optional(),
    sentinel: z.boolean(),
    ...stopNote,
  }),
  stamp.extend({ type: z.literal('report'), sighting }),
  stamp.extend({ type: z.literal('command'), by: z.string(), command }),
  stamp.extend({ type: z.literal('outcome'), effect, outcome }),
  stamp.extend({ type: z.literal('settings'), settings, keys: z.array(z.string()) }),
  stamp.extend({ type: z.literal('trouble'), of: trouble, what: z.string().optional() }),
])

/** US dollars for a million of each kind of token. */
export const recordedRates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite5m: z.number(),
  cacheWrite1h: z.number(),
})

/** What JSON keeps of a type: no word on what may be written, and undefined is the same as left out. */
type Kept<T> = T extends object ? { -readonly [K in keyof T]-?: Kept<Exclude<T[K], undefined>> } : T

/** Whether two types have the same fields all the way down; either may leave a field out. */
export type SameFields<A, B> =
  (<T>() => T extends Kept<A> ? 1 : 2) extends <T>() => T extends Kept<B> ? 1 : 2 ? true : false

/** False here: the type of that name has a field that its schema above has not, or the other way round. */
export const HELD_TOGETHER: {
  state: SameFields<WorldState, z.infer<typeof recordedState>>
  input: SameFields<Input, z.infer<typeof recordedInput>>
  rates: SameFields<Rates, z.infer<typeof recordedRates>>
} = { state: true, input: true, rates: true }
