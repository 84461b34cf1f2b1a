/**
 * The truth that every reader is held to: `JSON.parse` of every line, and of every piece of a broken line that is
 * whole. Slow and plain on purpose, and shares nothing with the readers.
 */
import { readFileSync } from 'node:fs'

export type Totals = Record<string, Record<(typeof FIGURES)[number], number>>

const FIGURES = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const

export function fullParse(files: readonly string[]): Totals {
  return totalsOf(texts(files))
}

/** One after the other: a gigabyte of them does not fit. */
function* texts(files: readonly string[]): Generator<Buffer> {
  for (const file of files) yield readFileSync(file)
}

export function totalsOf(files: Iterable<Buffer>): Totals {
  const messages = new Map<string, Counted>()
  for (const text of files) {
    const lines = text.toString('utf8').split('\n')
    for (const [n, line] of lines.entries()) {
      for (const record of n === lines.length - 1 ? unfinished(line) : parsed(line)) {
        const counted = countedIn(record)
        if (counted === undefined) continue
        const known = messages.get(counted.key)
        if (known === undefined || comesAfter(counted, known)) messages.set(counted.key, counted)
      }
    }
  }
  const totals: Totals = {}
  for (const { model, figures } of messages.values()) {
    const sum = (totals[model] ??= { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 })
    FIGURES.forEach((name, n) => (sum[name] += figures[n] ?? 0))
  }
  const used = Object.entries(totals).filter(([, sum]) => FIGURES.some((name) => sum[name] > 0))
  return Object.fromEntries(used.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Somebody may still be writing it: a piece of it that is whole may be part of something else. */
function unfinished(line: string): unknown[] {
  const whole = tryParse(line)
  return whole === undefined ? [] : [whole]
}

function parsed(line: string): unknown[] {
  const whole = tryParse(line)
  if (whole !== undefined) return [whole]
  const records: unknown[] = []
  for (let start = line.indexOf('{"'); start >= 0; start = line.indexOf('{"', start)) {
    let behind = start + 1
    for (let end = line.indexOf('}', start); end >= 0; end = line.indexOf('}', end + 1)) {
      const record = tryParse(line.slice(start, end + 1))
      if (record === undefined) continue
      records.push(record)
      behind = end + 1
      break
    }
    start = behind
  }
  return records
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Counted {
  key: string
  model: string
  /** 0 when it does not say, or says what no clock shows. */
  at: number
  figures: number[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- the shape is what is being found out
function countedIn(line: any): Counted | undefined {
  const record = line?.type === 'progress' ? line.data?.message : line
  const usage = record?.message?.usage
  if (record?.type !== 'assistant' || typeof record.message?.id !== 'string') return undefined
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return undefined
  if (record.message.model === '<synthetic>') return undefined
  const hour = whole(usage.cache_creation?.ephemeral_1h_input_tokens)
  const fiveMinutes = whole(usage.cache_creation?.ephemeral_5m_input_tokens)
  return {
    key: JSON.stringify([record.message.id, typeof record.requestId === 'string' ? record.requestId : '']),
    model: (typeof record.message.model === 'string' ? record.message.model : 'unknown') + speed(usage.speed),
    at: instant(record.timestamp),
    figures: [
      whole(usage.input_tokens),
      whole(usage.output_tokens),
      whole(usage.cache_read_input_tokens),
      Math.max(fiveMinutes, whole(usage.cache_creation_input_tokens) - hour),
      hour,
    ],
  }
}

function speed(value: unknown): string {
  return typeof value === 'string' && !['', 'standard'].includes(value) ? `[${value}]` : ''
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : 0
}

function instant(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : 0
  return at >= 1000 && at < 2 ** 32 * 1000 ? at : 0
}

/** By time; of equal times by the figures; of equal figures by the model's name. */
function comesAfter(a: Counted, b: Counted): boolean {
  const rank = ({ at, figures: [input = 0, output = 0, read = 0, five = 0, hour = 0] }: Counted) => [
    at,
    input + output + read + five + hour,
    output,
    hour,
    read,
    five,
    input,
  ]
  const [left, right] = [rank(a), rank(b)]
  const at = left.findIndex((value, n) => value !== right[n])
  return at < 0 ? a.model > b.model : (left[at] ?? 0) > (right[at] ?? 0)
}
