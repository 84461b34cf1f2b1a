/** Folds what was seen of an agent's work into what is kept of it. */
import type { EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { SIGNAL_LIMITS, type WorkSignal, type WorkSignals } from '../contract/work-signals.ts'

export function foldSignal(agent: AgentRecord, { signal }: EventOf<'work.signalled'>): AgentRecord {
  return { ...agent, signals: { ...agent.signals, ...folded(agent.signals ?? {}, signal) } }
}

function folded({ tests = [], closed = [], reports = [] }: WorkSignals, signal: WorkSignal): WorkSignals {
  switch (signal.kind) {
    case 'tests':
      return { tests: [...tests, signal.run].slice(-SIGNAL_LIMITS.tests) }
    case 'plan_left':
      return { planLeft: true }
    case 'plan_file':
      return { planFile: signal.path }
    case 'tasks_closed':
      return { closed: [...closed, ...signal.tasks].slice(-SIGNAL_LIMITS.closed) }
    case 'conflict':
      return { conflict: signal.files }
    case 'report':
      return { reports: [...reports, signal.report].slice(-SIGNAL_LIMITS.reports) }
  }
}

/** Of an earlier generation only what others said of the work stays. */
export function keptSignals({ signals }: AgentRecord): Pick<AgentRecord, 'signals'> {
  return signals?.reports === undefined ? {} : { signals: { reports: signals.reports } }
}
