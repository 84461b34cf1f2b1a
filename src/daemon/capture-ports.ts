/** Where a hand-off finds what is known of an agent's work. */
import type { Git } from '../core/git-port.ts'
import type { Runtime } from '../core/runtime-port.ts'
import { costView, type CostSources } from './cost-view.ts'
import type { CapturePorts } from './handoff-capture.ts'
import { readWorkspaceFile } from './workspace-file.ts'

interface Sources extends CostSources {
  runtimes: ReadonlyMap<string, Pick<Runtime, 'usage' | 'sessions'>>
}

export function capturePorts(git: Git, sources: Sources): CapturePorts {
  return {
    git,
    files: readWorkspaceFile,
    sessions: ({ runtime }) => sources.runtimes.get(runtime)?.sessions,
    // How old its program's own total is matters to nobody here.
    cost: (agent) => costView(sources, agent, { wallAt: Date.now(), observedAt: agent.gauges?.costAt ?? 0 }),
  }
}
