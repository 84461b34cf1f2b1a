/** Which version of the client lies at a path. It is asked once for each program, and again when the file changes. */
import { stat } from 'node:fs/promises'
import { run } from '../process/run.ts'

export type Version = readonly [major: number, minor: number, patch: number]

const PROBE_MS = 5_000
const PROGRAMS_LIMIT = 20

/** Gives a function that tells the version of a program; undefined when it does not say one. */
export function versionProbe(env: Readonly<Record<string, string>>): (program: string) => Promise<Version | undefined> {
  const known = new Map<string, Promise<Version | undefined>>()
  return async (program) => {
    const file = await stat(program).catch(() => undefined)
    if (file === undefined) return undefined
    const key = `${program} ${file.ino} ${file.size} ${file.mtimeMs}`
    const asked = known.get(key) ?? ask(program, env)
    if (known.size >= PROGRAMS_LIMIT) known.clear()
    known.set(key, asked)
    const version = await asked
    // A machine that was too busy to answer is asked again.
    if (version === undefined) known.delete(key)
    return version
  }
}

async function ask(program: string, env: Readonly<Record<string, string>>): Promise<Version | undefined> {
  const result = await run([program, '--version'], { env, timeoutMs: PROBE_MS, maxBytes: 65_536 }).catch(
    () => undefined,
  )
  return result?.code === 0 ? parseVersion(result.stdout) : undefined
}

/** «2.1.325 (Claude Code)» */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^\s*v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?!\d)/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

export function isAtLeast(version: Version, since: Version): boolean {
  const at = version.findIndex((part, index) => part !== since[index])
  return at < 0 || (version[at] ?? 0) > (since[at] ?? 0)
}
