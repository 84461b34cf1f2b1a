/** What a new agent gets where nobody says otherwise, by the settings in force. */
import type { ApiDeps } from '../api/deps.ts'
import type { Config } from '../contract/config/schema.ts'
import { chooseModel } from '../core/routing/choose-model.ts'

export function spawnDefaults(config: Config): ReturnType<ApiDeps['spawnDefaults']> {
  const { runtimes, model_selection: models, specialists } = config
  const { complexity_detection: detection, complexity_routing: routing, default_model: model } = models
  const selection = { keywords: detection.keywords, otherwise: detection.otherwise, routing }
  return {
    runtime: runtimes.default,
    model,
    specialists: Object.keys(specialists),
    choose: (title) => chooseModel(title, selection),
  }
}
