/** The machine: Node, and room on the disk. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail, warn, well, type Check, type Examine, type Patient } from './doctor-check.ts'

export const machineChecks: readonly Examine[] = [() => node(process.versions.node), disk]

const LEAST_NODE = [24, 15] as const

export function node(version: string): Check {
  if (isAtLeast(version, LEAST_NODE)) return well('node', version)
  return fail('node', `${version} is too old`, `Install Node ${LEAST_NODE.join('.')} or later.`)
}

export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [given = 0, below = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return given > major || (given === major && below >= minor)
}

const MB = 1024 * 1024
const LOW_MB = 500
const FULL_MB = 50

function disk({ home }: Patient): Check {
  const folder = firstThere(home)
  const { bavail, bsize } = statfsSync(folder)
  const freeMb = Math.floor((bavail * bsize) / MB)
  const found = freeMb >= 10 * 1024 ? `${Math.floor(freeMb / 1024)} GB free` : `${freeMb} MB free`
  if (freeMb < FULL_MB) return fail('disk', `${found} at ${folder}`, 'Free some space: the journal cannot be written.')
  if (freeMb < LOW_MB) return warn('disk', `${found} at ${folder}`, 'Free some space before the journal needs it.')
  return well('disk', found)
}

function firstThere(path: string): string {
  try {
    statfsSync(path)
    return path
  } catch {
    return dirname(path) === path ? path : firstThere(dirname(path))
  }
}
