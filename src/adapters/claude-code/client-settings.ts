/**
 * What the client's own settings files say about its start: of the user, the project, the project's own copy on this
 * machine, and whoever manages the machine, each over those before it. Read only; one that cannot be read counts for
 * nothing.
 */
import { join } from 'node:path'
import { readSmall } from '../process/read-small.ts'
import { fieldsOf, parseBody, textOf } from './hook-body.ts'

export interface ClientSettings {
  /** Variables from the user's own settings: these count from the first moment on. */
  userEnv: Readonly<Record<string, unknown>>
  /** Those of the project as well: they count after the trust dialog. */
  env: Readonly<Record<string, unknown>>
  /** A program that gives the key. */
  hasKeyHelper: boolean
}

const MANAGED = '/etc/claude-code/managed-settings.json'

export async function clientSettings(configFolder: string, workspace: string): Promise<ClientSettings> {
  const project = ['settings.json', 'settings.local.json'].map((name) => join(workspace, '.claude', name))
  const files = [join(configFolder, 'settings.json'), ...project, MANAGED]
  const all = await Promise.all(files.map(read))
  const envOf = (files: readonly object[]) => Object.assign({}, ...files.map((file) => fieldsOf(fieldsOf(file)['env'])))
  return {
    userEnv: envOf([...all.slice(0, 1), ...all.slice(-1)]),
    env: envOf(all),
    hasKeyHelper: all.some((file) => textOf(file['apiKeyHelper']) !== undefined),
  }
}

async function read(file: string) {
  const text = (await readSmall(file)) ?? ''
  // The client takes a byte order mark.
  return parseBody(text.replace(/^\uFEFF/, '')) ?? {}
}
