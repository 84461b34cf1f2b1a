/** Sessions that were recorded, each a jsonl file of what happened; their labels stand apart in labels.jsonl. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallBounds } from '../../src/contract/open-work.ts'
import type { After, Item, Label, Labelled } from './timeline.ts'

const FOLDER = join(import.meta.dirname, 'recorded')
const LABELS = join(import.meta.dirname, 'labels.jsonl')
const AFTERS = join(import.meta.dirname, 'afters.json')

export function recordedSessions(): Labelled[] {
  const known = readLabels()
  const afters = readAfters()
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .map((file) => {
      const items = readFileSync(join(FOLDER, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Item)
      const name = file.slice(0, -'.jsonl'.length)
      const { labels: own, bounds } = known.get(name) ?? { labels: [] }
      const lengthMs = Math.max(0, ...own.map(({ toAt }) => toAt))
      const session = { name: `recorded: ${name}`, agents: 1, lengthMs, hears: false, items }
      const after = afters.get(name)
      const bounded = bounds === undefined ? session : { ...session, bounds }
      return { session: bounded, labels: own, ...(after === undefined ? {} : { after }) }
    })
}

export interface Known {
  labels: Label[]
  /** How long its program let its calls run, where that was set. */
  bounds?: CallBounds
}

export function readLabels(): Map<string, Known> {
  const lines = readFileSync(LABELS, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const { session, ...known } = JSON.parse(line) as Known & { session: string }
      return [session, known]
    }),
  )
}

/** What came of what was said in them, where something was. */
function readAfters(): Map<string, After> {
  return new Map(Object.entries(JSON.parse(readFileSync(AFTERS, 'utf8')) as Record<string, After>))
}

export function writeAfter(session: string, after: After): void {
  const all = Object.fromEntries(
    [...readAfters(), [session, after]].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
  writeFileSync(AFTERS, `${JSON.stringify(all, undefined, 2)}\n`)
}

export function writeLabels(labels: ReadonlyMap<string, Known>): void {
  const sorted = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = sorted.map(([session, own]) => `${JSON.stringify({ session, ...own })}\n`)
  writeFileSync(LABELS, lines.join(''))
}
