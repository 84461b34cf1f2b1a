/** Sessions that were recorded, each a jsonl file of what happened; their labels stand apart in labels.jsonl. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, Label, Labelled } from './timeline.ts'

const FOLDER = join(import.meta.dirname, 'recorded')
const LABELS = join(import.meta.dirname, 'labels.jsonl')

export function recordedSessions(): Labelled[] {
  const labels = readLabels()
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .map((file) => {
      const items = readFileSync(join(FOLDER, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Item)
      const name = file.slice(0, -'.jsonl'.length)
      const own = labels.get(name) ?? []
      const lengthMs = Math.max(0, ...own.map(({ toAt }) => toAt))
      return { session: { name: `recorded: ${name}`, agents: 1, lengthMs, hears: false, items }, labels: own }
    })
}

export function readLabels(): Map<string, Label[]> {
  const lines = readFileSync(LABELS, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const { session, labels } = JSON.parse(line) as { session: string; labels: Label[] }
      return [session, labels]
    }),
  )
}

export function writeLabels(labels: ReadonlyMap<string, Label[]>): void {
  const sorted = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = sorted.map(([session, own]) => `${JSON.stringify({ session, labels: own })}\n`)
  writeFileSync(LABELS, lines.join(''))
}
