/** Where the home is, as the daemon finds it too: PANOPTICON_HOME, else ~/.panopticon. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export function homeFolder(env: Environment): string {
  const path = env['PANOPTICON_HOME'] || '~/.panopticon'
  return resolve(path === '~' || path.startsWith('~/') ? join(env['HOME'] || homedir(), path.slice(1)) : path)
}
