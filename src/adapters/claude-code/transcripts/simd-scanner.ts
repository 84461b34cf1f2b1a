/** The scanner in WebAssembly: scripts/scanner.wat says what it finds and what it hands back to be parsed here. */
import { cacheWrites, secondsOf, SYNTHETIC, UNNAMED, type Finding } from './finding.ts'
import { BLOCK_BYTES, scanLine, type Scanner } from './scanner.ts'
import { SCANNER_BYTES } from './scanner-bytes.ts'

const PAGE = 65_536
const COUNT_AT = 4088 / 4
const RESULTS_AT = 4096 / 4
const RESULT_WIDTH = 16
const BLOCK_AT = 131_072
/** It looks up to 22 bytes beyond the last line. */
const MARGIN = 64

interface Exports {
  memory: { buffer: ArrayBuffer; grow: (pages: number) => number }
  scan: (start: number, end: number) => number
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
  const nameOf = names(whole)
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

  function tell(at: number, found: (finding: Finding) => void): void {
    const value = (n: number): number => numbers[at + n] ?? 0
    if (value(2) === 1) return scanLine(whole, { start: value(0), end: value(1) }, found)
    const model = value(12) === 0 ? UNNAMED : nameOf(value(12), value(13))
    if (model === SYNTHETIC) return
    const { cacheWrite5m, cacheWrite1h } = cacheWrites(value(9), value(10), value(11))
    found({
      a: value(3),
      b: value(4),
      c: value(5),
      input: value(6),
      output: value(7),
      cacheRead: value(8),
      cacheWrite5m,
      cacheWrite1h,
      model,
      at: value(14) === 0 ? 0 : secondsOf(whole.toString('latin1', value(14), value(14) + value(15))),
    })
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

/** Texts out of the memory. The name of a model stands in nearly every result, and there are few of them. */
function names(whole: Buffer): (at: number, length: number) => string {
  let last = Buffer.alloc(0)
  let name = ''
  return (at, length) => {
    if (length === last.length && whole.compare(last, 0, length, at, at + length) === 0) return name
    last = Buffer.from(whole.subarray(at, at + length))
    name = last.toString('utf8')
    return name
  }
}
