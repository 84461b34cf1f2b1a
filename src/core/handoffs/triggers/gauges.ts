/** What an agent's own figures ask for: it became dear, or its context is nearly full. */
import type { Tier } from '../../routing/tiers.ts'
import { fact, type Rule } from './trigger.ts'

const CHEAPER: Readonly<Partial<Record<Tier, Tier>>> = { opus: 'sonnet', sonnet: 'haiku' }

export const costDowngrade: Rule = ({ agent, costUsd }, { settings, tierOf }) => {
  const { enabled, thresholdUsd } = settings.costDowngrade
  const to = CHEAPER[tierOf(agent.model) ?? 'cheap']
  if (!enabled || costUsd === undefined || costUsd < thresholdUsd || to === undefined) return undefined
  return {
    trigger: 'cost_downgrade',
    to: { model: to },
    reason: `It cost ${costUsd.toFixed(2)} USD, and from ${thresholdUsd.toFixed(2)} USD on ${to} goes on.`,
    evidence: [fact('cost so far', `${costUsd.toFixed(2)} USD`)],
    key: `cost_downgrade:${agent.generation}`,
  }
}

/** At exactly the threshold it is reached. */
export const contextLimit: Rule = ({ agent, context }, { settings }) => {
  if (!settings.cycle.enabled || context === undefined || context.fill < context.threshold) return undefined
  return {
    trigger: 'context_limit',
    to: { fresh: true },
    reason: `Its context is ${percent(context.fill)} full, and from ${percent(context.threshold)} on it begins a fresh one.`,
    evidence: [fact('context', `${percent(context.fill)} of the usable window`)],
    key: `context_limit:${agent.generation}`,
  }
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`
}
