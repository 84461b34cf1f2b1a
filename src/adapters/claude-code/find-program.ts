/** Finds a program as a shell would, without starting one. */
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The absolute path of an executable file, or undefined. */
export async function findProgram(name: string, path: string | undefined): Promise<string | undefined> {
  const candidates = isAbsolute(name)
    ? [name]
    : (path ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, name))
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate
  }
  return undefined
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
