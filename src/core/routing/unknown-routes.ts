/** What the settings promise and a runtime refuses: said before anybody is to be started with it. */
import { isToCome } from '../../contract/config/values.ts'
import { unknownModel, type Known } from './known-models.ts'
import { runtimeOf } from './route.ts'
import { modelOf } from './tiers.ts'

/** One sentence for each route and specialist; of a runtime that is not built yet others tell. */
export function unknownRoutes(known: Known): string[] {
  const { routing } = known.settings
  const named = [
    ...Object.entries(routing.byComplexity).map(([name, route]) => {
      const { model, runtime } = typeof route === 'string' ? { model: route, runtime: null } : route
      return { key: `model_selection.complexity_routing.${name}`, model, runtime }
    }),
    ...Object.entries(routing.specialists).map(([name, set]) => ({ ...set, key: `specialists.${name}` })),
  ]
  return named.flatMap(({ key, ...set }) => {
    const model = modelOf(set.model, routing.tiers)
    const runtime = set.runtime ?? runtimeOf(model, routing).runtime
    const refusal = isToCome(runtime) ? undefined : unknownModel(known, { runtime, model })
    return refusal === undefined ? [] : [`${key} is refused when it is used: ${refusal.sentence}. ${refusal.hint}`]
  })
}
