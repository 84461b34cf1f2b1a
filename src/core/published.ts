/** The text of the files that scripts and people read under agents/<id>/, as a function of the agent's record. */
import type { Activity } from '../contract/evidence.ts'
import type { Handoff } from '../contract/handoffs.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HeartbeatFile, StateFile } from '../contract/published-files.ts'
import { shownOf } from '../contract/shown.ts'
import { handoffEvent } from './handoffs/hand-off-event.ts'
import { deadWitness } from './health/judge.ts'
import { isoTime } from './iso-time.ts'

export const PUBLISHED = ['state.json', 'heartbeat.json', 'activity.jsonl', 'session.id'] as const
export type PublishedName = (typeof PUBLISHED)[number]

/** One line of logs/handoffs.jsonl. */
export function handoffLine(agent: AgentRecord, handoff: Handoff): string {
  return JSON.stringify(handoffEvent(agent, handoff))
}

/** Undefined means that the file must not exist: nobody knows yet, or no longer, what it would say. */
export function publishedFiles(agent: AgentRecord, costSoFar?: number): Record<PublishedName, string | undefined> {
  const last = agent.activities.at(-1)
  return {
    'state.json': stateText(stateOf(agent, last), costSoFar),
    'heartbeat.json': last && pretty(heartbeatOf(agent, last)),
    'activity.jsonl': last && agent.activities.map((activity) => `${JSON.stringify(activity)}\n`).join(''),
    'session.id': agent.sessionId,
  }
}

/** What it cost stands in no record: transcripts own that. */
export function stateText(state: StateFile, costSoFar: number | undefined): string {
  return pretty({ ...state, costSoFar })
}

export function stateOf(agent: AgentRecord, last = agent.activities.at(-1)): StateFile {
  return {
    id: agent.id,
    issue: agent.issue,
    workspace: agent.workspace,
    repository: agent.repository,
    place: agent.place,
    runtime: agent.runtime,
    model: agent.model,
    complexity: agent.tasks?.complexity,
    lifecycle: agent.lifecycle,
    health: agent.verdict?.health ?? null,
    cause: agent.verdict?.cause.kind ?? null,
    shown: shownOf({ lifecycle: agent.lifecycle, ...agent.verdict }),
    lastActivity: last?.ts,
    handoffCount: (agent.handoffs ?? []).filter(({ state }) => state === 'done').length,
    sessionId: agent.sessionId,
    generation: agent.generation,
    suspendedAt: instant(agent.suspendedWallAt),
    resumedAt: instant(agent.resumedWallAt),
    adopted: agent.adopted,
  }
}

function instant(wallAt: number | undefined): string | undefined {
  return wallAt === undefined ? undefined : isoTime(wallAt)
}

function heartbeatOf(agent: AgentRecord, last: Activity): HeartbeatFile {
  return {
    timestamp: last.ts,
    agent_id: agent.id,
    tool_name: last.tool ?? null,
    last_action: last.action ?? last.tool ?? last.state,
    pid: agent.lifecycle === 'stopped' || deadWitness(agent) !== undefined ? null : (agent.pid ?? null),
    session_id: agent.sessionId ?? null,
  }
}

function pretty(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
