/** The steps of a hand-off with how long each took; the last one of an open hand-off still runs. */
import type { HandoffStep } from '../../../../src/contract/handoff-panel-views.ts'
import { HANDOFF_OVER, STATE_WORDS, wordOf } from '../../parts/handoff/words.ts'
import type { HandoffState } from '../../../../src/contract/handoffs.ts'

export interface TimedStep {
  at: number
  word: string
  /** Of a step that lasts; undefined for what happens at a moment. */
  tookMs?: number
  isNow: boolean
  /** Until its time is over. */
  leftMs?: number
  detail?: string
}

const MOMENTS: Record<Exclude<HandoffStep['kind'], 'stepped' | 'ended'>, string> = {
  proposed: 'proposed',
  approved: 'approved',
  captured: 'its work is written down',
}

export function timedSteps(steps: readonly HandoffStep[], state: HandoffState, now: number): TimedStep[] {
  const isOpen = !HANDOFF_OVER.includes(state)
  // That the work was written down is what ends the step of that name.
  const shown = steps.filter(({ kind }) => kind !== 'captured')
  const lasting = shown.filter(({ kind }) => kind === 'stepped')
  return shown.map((step) => {
    const at = Date.parse(step.at)
    const isNow = isOpen && step === lasting.at(-1)
    return {
      at,
      word: wordOfStep(step),
      isNow,
      ...(step.kind === 'stepped' ? { tookMs: (isNow ? now : endOf(shown, step)) - at } : {}),
      ...(isNow && step.deadline !== undefined ? { leftMs: Math.max(0, Date.parse(step.deadline) - now) } : {}),
      ...(step.detail === undefined ? {} : { detail: step.detail }),
    }
  })
}

function endOf(steps: readonly HandoffStep[], step: HandoffStep): number {
  const next = steps.slice(steps.indexOf(step) + 1).find(({ kind }) => kind === 'stepped' || kind === 'ended')
  return Date.parse((next ?? step).at)
}

function wordOfStep({ kind, state = 'proposed' }: HandoffStep): string {
  return kind === 'stepped' || kind === 'ended' ? wordOf(STATE_WORDS, state) : MOMENTS[kind]
}
