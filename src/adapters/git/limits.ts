/** Keeps a snapshot within its limits; whatever is left out is named. */
import { RANKS, type Rank } from './gather.ts'
import { toText, type RawPath } from './raw-path.ts'
import type { DiskFile } from './store-blobs.ts'

export interface Limits {
  fileBytes: number
  totalBytes: number
  files: number
}

export const LIMITS: Limits = { fileBytes: 100 * 1024 * 1024, totalBytes: 512 * 1024 * 1024, files: 50_000 }

export interface Kept {
  files: DiskFile[]
  notes: string[]
}

/** What matters most comes first, so that what is left out is what can be had again most easily. */
export function keepWithin(limits: Limits, files: readonly DiskFile[], ranks: ReadonlyMap<RawPath, Rank>): Kept {
  const rankOf = ({ path }: DiskFile) => RANKS.indexOf(ranks.get(path) ?? 'changed')
  const kept: DiskFile[] = []
  const left: { file: DiskFile; why: string }[] = []
  let total = 0
  for (const file of files.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const why = objection(limits, file, { total, count: kept.length })
    if (why === undefined) {
      kept.push(file)
      total += file.bytes
    } else left.push({ file, why })
  }
  return { files: kept, notes: notesOn(left, ranks) }
}

function objection(
  limits: Limits,
  { bytes }: DiskFile,
  { total, count }: { total: number; count: number },
): string | undefined {
  if (bytes > limits.fileBytes)
    return `${megabytes(bytes)} is over the limit of ${megabytes(limits.fileBytes)} per file`
  if (total + bytes > limits.totalBytes) return `the snapshot is full (limit ${megabytes(limits.totalBytes)})`
  return count >= limits.files ? `the snapshot is full (limit ${limits.files} files)` : undefined
}

const NAMED = 40

function notesOn(left: readonly { file: DiskFile; why: string }[], ranks: ReadonlyMap<RawPath, Rank>): string[] {
  const notes = left.slice(0, NAMED).map(({ file: { path }, why }) => {
    const unchanged = ranks.get(path) === 'converted'
    return `${toText(path)}: ${why}; it is ${unchanged ? 'unchanged and saved as committed' : 'only in the workspace'}.`
  })
  return left.length > NAMED
    ? [...notes, `${left.length - NAMED} more file${left.length - NAMED === 1 ? ' was' : 's were'} left out.`]
    : notes
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`
}
