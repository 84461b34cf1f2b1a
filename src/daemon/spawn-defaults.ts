/** What a new agent gets where nobody says otherwise, by the settings in force. */
import type { SpawnDefaults } from '../api/deps.ts'
import type { Config } from '../contract/config/schema.ts'
import { toSettings } from '../contract/config/to-settings.ts'
import { runtimeOf } from '../core/routing/route.ts'
import { modelOf } from '../core/routing/tiers.ts'
import { chooseFor } from './route-work.ts'
import type { TaskDesk } from './task-desk.ts'

export function spawnDefaults(config: Config, desk: Pick<TaskDesk, 'look'>): SpawnDefaults {
  const { routing } = toSettings(config)
  return {
    model: modelOf(routing.defaultModel, routing.tiers),
    runtimeOf: (model) => runtimeOf(model, routing).runtime,
    specialists: Object.keys(routing.specialists),
    choose: (work) => chooseFor(work, routing, desk),
  }
}
