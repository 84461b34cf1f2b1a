/** The settings that one run is started with: every hook reports to the spool. The user's own settings stay as they are. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface HookPrograms {
  /** Called with the kind of event as its only argument. */
  report: string
  /** Answers PermissionRequest; may wait for a person. */
  ask: string
}

/** Hooks of 2.1.325 that report and expect no answer. */
export const REPORTED_HOOKS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionDenied',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'CwdChanged',
  'ConfigChange',
] as const

/** A hook that takes longer would hold the client up; ours takes milliseconds. */
const REPORT_TIMEOUT_S = 10
/** A person may sleep over a question; the client's own dialog stays usable meanwhile. */
const ASK_TIMEOUT_S = 7 * 24 * 3600

export function settingsOf({ report, ask }: HookPrograms, permissionMode: string): object {
  // With `args` the client starts the program itself, without a shell.
  const reporting = REPORTED_HOOKS.map((kind) => [
    kind,
    [{ hooks: [{ type: 'command', command: report, args: [kind], timeout: REPORT_TIMEOUT_S }] }],
  ])
  const asking = [{ hooks: [{ type: 'command', command: ask, args: ['PermissionRequest'], timeout: ASK_TIMEOUT_S }] }]
  return {
    hooks: { ...Object.fromEntries(reporting), PermissionRequest: asking },
    // Else the mode that was asked for explicitly would be asked for again, in a dialog without a hook.
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  }
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
