/** The version of this package, from the package.json beside dist or src. */
import { readFileSync } from 'node:fs'

/** `entry` is the file URL of the CLI's main file. */
export function versionBeside(entry: string): string {
  const text = readFileSync(new URL('../../package.json', entry), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
