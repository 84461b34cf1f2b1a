/**
 * What is known of a set of transcripts, as one file: derived, replaced as a whole, and thrown away when it is not
 * exactly what was written. Layout: magic, lengths and a check sum; files and models as JSON; rows and slots as numbers.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Figures } from './finding.ts'
import type { KeptSet } from './transcript-set.ts'

const MAGIC = 0x33_78_64_74
const HEADER_BYTES = 20
/** Paths and models; rows follow at the next multiple of 4. */
interface Names {
  files: [path: string, place: [ino: number, size: number, mtimeMs: number, offset: number, mark: number] | null][]
  models: string[]
  sums: Figures[]
}

/** Undefined when there is none, or none that can be trusted: everything is then read again. */
export function loadIndex(file: string): KeptSet | undefined {
  const bytes = bytesOf(file)
  if (bytes === undefined || bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) return undefined
  const namesLength = bytes.readUInt32LE(4)
  const rowsLength = bytes.readUInt32LE(8)
  const slotsLength = bytes.readUInt32LE(12)
  const rowsAt = HEADER_BYTES + aligned(namesLength)
  const slotsAt = rowsAt + rowsLength
  if (bytes.length !== slotsAt + slotsLength) return undefined
  if (bytes.readUInt32LE(16) !== crc32(bytes.subarray(HEADER_BYTES))) return undefined
  const names = JSON.parse(bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + namesLength)) as Names
  return {
    paths: names.files.map(([path]) => path),
    places: names.files.map(([, place]) => {
      if (place === null) return undefined
      const [ino, size, mtimeMs, offset, mark] = place
      return { ino, size, mtimeMs, offset, mark }
    }),
    ledger: {
      models: names.models,
      sums: names.sums,
      rows: new Uint32Array(bytes.buffer, bytes.byteOffset + rowsAt, rowsLength / 4),
      slots: new Int32Array(bytes.buffer, bytes.byteOffset + slotsAt, slotsLength / 4),
    },
  }
}

export function saveIndex(file: string, { paths, places, ledger }: KeptSet): void {
  const names: Names = {
    files: paths.map((path, number) => {
      const place = places[number]
      return [path, place === undefined ? null : [place.ino, place.size, place.mtimeMs, place.offset, place.mark]]
    }),
    models: [...ledger.models],
    sums: [...(ledger.sums ?? [])],
  }
  const text = Buffer.from(JSON.stringify(names))
  const padded = Buffer.alloc(aligned(text.length))
  text.copy(padded)
  const rows = bytesIn(ledger.rows)
  const slots = bytesIn(ledger.slots ?? new Int32Array(0))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(text.length, 4)
  header.writeUInt32LE(rows.length, 8)
  header.writeUInt32LE(slots.length, 12)
  header.writeUInt32LE(crc32(slots, crc32(rows, crc32(padded))), 16)
  const fresh = `${file}.${process.pid}`
  const fd = openSync(fresh, 'w', 0o600)
  try {
    for (const part of [header, padded, rows, slots]) writeSync(fd, part)
  } finally {
    closeSync(fd)
  }
  renameSync(fresh, file)
}

function bytesIn({ buffer, byteOffset, byteLength }: Uint32Array | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4
}

/** In memory of their own, so that the rows lie at a multiple of 4. */
function bytesOf(file: string): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.allocUnsafeSlow(fstatSync(fd).size)
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(fd)
  }
}
