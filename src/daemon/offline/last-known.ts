/** The house and its agents as they were last judged: not by the time since, and with nobody to act on it. */
import type { AgentId } from '../../contract/ids.ts'
import type { AgentsView, AgentView, ExplainView } from '../../contract/views.ts'
import { shownOf } from '../../contract/shown.ts'
import type { StatusView } from '../../contract/status-view.ts'
import { explainView } from '../../core/explain.ts'
import { changesFor, ruleFor } from '../../core/explain-words.ts'
import { unwatched } from '../../core/house-condition.ts'
import { agentsView, agentView, statusView, summaryOf } from '../../core/views.ts'
import type { World } from '../../core/world.ts'
import { localTime } from '../local-time.ts'

export function lastStatus(world: World): StatusView {
  const { degraded: _, ...rest } = statusView(unwatched(world), localTime)
  return { ...rest, running: false, summary: summaryOf(world, ({ verdict }) => verdict) }
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
  const { health, cause, reason } = verdict
  return { ...rest, health, cause, reason, shown: shownOf({ lifecycle: view.lifecycle, health, cause }) }
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
  const shown = shownOf({ lifecycle: view.lifecycle, health, cause })
  const [rule, wouldChange] = [ruleFor(cause, thresholds), changesFor(cause, id)]
  return { ...rest, health, cause, shown, reason, rule, wouldChange, next }
}
