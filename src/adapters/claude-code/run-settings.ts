/** Writes the settings of one run, for the version of the client that it is started with. */
import { join } from 'node:path'
import { hookEvents } from './hook-events.ts'
import { settingsOf, writeSettings } from './settings-file.ts'
import { statusLineEntry } from './status-line-entry.ts'
import type { Version } from './version.ts'

export interface RunPlace {
  home: string
  run: string
  /** The user's folder of the client. */
  config: string
  workspace: string
  permissionMode: string
  /** Undefined when the client does not say it. */
  version: Version | undefined
}

/** Gives the file's path. */
export async function writeRunSettings(place: RunPlace): Promise<string> {
  const { home, run, config, workspace, permissionMode, version } = place
  const bin = (name: string) => join(home, 'bin', name)
  const settings = settingsOf({
    hooks: { report: bin('heartbeat-hook'), ask: bin('ask-hook') },
    events: hookEvents(version),
    permissionMode,
    statusLine: await statusLineEntry({ program: bin('status-line'), config, workspace }),
  })
  return writeSettings(join(home, 'runs', run), settings)
}

/** The user's folder of the client: where its settings, sessions and transcripts are. */
export function configFolder(env: Readonly<Record<string, string>>): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude')
}
