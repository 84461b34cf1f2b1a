/** A file of lines that is only ever added to, readable by its owner alone; at its limit it is put aside as «.1». */
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export class AuditFile {
  readonly path: string
  readonly #limit: number
  #handle: number | undefined
  #bytes = 0

  constructor(file: string, limit: number) {
    this.path = file
    this.#limit = limit
  }

  /** One write on a file opened for appending: no line is ever torn by another. */
  add(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    if (this.#handle !== undefined && this.#bytes + bytes.length > this.#limit) {
      this.close()
      renameSync(this.path, `${this.path}.1`)
    }
    this.#handle ??= this.#open()
    this.#bytes += writeSync(this.#handle, bytes)
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const handle = openSync(this.path, 'a', 0o600)
    fchmodSync(handle, 0o600)
    this.#bytes = fstatSync(handle).size
    return handle
  }
}
