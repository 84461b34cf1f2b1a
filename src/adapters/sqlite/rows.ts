/**
 * Between what the daemon speaks of and the rows that are stored. Text is made on the daemon's thread because
 * sending text to the worker costs a third of sending objects; it is read, and checked, only in the worker.
 */
import type * as z from 'zod'
import type { Batch } from '../../core/ports.ts'
import { Unknown } from './unknown.ts'

/** Keys of the current state. */
export const HOUSE_KEY = 'house'
export const AGENT_PREFIX = 'agent:'

export interface Rows {
  events: readonly { seq: number; at: number; agent: string | null; type: string; body: string }[]
  effects: readonly { id: string; body: string }[]
  settled: readonly { effect: string; outcome: string }[]
  agents: readonly { id: string; body: string }[]
  forgotten: readonly string[]
  house: string
  seen: readonly string[]
}

export function toRows(batch: Batch): Rows {
  return {
    events: batch.events.map((event) => ({
      seq: event.seq,
      at: event.at,
      agent: 'agent' in event ? event.agent : null,
      type: event.type,
      body: JSON.stringify(event),
    })),
    effects: batch.effects.map((effect) => ({ id: effect.id, body: JSON.stringify(effect) })),
    settled: batch.settled.map(({ effect, outcome }) => ({ effect, outcome })),
    agents: batch.agents.map((agent) => ({ id: agent.id, body: JSON.stringify(agent) })),
    forgotten: batch.forgotten,
    house: JSON.stringify(batch.house),
    seen: batch.seen,
  }
}

/** Throws a sentence that names the row; nothing that does not parse is written, or read over. */
export function parseRow<T>(schema: z.ZodType<T>, name: string, body: string): T {
  return parsed(schema, name, body).data
}

/** As parseRow; and a field that the schema does not know is refused, since the next write would drop it. */
export function parseWhole<T>(schema: z.ZodType<T>, name: string, body: string): T {
  const { value, data } = parsed(schema, name, body)
  const field = droppedField(value, data)
  if (field === undefined) return data
  throw new Unknown(`the row ${name} has a field that this Cloister does not know, ${field}`)
}

function parsed<T>(schema: z.ZodType<T>, name: string, body: string): { value: unknown; data: T } {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    throw new Error(`the row ${name} is not JSON`, { cause: error })
  }
  const result = schema.safeParse(value)
  if (result.success) return { value, data: result.data }
  const [issue] = result.error.issues
  throw new Error(`the row ${name} does not fit: ${issue?.path.join('.') || 'value'}: ${issue?.message}`)
}

function droppedField(before: unknown, after: unknown): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) return key
    const below = droppedField(before[key], after[key])
    if (below !== undefined) return `${key}.${below}`
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
