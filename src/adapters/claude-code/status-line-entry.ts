/**
 * The status line of a run: our program, which reports what the client gives it and then runs the user's own command,
 * so that he sees the line that he is used to.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldsOf, parseBody, textOf, type Fields } from './hook-body.ts'
import { quoted } from './settings-file.ts'

export interface StatusLinePlace {
  /** Our program. */
  program: string
  /** The user's folder of the client. */
  config: string
  workspace: string
}

/** What stands in the run's settings: the user's own entry, with our program before his command. */
export async function statusLineEntry({ program, config, workspace }: StatusLinePlace): Promise<Fields> {
  const own = await ownEntry(config, workspace)
  const command = textOf(own['command'])
  return {
    ...own,
    type: 'command',
    command: command === undefined ? quoted(program) : `${quoted(program)} ${quoted(command)}`,
  }
}

/** The one that the client would use by itself: the nearest counts. */
async function ownEntry(config: string, workspace: string): Promise<Fields> {
  const files = [
    join(workspace, '.claude/settings.local.json'),
    join(workspace, '.claude/settings.json'),
    join(config, 'settings.json'),
  ]
  for (const file of files) {
    // The client takes a byte order mark.
    const text = (await readFile(file, 'utf8').catch(() => '')).replace(/^\uFEFF/, '')
    const settings = parseBody(text)
    const entry = fieldsOf(settings?.['statusLine'])
    if (entry['type'] === 'command' && textOf(entry['command']) !== undefined) return entry
  }
  return {}
}
