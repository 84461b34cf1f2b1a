/** What is stored and recorded, each shape as a short fingerprint that only changes with what may be stored. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { FORMAT, migrate } from '../../src/adapters/sqlite/migrations.ts'
import { effect, outcome } from '../../src/contract/effects.ts'
import { event } from '../../src/contract/events.ts'
import { houseRecord } from '../../src/contract/house-record.ts'
import { RECORDING_FORMAT, recordedStep, recordingEnd, recordingHead } from '../../src/contract/recording.ts'
import { agentRecord } from '../../src/contract/records.ts'
import { recordedInput, recordedRates, recordedState } from './recorded.ts'

export type Fingerprints = Readonly<Record<string, string>>

export interface StoredKind {
  format: number
  shapes: Fingerprints
}

export function storedKinds(): Record<'journal' | 'recording', StoredKind> {
  const events = shapeOf(event)
  return {
    journal: {
      format: FORMAT,
      shapes: {
        tables: digest(tables()),
        events,
        agents: shapeOf(agentRecord),
        house: shapeOf(houseRecord),
        effects: shapeOf(effect),
        outcomes: shapeOf(outcome.shape.result),
      },
    },
    recording: {
      format: RECORDING_FORMAT,
      shapes: {
        lines: digest([recordingHead, recordedStep, recordingEnd].map(canonical)),
        state: shapeOf(recordedState),
        inputs: shapeOf(recordedInput),
        events,
        rates: shapeOf(recordedRates),
      },
    },
  }
}

export function shapeOf(schema: z.ZodType): string {
  return digest(canonical(schema))
}

/** Descriptions, and the order of fields, choices and names, say nothing of what may be stored. */
function canonical(schema: z.ZodType): unknown {
  return sorted(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

const WORDS = ['$schema', 'title', 'description', 'examples']
const IN_ANY_ORDER = ['required', 'enum', 'anyOf', 'oneOf', 'allOf']

function sorted(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((part) => sorted(part))
    if (!IN_ANY_ORDER.includes(key)) return parts
    return parts.map((part) => JSON.stringify(part)).toSorted()
  }
  if (typeof value !== 'object' || value === null) return value
  // A field may be called like one of the words; then it stands among `properties`.
  const names = Object.keys(value).filter((name) => key === 'properties' || !WORDS.includes(name))
  return Object.fromEntries(
    names
      .toSorted()
      .map((name) => [name, sorted((value as Record<string, unknown>)[name], key === 'properties' ? '' : name)]),
  )
}

function tables(): unknown {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const rows = db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all()
  db.close()
  return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')])
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}
