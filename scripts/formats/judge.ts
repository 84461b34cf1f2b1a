/** Whether a stored shape changed without its format being raised, and what to do then. */
import type { Fingerprints, StoredKind } from './shapes.ts'

export type Kind = 'journal' | 'recording'

export interface Known {
  now: Record<Kind, StoredKind>
  /** As they were last written down, by format. */
  kept: Partial<Record<Kind, Readonly<Record<string, Fingerprints>>>>
  /** Files of each kind that earlier versions wrote, named `<format>-<commit>.…`; they pin their format. */
  fixtures: Record<Kind, readonly string[]>
}

export interface Finding {
  sentence: string
  /** `npm run formats` settles it. */
  renewable: boolean
}

const FOLDER: Record<Kind, string> = { journal: 'tests/formats/homes', recording: 'tests/formats/recordings' }

/** How a format is raised. */
const STEPS: Record<Kind, (next: number) => string> = {
  journal: (next) =>
    `add src/adapters/sqlite/formats/format-${next}.ts, which brings a journal of format ${next - 1} to ${next}, ` +
    'and name it last in FORMATS (src/adapters/sqlite/migrations.ts)',
  recording: (next) =>
    `add src/core/recordings/format-${next}.ts, which says what format ${next - 1} said, name it last in ` +
    `RECORDING_FORMATS (src/core/recordings/upcast.ts), and set RECORDING_FORMAT (src/contract/recording.ts) to ${next}`,
}

export function judge(known: Known): Finding[] {
  return [...judgeKind('journal', known), ...judgeKind('recording', known)]
}

function judgeKind(kind: Kind, { now, kept, fixtures }: Known): Finding[] {
  const { format, shapes } = now[kind]
  const before = kept[kind]?.[format]
  const changed = before === undefined ? [] : differences(before, shapes)
  const pin = fixtures[kind].find((name) => name.startsWith(`${format}-`))
  return [
    ...missingFixtures(kind, format, fixtures[kind]),
    ...(before === undefined ? [unknown(kind, format)] : []),
    ...(changed.length === 0
      ? []
      : [pin === undefined ? unpinned(kind, format, changed) : pinned(kind, format, { changed, pin })]),
  ]
}

function differences(before: Fingerprints, after: Fingerprints): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => before[name] !== after[name])
}

function missingFixtures(kind: Kind, format: number, names: readonly string[]): Finding[] {
  const earlier = Array.from({ length: format - 1 }, (_, index) => index + 1)
  const missing = earlier.filter((number) => !names.some((name) => name.startsWith(`${number}-`)))
  return missing.map((number) => ({
    sentence:
      `${FOLDER[kind]} has nothing that format ${number} of the ${kind} wrote, so that nobody knows whether it can still ` +
      `be read. Make it with the last commit of that format: node tests/formats/make.ts <commit>`,
    renewable: false,
  }))
}

function unknown(kind: Kind, format: number): Finding {
  return {
    sentence: `Format ${format} of the ${kind} has no fingerprint yet. Run \`npm run formats\` and commit the result.`,
    renewable: true,
  }
}

function unpinned(kind: Kind, format: number, changed: readonly string[]): Finding {
  return {
    sentence:
      `What is stored in the ${kind} changed (${changed.join(', ')}), and format ${format} is not released: nothing in ` +
      `${FOLDER[kind]} has its number. If what this format has stored so far still fits (a new field is optional, nothing ` +
      `is renamed or taken away), run \`npm run formats\` and commit the result. Else raise the format: ${STEPS[kind](format + 1)}; ` +
      'then run `npm run formats`.',
    renewable: true,
  }
}

function pinned(kind: Kind, format: number, { changed, pin }: { changed: readonly string[]; pin: string }): Finding {
  return {
    sentence:
      `What is stored in the ${kind} changed (${changed.join(', ')}), and format ${format} is released: ` +
      `${FOLDER[kind]}/${pin} was written by it, and an older program would drop what it does not know. Raise the format: ` +
      `${STEPS[kind](format + 1)}; then run \`npm run formats\` and commit the result.`,
    renewable: false,
  }
}
