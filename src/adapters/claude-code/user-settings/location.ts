/** Where the client keeps what belongs to the user: CLAUDE_CONFIG_DIR, else ~/.claude. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export function userFolder(env: Environment): string {
  return resolve(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'))
}

export function userSettingsFile(env: Environment): string {
  return join(userFolder(env), 'settings.json')
}
