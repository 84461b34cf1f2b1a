/** The model that a transcript names first; its answers come after the prompt that it begins with. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const BYTES = 1024 * 1024
const MODEL = /"model":"(claude-[\w.[\]-]{1,90})"/

export function firstModelIn(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    if (!fstatSync(file).isFile()) return undefined
    const bytes = Buffer.alloc(BYTES)
    return MODEL.exec(bytes.toString('latin1', 0, readSync(file, bytes, 0, BYTES, 0)))?.[1]
  } finally {
    closeSync(file)
  }
}
