/** The scanner in WebAssembly: scripts/scanner.wat says what it finds and what it hands back to be parsed here. */
import { checkSum } from './check-sum.ts'
import { instantOf, lastingMinutes, SYNTHETIC, UNNAMED, withSpeed, type Finding } from './finding.ts'
import { WIDTH } from './row-store.ts'
import { BLOCK_BYTES, scanLine, type Scanner } from './scanner.ts'
import { SCANNER_BYTES } from './scanner-bytes.ts'
import { putRow } from './slots.ts'

const PAGE = 65_536
const COUNT_AT = 4088 / 4
const RESULTS_AT = 4096 / 4
const RESULT_WIDTH = 16
const IS_NUMBERED = 0x8000_0000
const BLOCK_AT = 131_072
/** It looks up to 22 bytes beyond the last line. */
const MARGIN = 64

interface Exports {
  memory: { buffer: ArrayBuffer; grow: (pages: number) => number }
  scan: (start: number, end: number) => number
  sum: (start: number, end: number) => number
  enter: (...slotsMaskStartEndRow: number[]) => void
}

/** As much of it as is used here; the types of Node leave it to browsers. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (program: object) => { exports: unknown }
}

const wasm = (globalThis as unknown as { WebAssembly?: Wasm }).WebAssembly

/** Undefined where WebAssembly, or its vectors, are not to be had. */
export function simdScanner(bytes = BLOCK_BYTES): Scanner | undefined {
  const scanner = compiled()
  if (wasm === undefined || scanner === undefined) return undefined
  const { memory, scan } = new wasm.Instance(scanner).exports as Exports
  const missing = BLOCK_AT + bytes + MARGIN - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  const whole = Buffer.from(memory.buffer)
  const numbers = new Uint32Array(memory.buffer)
  /** Those that the scanner knows by number. */
  const names: string[] = []
  return {
    block: whole.subarray(BLOCK_AT, BLOCK_AT + bytes),
    scan: ({ start, end }, found) => {
      const last = BLOCK_AT + end
      for (let at = BLOCK_AT + start; at < last;) {
        at = scan(at, last)
        const count = numbers[COUNT_AT] ?? 0
        for (let n = 0; n < count; n += 1) tell(RESULTS_AT + n * RESULT_WIDTH, found)
      }
    },
  }

  // In a program that reads a few new lines this runs cold: plain reads, nothing made that is not needed.
  function tell(at: number, found: (finding: Finding) => void): void {
    if (numbers[at + 2] === 1) return scanLine(whole, { start: numbers[at] ?? 0, end: numbers[at + 1] ?? 0 }, found)
    const model = names[(numbers[at + 12] ?? 0) - 1] ?? nameOf(at)
    if (model === SYNTHETIC) return
    const cacheWrite1h = numbers[at + 11] ?? 0
    const timeLength = numbers[at + 15] ?? 0
    const time = numbers[at + 14] ?? 0
    const odd = timeLength === 0 ? undefined : instantOf(whole.toString('utf8', time, time + timeLength))
    found({
      a: numbers[at + 3] ?? 0,
      b: numbers[at + 4] ?? 0,
      c: numbers[at + 5] ?? 0,
      input: numbers[at + 6] ?? 0,
      output: numbers[at + 7] ?? 0,
      cacheRead: numbers[at + 8] ?? 0,
      cacheWrite5m: lastingMinutes(numbers[at + 9] ?? 0, numbers[at + 10] ?? 0, cacheWrite1h),
      cacheWrite1h,
      model: numbers[at + 1] === 1 ? withSpeed(model, 'fast') : model,
      seconds: odd === undefined ? time : odd.seconds,
      milliseconds: odd === undefined ? (numbers[at] ?? 0) : odd.milliseconds,
    })
  }

  function nameOf(at: number): string {
    const nameAt = numbers[at + 12] ?? 0
    if (nameAt === 0) return UNNAMED
    const length = numbers[at + 13] ?? 0
    const name = whole.toString('utf8', nameAt, nameAt + (length & ~IS_NUMBERED))
    if (length >= IS_NUMBERED) names.push(name)
    return name
  }
}

/** Memory in which an index is quick to take up: check sums as in check-sum.ts, rows entered as in slots.ts. */
export interface IndexMemory {
  bytes: Buffer
  sum: (from: number, to: number) => number
  /** Both lie in this memory. The rows are numbered from `first` on; none of them has a slot yet. */
  enter: (slots: Int32Array, rows: Uint32Array, first: number) => void
}

export function indexMemory(length: number): IndexMemory {
  const scanner = compiled()
  if (wasm === undefined || scanner === undefined) return plainMemory(Buffer.allocUnsafeSlow(length))
  const { memory, sum, enter } = new wasm.Instance(scanner).exports as Exports
  const missing = length - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  return {
    bytes: Buffer.from(memory.buffer, 0, length),
    sum: (from, to) => sum(from, to) >>> 0,
    enter: (slots, { byteOffset, byteLength }, first) =>
      enter(slots.byteOffset, slots.length - 2, byteOffset, byteOffset + byteLength, first),
  }
}

export function plainMemory(bytes: Buffer): IndexMemory {
  return {
    bytes,
    sum: (from, to) => checkSum(bytes, from, to),
    enter: (slots, rows, first) => {
      for (let at = 0; at < rows.length; at += WIDTH) putRow(slots, rows, { at, row: first + at / WIDTH })
    },
  }
}

let program: object | undefined

function compiled(): object | undefined {
  if (program !== undefined || wasm === undefined) return program
  try {
    program = new wasm.Module(Buffer.from(SCANNER_BYTES, 'base64'))
  } catch {
    // No vectors on this processor, or WebAssembly is switched off: the plain scanner does the same.
    return undefined
  }
  return program
}
