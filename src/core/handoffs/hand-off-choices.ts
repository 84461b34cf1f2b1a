/** Who could take an agent's work over: the models and runtimes that are known, and the next tier up and down. */
import type { HandoffChoices } from '../../contract/handoff-panel-views.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import { estimateOf, unfit } from './hand-offs.ts'
import { barredByLoan } from './loans.ts'
import { LADDER, tierOf, type Tier } from '../routing/tiers.ts'
import type { World } from '../world.ts'

export function choicesView(world: World, id: AgentId): HandoffChoices | undefined {
  const agent = world.agents.get(id)
  if (agent === undefined) return undefined
  const { model, runtime } = agent
  const barred = unfit(world, agent) ?? barredByLoan(agent, { isHuman: true })
  return {
    ...{ agent: id, model, runtime },
    ...(barred === undefined ? {} : { barred: { sentence: barred.sentence, hint: barred.hint } }),
    models: modelsFor(world, agent),
    runtimes: [...world.capabilities.keys()].toSorted(),
    dearer: neighbour(model, world.settings.routing.tiers, 1),
    cheaper: neighbour(model, world.settings.routing.tiers, -1),
  }
}

/** The tiers first, then what the settings and its fellows name. */
function modelsFor(world: World, agent: AgentRecord): HandoffChoices['models'] {
  const { tiers, byComplexity } = world.settings.routing
  const named = Object.values(byComplexity).map((to) => (typeof to === 'string' ? to : to.model))
  const fellows = [...world.agents.values()].filter(({ runtime }) => runtime === agent.runtime)
  const others = [...named, ...fellows.map(({ model }) => model)].toSorted()
  const models = new Set<string>([...ladder(tiers).toReversed(), ...others])
  // Where the cheap tier is another one, it is no choice of its own.
  if (!ladder(tiers).includes('cheap')) models.delete('cheap')
  return [...models].map((model) => {
    const tier = tierOf(model, tiers)
    const estimate = estimateOf(world, agent, model)
    return { model, ...(tier === undefined ? {} : { tier }), ...(estimate === undefined ? {} : { estimate }) }
  })
}

function neighbour(model: string, tiers: RoutingSettings['tiers'], step: 1 | -1): HandoffChoices['dearer'] {
  const tier = tierOf(model, tiers)
  const rungs = ladder(tiers)
  const at = tier === undefined ? -1 : rungs.indexOf(tier)
  if (at === -1) return { why: `nobody knows what is dearer or cheaper than ${model}: it is of no tier` }
  const to = rungs[at + step]
  return to === undefined
    ? { why: `there is no tier ${step === 1 ? 'dearer' : 'cheaper'} than ${tier}` }
    : { model: to }
}

/** From the cheapest to the dearest; cheap is a rung only where it stands for a model of its own. */
function ladder(tiers: RoutingSettings['tiers']): readonly Tier[] {
  return LADDER.filter((tier) => tierOf(tier, tiers) === tier)
}
