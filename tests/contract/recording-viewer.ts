/** A viewer that keeps what it was shown, and can be slow. */
import { vi } from 'vitest'
import type { Size, Viewer } from '../../src/core/ports.ts'

export class RecordingViewer implements Viewer {
  /** Everything since the last screen, that screen included. */
  readonly chunks: Buffer[] = []
  screens = 0
  size: Size | undefined
  why: string | undefined
  isFull = false
  /** Calls after it was told that all is over. */
  late = 0

  screen(size: Size, bytes: Uint8Array): boolean {
    this.#count()
    this.screens += 1
    this.size = size
    this.chunks.splice(0, this.chunks.length, Buffer.from(bytes))
    return !this.isFull
  }

  output(bytes: Uint8Array): boolean {
    this.#count()
    this.chunks.push(Buffer.from(bytes))
    return !this.isFull
  }

  gone(why: string): void {
    this.#count()
    this.why = why
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks)
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  /** Resolves when it was shown this. */
  shows(part: string): Promise<void> {
    return this.until(() => this.text.includes(part), `«${part}» in «${this.text.slice(-500)}»`)
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    await vi.waitFor(
      () => {
        if (!isSo()) throw new Error(`not seen: ${what}`)
      },
      { timeout: 25_000, interval: 5 },
    )
  }

  #count(): void {
    if (this.why !== undefined) this.late += 1
  }
}
