/**
 * Finds usage in a block of whole lines. There are two: `plainScanner` in JavaScript and `simdScanner` in
 * WebAssembly; both find exactly what `JSON.parse` of every line finds, provided that keys are written without
 * escapes, as every JSON writer does.
 */
import { findingIn, type Finding } from './finding.ts'
import { recordsIn } from './records-in.ts'

export interface Scanner {
  /** Blocks are read into this memory. */
  readonly block: Buffer
  /** What lies in this part of the block: whole lines, the last one with or without its line end. */
  scan(part: Part, found: (finding: Finding) => void): void
}

export interface Part {
  start: number
  end: number
}

export const BLOCK_BYTES = 4 * 1024 * 1024

export function plainScanner(bytes = BLOCK_BYTES): Scanner {
  const block = Buffer.allocUnsafeSlow(bytes)
  return { block, scan: ({ start, end }, found) => scanPlainly(block.subarray(start, end), found) }
}

const MARK = Buffer.from('"usage"')
const LINE_END = 0x0a

/** A line without the mark has no usage; the others are few and are parsed as a whole. */
export function scanPlainly(bytes: Buffer, found: (finding: Finding) => void): void {
  let at = bytes.indexOf(MARK)
  while (at >= 0) {
    const start = bytes.lastIndexOf(LINE_END, at) + 1
    const next = bytes.indexOf(LINE_END, at)
    const end = next < 0 ? bytes.length : next
    scanLine(bytes, { start, end }, found)
    at = bytes.indexOf(MARK, end)
  }
}

export function scanLine(bytes: Buffer, { start, end }: Part, found: (finding: Finding) => void): void {
  for (const record of recordsIn(bytes.toString('utf8', start, end))) {
    const finding = findingIn(record)
    if (finding !== undefined) found(finding)
  }
}
