/** The settings of a running daemon: read anew, shown and changed. Remembers the last good ones, which stay in force. */
import type { ConfigChange, ConfigView } from '../../contract/config-view.ts'
import type { Config } from '../../contract/config/schema.ts'
import type { ApiError } from '../../contract/views.ts'
import { changeConfig } from './change-config.ts'
import { configView } from './config-view.ts'
import { settingsIn, type Loaded } from './load-settings.ts'
import { configFile } from './location.ts'
import { readConfigFile, type ConfigFile } from './read-file.ts'

export interface ConfigDesk {
  inForce: () => Config
  load: () => Promise<Loaded>
  view: () => Promise<ConfigView>
  change: (change: ConfigChange) => Promise<ConfigView | ApiError>
}

export function openConfigDesk(env: Readonly<Record<string, string | undefined>>, first: Config): ConfigDesk {
  const file = configFile(env)
  let inForce = first
  let last: { read: ConfigFile; loaded: Loaded } | undefined
  const view = async () => {
    const read = await readConfigFile(file)
    return configView(read, env, inForce)
  }
  return {
    inForce: () => inForce,
    load: async () => {
      const read = await readConfigFile(file, last?.read)
      if (read === last?.read) return last.loaded
      const loaded = settingsIn(read, env)
      last = { read, loaded }
      if (loaded.config !== undefined) inForce = loaded.config
      return loaded
    },
    view,
    change: async (change) => (await changeConfig(file, change)) ?? view(),
  }
}
