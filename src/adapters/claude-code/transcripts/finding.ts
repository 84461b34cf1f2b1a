/**
 * What one record of a transcript says of usage. Only a record whose own `type` is `assistant` counts, and one that a
 * `progress` record has as its `data.message`, as if it stood alone: results of tools, recorded requests and the input of
 * a tool call may hold a `usage`, even a whole foreign record.
 */
import { keyOf, type MessageKey } from './message-key.ts'

export interface Figures {
  input: number
  output: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
}

/** In two numbers, as it is kept. */
export interface Instant {
  /** Since 1970; 0 when the record does not say. */
  seconds: number
  milliseconds: number
}

export interface Finding extends MessageKey, Figures, Instant {
  model: string
}

/** The client's own name for what it wrote itself, such as an error; nothing was asked of a model. */
export const SYNTHETIC = '<synthetic>'
export const UNNAMED = 'unknown'

export function findingIn(line: unknown): Finding | undefined {
  const { type, data } = fieldsOf(line)
  return answerIn(type === 'progress' ? fieldsOf(data)['message'] : line)
}

function answerIn(record: unknown): Finding | undefined {
  const { type, message, requestId, timestamp } = fieldsOf(record)
  const { id, model, usage } = fieldsOf(message)
  if (type !== 'assistant' || typeof id !== 'string' || model === SYNTHETIC) return undefined
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return undefined
  return {
    ...keyOf(id, typeof requestId === 'string' ? requestId : ''),
    ...figuresOf(usage),
    model: withSpeed(typeof model === 'string' ? model : UNNAMED, fieldsOf(usage)['speed']),
    ...instantOf(timestamp),
  }
}

/** An answer at another speed than the usual one has another price, so it is counted as if by another model. */
export function withSpeed(model: string, speed: unknown): string {
  return typeof speed !== 'string' || speed === '' || speed === 'standard' ? model : `${model}[${speed}]`
}

/** Any value's fields; none for what is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function figuresOf(usage: object): Figures {
  const given = fieldsOf(usage)
  const split = fieldsOf(given['cache_creation'])
  const cacheWrite1h = count(split['ephemeral_1h_input_tokens'])
  return {
    input: count(given['input_tokens']),
    output: count(given['output_tokens']),
    cacheRead: count(given['cache_read_input_tokens']),
    cacheWrite5m: lastingMinutes(
      count(given['cache_creation_input_tokens']),
      count(split['ephemeral_5m_input_tokens']),
      cacheWrite1h,
    ),
    cacheWrite1h,
  }
}

/** Whatever of the whole is not said to last an hour lasts five minutes, as it does where no split is given. */
export function lastingMinutes(whole: number, split5m: number, split1h: number): number {
  return Math.max(split5m, whole - split1h)
}

/** None for what is no time, and for one whose seconds do not fit into four bytes. */
export function instantOf(timestamp: unknown): Instant {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : 0
  const seconds = Math.floor(at / 1000)
  return seconds > 0 && seconds <= LARGEST
    ? { seconds, milliseconds: at - seconds * 1000 }
    : { seconds: 0, milliseconds: 0 }
}

const LARGEST = 0xffff_ffff

function count(value: unknown): number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST ? (value as number) : 0
}
