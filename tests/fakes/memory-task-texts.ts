/** Texts of tasks in memory; a full disk takes none. */
import type { TaskTexts } from '../../src/core/ports.ts'

export class MemoryTaskTexts implements TaskTexts {
  readonly files = new Map<string, string>()
  readonly #faults: { diskFull: boolean }

  constructor(faults: { diskFull: boolean } = { diskFull: false }) {
    this.#faults = faults
  }

  async keep(agent: string, name: string, text: string): Promise<void> {
    if (this.#faults.diskFull) throw new Error('no space left on device')
    this.files.set(`${agent}/${name}`, text)
  }

  async read(agent: string, name: string): Promise<string | undefined> {
    return this.files.get(`${agent}/${name}`)
  }

  async forget(agent: string, names: readonly string[]): Promise<void> {
    for (const name of names) this.files.delete(`${agent}/${name}`)
  }
}
