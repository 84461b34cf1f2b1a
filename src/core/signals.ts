/**
 * What sightings tell of the work that may call for other hands. Each is an event, told once, and kept bounded with the
 * agent; but for reports of others it is of the present generation.
 */
import type { Command, Refusal } from '../contract/commands.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { AgentTasks } from '../contract/tasks.ts'
import { SIGNAL_LIMITS, type WorkSignal } from '../contract/work-signals.ts'
import { noAgent } from './session-commands.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** To be asked after the sighting was taken in; `before` is the agent as it was. */
export function noteSignals(turn: Turn, before: AgentRecord, sighting: Sighting): void {
  const after = agentOf(turn, before.id)
  const { id: agent, generation } = after
  for (const signal of signalsIn(before, after, { sighting, now: turn.now })) {
    record(turn, { type: 'work.signalled', agent, generation, signal })
  }
}

function signalsIn(
  before: AgentRecord,
  after: AgentRecord,
  { sighting, now }: { sighting: Sighting; now: number },
): WorkSignal[] {
  const { trace, plan, conflicts, tasks } = sighting
  const { planFile, planLeft, conflict = [] } = before.signals ?? {}
  const found: WorkSignal[] = []
  // A report that came twice is in the trail once.
  if (trace?.kind === 'call' && after.trail?.steps.at(-1)?.trace === trace) {
    if (trace.test !== undefined) {
      const { counts: _, ...run } = trace.test
      found.push({ kind: 'tests', run })
    }
    if (trace.planned === true && planLeft === undefined) found.push({ kind: 'plan_left' })
  }
  if (plan !== undefined && planFile !== plan.path && now - plan.ageMs >= (after.startedAt ?? now)) {
    found.push({ kind: 'plan_file', path: plan.path })
  }
  if (conflicts !== undefined && conflicts.join('\n') !== conflict.join('\n')) {
    found.push({ kind: 'conflict', files: conflicts })
  }
  const closed = newlyClosed(before.tasks, tasks)
  if (closed.length > 0) found.push({ kind: 'tasks_closed', tasks: closed })
  return found
}

/** The first list that is seen is where it starts from. */
function newlyClosed(before: AgentTasks | undefined, now: AgentTasks | undefined) {
  if (before?.source === undefined || now === undefined) return []
  const known = new Map(before.tasks.map(({ id, state }) => [id, state]))
  return now.tasks
    .filter(({ id, state, group }) => state === 'closed' && group !== true && isOpen(known.get(id)))
    .map(({ id, title }) => ({ id, title }))
    .slice(0, SIGNAL_LIMITS.closed)
}

/** One that was not in the list may have been closed long ago. */
function isOpen(state: AgentTasks['tasks'][number]['state'] | undefined): boolean {
  return state !== undefined && state !== 'closed'
}

/** What somebody else found of its work. */
export function takeReport(turn: Turn, command: Extract<Command, { type: 'work.report' }>): Refusal | undefined {
  const { type: _, agent: id, ...said } = command
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const report = { id: `r-${turn.world.house.seq + 1}`, ...said }
  record(turn, { type: 'work.signalled', agent: id, generation: agent.generation, signal: { kind: 'report', report } })
  turn.toJudge.add(id)
  return undefined
}
