/** Texts that are too long to be typed, as files in the home that only this user can read. The newest of each agent stay. */
import { mkdir, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { letterPath } from '../../core/letters.ts'
import type { Letters } from '../../core/ports.ts'

const KEPT = 50

export class FileLetters implements Letters {
  readonly folder: string

  constructor(home: string) {
    this.folder = join(home, 'letters')
  }

  async leave(agent: string, message: string, text: string): Promise<void> {
    const path = letterPath(this.folder, agent, message)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}.draft`
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
    await keepNewest(dirname(path))
  }
}

async function keepNewest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  if (names.length <= KEPT) return
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  const old = aged.toSorted((a, b) => b.at - a.at).slice(KEPT)
  for (const { name } of old) await unlink(join(folder, name)).catch(() => undefined)
}
