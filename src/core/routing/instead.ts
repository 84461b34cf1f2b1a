/** What is started where the settings name a runtime that is not built yet. */
import { isToCome, type Complexity } from '../../contract/config/values.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { WorkRoute } from '../../contract/tasks.ts'
import { tierOf } from './tiers.ts'

/** The one that is there. */
const THERE = 'claude-code'

const USUAL: Readonly<Record<Complexity, string>> = {
  trivial: 'haiku',
  simple: 'haiku',
  medium: 'sonnet',
  complex: 'sonnet',
  expert: 'opus',
}

interface Routed {
  model: string
  runtime: string
  complexity?: Complexity
}

/** Undefined where the runtime is there, or nobody knows that it is not. */
export function insteadOf(
  { model, runtime, complexity = 'medium' }: Routed,
  { tiers }: Pick<RoutingSettings, 'tiers'>,
): WorkRoute['instead'] {
  if (!isToCome(runtime)) return undefined
  const tier = tierOf(model, tiers)
  // A cheap model of another maker is of no use to it.
  const own = tier === undefined || tier === 'cheap' ? USUAL[complexity] : model
  const why = `the runtime ${runtime} is not there yet, so that ${own} in ${THERE} is started instead`
  return { model: own, runtime: THERE, why }
}
