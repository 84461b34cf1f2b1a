/** The settings that one run is started with: every hook reports to the spool. The user's own settings stay as they are. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookEvents } from './hook-events.ts'

export interface HookPrograms {
  /** Called with the kind of event as its only argument. */
  report: string
  /** Answers PermissionRequest; may wait for a person. */
  ask: string
}

export interface RunSettings {
  hooks: HookPrograms
  events: HookEvents
  permissionMode: string
  /** As the client's settings have it. */
  statusLine: object
}

/** A hook that takes longer would hold the client up; ours takes milliseconds. */
const REPORT_TIMEOUT_S = 10
/** A person may sleep over a question; the client's own dialog stays usable meanwhile. */
const ASK_TIMEOUT_S = 7 * 24 * 3600

export function settingsOf({ hooks, events, permissionMode, statusLine }: RunSettings): object {
  const entry = (program: string, kind: string, timeout: number) => {
    const started = events.withArgs
      ? { command: program, args: [kind] }
      : // An older client starts every hook by a shell.
        { command: `${quoted(program)} ${kind}` }
    return [kind, [{ hooks: [{ type: 'command', ...started, timeout }] }]] as const
  }
  const reporting = events.reported.map((kind) => entry(hooks.report, kind, REPORT_TIMEOUT_S))
  const asking = events.asks ? [entry(hooks.ask, 'PermissionRequest', ASK_TIMEOUT_S)] : []
  return {
    hooks: Object.fromEntries([...reporting, ...asking]),
    statusLine,
    // Else the mode that was asked for explicitly would be asked for again, in a dialog without a hook.
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  }
}

/** As one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Gives the file's path. Only this user can read it: it says where the hooks are. */
export async function writeSettings(folder: string, settings: object): Promise<string> {
  const file = join(folder, 'settings.json')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  // An older file keeps its mode when it is written again.
  await chmod(file, 0o600)
  return file
}
