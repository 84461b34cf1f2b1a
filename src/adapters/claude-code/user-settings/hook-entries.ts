/** The hooks of ours that go into the user's own settings: one per event that the installed version knows. */
import { hookEvents } from '../hook-events.ts'
import type { Version } from '../version.ts'

/** An event's name and what stands in its list. */
export interface HookEntry {
  event: string
  group: unknown
}

/** A hook that takes longer would hold the client up; ours takes milliseconds. */
const TIMEOUT_S = 10

/** Empty for a version that is too old for hooks. */
export function hookEntries(program: string, version: Version): readonly HookEntry[] {
  const { reported, asks } = hookEvents(version)
  // Only told: a person's own session asks the person.
  return [...reported, ...(asks ? ['PermissionRequest'] : [])].map((event) => ({
    event,
    group: { hooks: [{ type: 'command', command: `${commandOf(program)}${event}`, timeout: TIMEOUT_S }] },
  }))
}

/** Whether one handler in the settings is of this program, whatever else was changed in it. */
export function isOwnHandler(handler: unknown, program: string): boolean {
  if (typeof handler !== 'object' || handler === null || !('command' in handler)) return false
  return typeof handler.command === 'string' && handler.command.startsWith(commandOf(program))
}

/** A shell line, which every version takes; a program with arguments apart, only newer ones. */
function commandOf(program: string): string {
  const quoted = /^[\w./-]+$/.test(program) ? program : `'${program.replaceAll("'", "'\\''")}'`
  return `${quoted} --user `
}
