/** The house and its agents as they were last judged: not by the time since, and with nobody to act on it. */
import type { AgentId } from '../../contract/ids.ts'
import type { AgentsView, AgentView, ExplainView, StatusView } from '../../contract/views.ts'
import { explainView } from '../../core/explain.ts'
import { changesFor, ruleFor } from '../../core/explain-words.ts'
import { agentsView, agentView, statusView } from '../../core/views.ts'
import { isWatched, type World } from '../../core/world.ts'

export function lastStatus(world: World): StatusView {
  const { degraded: _, ...rest } = statusView(world)
  const summary = { active: 0, stale: 0, warning: 0, stuck: 0, unknown: 0 }
  for (const agent of world.agents.values()) if (isWatched(agent)) summary[agent.verdict?.health ?? 'unknown'] += 1
  return { ...rest, running: false, summary }
}

export function lastAgents(world: World): AgentsView {
  const { specialists, issueAgents, projectAgents } = agentsView(world)
  const last = (views: readonly AgentView[]) => views.map((view) => asLastJudged(world, view))
  return { specialists: last(specialists), issueAgents: last(issueAgents), projectAgents: last(projectAgents) }
}

export function lastAgent(world: World, id: AgentId): AgentView | undefined {
  const view = agentView(world, id)
  return view && asLastJudged(world, view)
}

function asLastJudged(world: World, view: AgentView): AgentView {
  const { health: _, cause: __, reason: ___, ...rest } = view
  const verdict = world.agents.get(view.id)?.verdict
  if (view.lifecycle !== 'active' || verdict === undefined) return view
  return { ...rest, health: verdict.health, cause: verdict.cause, reason: verdict.reason }
}

export function lastExplain(world: World, id: AgentId): ExplainView | undefined {
  const view = explainView(world, id)
  if (view === undefined) return undefined
  const { held: _, ...rest } = view
  const verdict = world.agents.get(id)?.verdict
  if (view.lifecycle !== 'active') return { ...rest, next: [] }
  const next = [{ inMs: 0, what: 'nothing by itself until a daemon watches again' }]
  if (verdict === undefined) return { ...rest, next }
  const { health, cause, reason } = verdict
  const { thresholds } = world.settings
  return { ...rest, health, cause, reason, rule: ruleFor(cause, thresholds), wouldChange: changesFor(cause, id), next }
}
