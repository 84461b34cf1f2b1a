/** By which settings a session of the past is judged: those that are in force here, or else those of a new home. */
import { loadSettings } from '../../adapters/config-file/load-settings.ts'
import { parseConfig } from '../../contract/config/parse.ts'
import { toSettings } from '../../contract/config/to-settings.ts'
import type { Settings } from '../../contract/settings.ts'

export async function pastSettings(env: NodeJS.ProcessEnv, complain: (line: string) => void): Promise<Settings> {
  const { settings, problems, file } = await loadSettings(env)
  if (settings !== undefined) return settings
  const why = problems[0] ?? 'it cannot be read'
  complain(`${file} has a problem, so that it is judged by the settings of a new home: ${why}`)
  const { config } = parseConfig({})
  if (config === undefined) throw new Error('the settings of a new home must be valid')
  return toSettings(config)
}
