/** Tiers are names for models in the settings. A full id is known as its tier, so that both can be compared. */
import { USUAL_TIERS } from '../../contract/config/model-selection.ts'
import { TIERS } from '../../contract/config/values.ts'
import type { RoutingSettings } from '../../contract/settings.ts'

type Tiers = RoutingSettings['tiers']
export type Tier = keyof Tiers

/** The tier that a model is of; undefined for one of none, such as another maker's. */
export function tierOf(model: string, tiers: Tiers): Tier | undefined {
  if (isTier(model)) return model === 'cheap' && isTier(tiers.cheap) ? tiers.cheap : model
  const id = model.toLowerCase().replace(/\[1m\]$/, '')
  const named = TIERS.find((tier) => tiers[tier].toLowerCase() === id)
  // A family's name within an id counts for the versions that the settings do not name.
  return named ?? TIERS.find((tier) => id.includes('claude') && id.split(/[^a-z]+/).includes(tier))
}

/** From the cheapest to the dearest. */
export const LADDER: readonly Tier[] = ['cheap', 'haiku', 'sonnet', 'opus']

/** Who goes on where one of this tier does not get on. Haiku would not get further than another cheap model. */
export function nextTier(tier: Tier): Tier | undefined {
  return tier === 'cheap' ? 'sonnet' : LADDER[LADDER.indexOf(tier) + 1]
}

/** False where one of them is of no tier. */
export function isDearer(to: string, from: string, tiers: Tiers): boolean {
  const [a, b] = [tierOf(to, tiers), tierOf(from, tiers)]
  return a !== undefined && b !== undefined && LADDER.indexOf(a) > LADDER.indexOf(b)
}

/** What an agent is started with: programs know their own tiers, but not «cheap». */
export function modelOf(name: string, tiers: Tiers): string {
  return name === 'cheap' ? tiers.cheap : name
}

/** The id that a name stands for. */
export function modelIdOf(name: string, tiers: Tiers): string {
  const model = modelOf(name, tiers)
  return isTier(model) ? tiers[model] : model
}

/** What its program is told: its own name for a tier, unless the settings give that tier another model. */
export function startedAs(name: string, tiers: Tiers): string {
  const model = modelOf(name, tiers)
  return isTier(model) && tiers[model] !== USUAL_TIERS[model] ? tiers[model] : model
}

function isTier(name: string): name is Tier {
  return (TIERS as readonly string[]).includes(name)
}
