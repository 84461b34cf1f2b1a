/** Records to start tests from. */
import { parseConfig } from '../../src/contract/config/parse.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import type { Settings } from '../../src/contract/settings.ts'

/** The defaults of cloister.yaml. */
export const SETTINGS: Settings = toSettings(parseConfig({}).config ?? never())

function never(): never {
  throw new Error('the empty configuration must be valid')
}

export function agentRecord(given: Partial<AgentRecord> = {}): AgentRecord {
  return {
    id: 'agent-pan-18',
    kind: 'issue',
    issue: 'pan-18',
    workspace: '/workspaces/feature-pan-18',
    runtime: 'virtual',
    model: 'sonnet',
    simulated: true,
    lifecycle: 'active',
    lifecycleAt: 0,
    wanted: 'run',
    generation: 1,
    startedAt: 0,
    run: 'run-1',
    needsYou: [],
    salvages: [],
    evidence: {},
    producedAt: 0,
    progressedAt: 0,
    activities: [],
    ...given,
  }
}
