/** What the daemon decides by: file, then environment, translated once. */
import { applyEnvironment } from '../../contract/config/environment.ts'
import { didYouMean } from '../../contract/config/problem.ts'
import type { Config } from '../../contract/config/schema.ts'
import { toSettings } from '../../contract/config/to-settings.ts'
import type { Settings } from '../../contract/settings.ts'
import { configFile } from './location.ts'
import { readConfigFile, type ConfigFile } from './read-file.ts'

export interface Loaded {
  file: string
  /** Absent when the file has a problem: keep the last good ones. */
  settings?: Settings
  config?: Config
  /** One sentence each, with file, line and column or the variable's name. */
  problems: readonly string[]
}

export async function loadSettings(env: Readonly<Record<string, string | undefined>>): Promise<Loaded> {
  return settingsIn(await readConfigFile(configFile(env)), env)
}

export function settingsIn(read: ConfigFile, env: Readonly<Record<string, string | undefined>>): Loaded {
  const { file } = read
  if (read.config === undefined) return { file, problems: problemLines(read) }
  const { config, problems } = applyEnvironment(read.config, env)
  return { file, config, settings: toSettings(config), problems: problems.map(({ sentence }) => sentence) }
}

/** `file:line:col  key  sentence (did you mean …?)` */
export function problemLines({ file, problems }: Pick<ConfigFile, 'file' | 'problems'>): string[] {
  return problems.map((problem) => {
    const { line, column, key, sentence } = problem
    const parts = [`${file}:${line}:${column}`, ...(key === '' ? [] : [key]), `${sentence}${didYouMean(problem)}`]
    return printable(parts.join('  '))
  })
}

/** Keys and messages may hold what stood in the file; none of it may steer a terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
