/** What the client's own settings files say about its start. Read only; a file that it cannot read counts for nothing. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const user = [join(configFolder, 'settings.json'), MANAGED]
  const project = ['settings.json', 'settings.local.json'].map((name) => join(workspace, '.claude', name))
  const [ofUser, ofProject] = await Promise.all([Promise.all(user.map(read)), Promise.all(project.map(read))])
  const envOf = (files: readonly object[]) => Object.assign({}, ...files.map((file) => fieldsOf(fieldsOf(file)['env'])))
  const all = [...ofUser, ...ofProject]
  return {
    userEnv: envOf(ofUser),
    env: envOf(all),
    hasKeyHelper: all.some((file) => textOf(file['apiKeyHelper']) !== undefined),
  }
}

async function read(file: string) {
  const text = await readFile(file, 'utf8').catch(() => '')
  // The client takes a byte order mark.
  return parseBody(text.replace(/^\uFEFF/, '')) ?? {}
}
