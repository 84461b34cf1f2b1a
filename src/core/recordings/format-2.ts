/**
 * The first recordings were made before hand-offs and routing: their settings get them, with every hand-off off. And when
 * a tree had ended, nothing was saved again.
 */
import type { HandoffSettings } from '../../contract/handoff-settings.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { RecordingFormat, Said } from './format.ts'

export const format2: RecordingFormat = {
  number: 2,
  state: (state) => withSettings(state),
  step: (step) => {
    const input = step['input'] as Said
    if (input['type'] === 'settings') return { ...step, input: withSettings(input) }
    const { type } = (input['effect'] ?? {}) as Said
    if (input['type'] !== 'outcome' || type !== 'session.end') return step
    return { ...step, input: { ...input, outcome: { ...(input['outcome'] as Said), final: true } } }
  },
}

function withSettings(holder: Said): Said {
  return { ...holder, settings: { handoffs: NO_HANDOFFS, routing: UNROUTED, ...(holder['settings'] as Said) } }
}

const OFF = { enabled: false }

const NO_HANDOFFS: HandoffSettings = {
  planningComplete: {
    ...OFF,
    taskWords: [],
    planFile: false,
    exitPlanMode: false,
    mode: 'any',
    from: 'opus',
    to: 'sonnet',
  },
  implementationComplete: { ...OFF, taskWord: 'implement', specialist: 'test-agent' },
  testsPass: { ...OFF, to: 'haiku' },
  stuck: { ...OFF, specialistFirst: false, haikuMs: 600_000, sonnetMs: 1_200_000, opusMs: 1_800_000 },
  testFailure: { ...OFF, on: 'any_failure', from: 'haiku', to: 'sonnet' },
  nextTask: OFF,
  costDowngrade: { ...OFF, thresholdUsd: 5 },
  reviewApproved: { ...OFF, to: 'haiku' },
  mergeConflict: { ...OFF, specialist: 'merge-agent' },
  ciFailed: { ...OFF, specialist: 'test-agent' },
  securityConcern: { ...OFF, to: 'opus' },
  requireApproval: [],
  perIssuePerHour: 3,
  maxEscalations: 2,
  autoEscalate: false,
  restMs: 30_000,
  saveMs: 60_000,
  cycle: { ...OFF, threshold: 0.85, writeMs: 300_000, retries: 1, verifyMs: 60_000, warnPerHour: 3 },
  specialistsOff: [],
}

const UNROUTED: RoutingSettings = {
  detection: { mediumAboveFiles: 10, complexAboveFiles: 20, otherwise: 'medium', tags: {}, keywords: {} },
  byComplexity: { trivial: 'haiku', simple: 'haiku', medium: 'sonnet', complex: 'sonnet', expert: 'opus' },
  tiers: { opus: 'opus', sonnet: 'sonnet', haiku: 'haiku', cheap: 'haiku' },
  defaultModel: 'sonnet',
  runtimes: {},
  defaultRuntime: 'claude-code',
  specialists: {},
}
