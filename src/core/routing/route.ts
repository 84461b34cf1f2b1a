/**
 * Where work goes: its complexity gives a tier, the tier a model, the model a runtime. What a specialist is set to, and
 * what the task itself asks for, count before the complexity. What decided is said with it.
 */
import { model as modelName } from '../../contract/config/values.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { WorkRoute } from '../../contract/tasks.ts'
import { complexityOf, type Rated, type Work } from './complexity.ts'
import { insteadOf } from './instead.ts'
import { modelIdOf, modelOf, tierOf } from './tiers.ts'

export function routeOf(work: Work, settings: RoutingSettings, specialist?: string): WorkRoute {
  const rated = complexityOf(work, settings.detection)
  const { model: name, runtime: named, modelBy, why } = chosen(work, rated, { settings, specialist })
  const model = modelOf(name, settings.tiers)
  const tier = tierOf(model, settings.tiers)
  const place: Place =
    named === undefined
      ? runtimeOf(model, settings)
      : { runtime: named, runtimeBy: modelBy === 'specialist' ? 'specialist' : 'route' }
  const instead = insteadOf({ model, ...place, complexity: rated.complexity }, settings)
  return {
    ...rated,
    ...(tier === undefined ? {} : { tier }),
    model,
    modelId: modelIdOf(model, settings.tiers),
    modelBy,
    ...place,
    ...(instead === undefined ? {} : { instead }),
    why,
  }
}

type Place = Pick<WorkRoute, 'runtime' | 'runtimeBy'>

/** Where a model runs when nobody names a runtime. */
export function runtimeOf(
  model: string,
  { runtimes, defaultRuntime, tiers }: Pick<RoutingSettings, 'runtimes' | 'defaultRuntime' | 'tiers'>,
): Place {
  for (const name of [model, tierOf(model, tiers) ?? '', modelIdOf(model, tiers)]) {
    const runtime = Object.hasOwn(runtimes, name) ? runtimes[name] : undefined
    if (runtime !== undefined) return { runtime, runtimeBy: 'model' }
  }
  return { runtime: defaultRuntime, runtimeBy: 'default' }
}

/** What a runtime is usually started with: the default model where it runs there, else the first that is routed there. */
export function usualModelOf(runtime: string, settings: RoutingSettings): string | undefined {
  const known = [settings.defaultModel, ...Object.keys(settings.runtimes)]
  return known.find((model) => runtimeOf(model, settings).runtime === runtime)
}

interface Choice extends Pick<WorkRoute, 'modelBy' | 'why'> {
  model: string
  runtime?: string
}

interface Choosing {
  settings: RoutingSettings
  specialist: string | undefined
}

function chosen(work: Work, { complexity, signals, decidedBy }: Rated, { settings, specialist }: Choosing): Choice {
  const set =
    specialist !== undefined && Object.hasOwn(settings.specialists, specialist)
      ? settings.specialists[specialist]
      : undefined
  if (set !== undefined) {
    const runtime = set.runtime === null ? {} : { runtime: set.runtime }
    return { model: set.model, ...runtime, modelBy: 'specialist', why: `${specialist} is set to ${set.model}.` }
  }
  const asked = modelName.safeParse(work.suggestedModel).data
  if (asked !== undefined) return { model: asked, modelBy: 'task', why: `the task itself asks for ${asked}.` }
  const route = settings.byComplexity[complexity]
  const { model, ...rest } = typeof route === 'string' ? { model: route } : route
  const says = signals.find(({ signal }) => signal === decidedBy)?.says ?? ''
  return { model, ...rest, modelBy: 'complexity', why: `${says}, so it is ${complexity}, which ${model} does.` }
}
