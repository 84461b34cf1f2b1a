/** A file that stays open between looks, for as long as its name means the same file. */
import { closeSync, openSync } from './files.ts'

export class HeldFile {
  #fd: number | undefined
  #ino: number | undefined

  open(path: string, ino: number): number {
    if (this.#fd !== undefined && this.#ino === ino) return this.#fd
    this.close()
    this.#fd = openSync(path, 'r')
    this.#ino = ino
    return this.#fd
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }
}
