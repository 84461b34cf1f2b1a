/** The steps of a hand-off as they lie before it: which are behind it, where it is, which come. */
import type { HandoffMethod, HandoffState } from '../../../../src/contract/handoffs.ts'

export type StepState = 'past' | 'now' | 'ahead'

export interface PlannedStep {
  state: HandoffState
  word: string
  is: StepState
}

type Step = readonly [state: HandoffState, word: string]

const FIRST: readonly Step[] = [
  ['resting', 'Rest'],
  ['saving', 'Save'],
  ['capturing', 'Write down'],
]

/** A specialist ends nobody; a fresh context ends and starts no program. */
const THEN: Record<HandoffMethod, readonly Step[]> = {
  kill_spawn: [
    ['stopping', 'End'],
    ['starting', 'Start'],
  ],
  runtime_switch: [
    ['stopping', 'End'],
    ['starting', 'Start'],
  ],
  specialist_wake: [['starting', 'Wake']],
  context_cycle: [
    ['stopping', 'Clear'],
    ['starting', 'Resume'],
  ],
}

/** In the order in which they are gone; a proposal only waits where it needs a yes. */
export function stepsOf({ state, method }: { state: HandoffState; method: HandoffMethod }): PlannedStep[] {
  const order: Step[] = [...FIRST, ...THEN[method], ['proving', 'Prove']]
  const steps: Step[] = isWaiting(state) ? [['awaiting_approval', 'Your yes'], ...order] : order
  const at = steps.findIndex(([each]) => each === state)
  return steps.map(([each, word], n) => ({ state: each, word, is: n < at ? 'past' : n === at ? 'now' : 'ahead' }))
}

function isWaiting(state: HandoffState): boolean {
  return state === 'proposed' || state === 'awaiting_approval'
}
