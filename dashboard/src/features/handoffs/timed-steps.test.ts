import { expect, test } from 'vitest'
import type { HandoffStep } from '../../../../src/contract/handoff-panel-views.ts'
import { timedSteps } from './timed-steps.ts'

const AT = Date.UTC(2026, 0, 20, 22, 0)

function step(seconds: number, given: Omit<HandoffStep, 'at' | 'sentence'>): HandoffStep {
  return { at: new Date(AT + seconds * 1000).toISOString(), sentence: '', ...given }
}

const BEGUN: HandoffStep[] = [
  step(0, { kind: 'proposed' }),
  step(0, { kind: 'stepped', state: 'awaiting_approval' }),
  step(60, { kind: 'approved' }),
  step(60, { kind: 'stepped', state: 'resting' }),
  step(90, { kind: 'stepped', state: 'capturing', detail: 'it did not come to rest in time' }),
  step(91, { kind: 'captured' }),
  step(91, {
    kind: 'stepped',
    state: 'stopping',
    deadline: new Date(AT + 691_000).toISOString(),
  }),
]

test('the last step of an open hand-off still runs, until its time is over', () => {
  expect(timedSteps(BEGUN, 'stopping', AT + 100_000)).toEqual([
    { at: AT, word: 'proposed', isNow: false },
    { at: AT, word: 'waits for your yes', isNow: false, tookMs: 60_000 },
    { at: AT + 60_000, word: 'approved', isNow: false },
    { at: AT + 60_000, word: 'comes to rest', isNow: false, tookMs: 30_000 },
    {
      at: AT + 90_000,
      word: 'its work is written down',
      isNow: false,
      tookMs: 1_000,
      detail: 'it did not come to rest in time',
    },
    { at: AT + 91_000, word: 'is ended', isNow: true, tookMs: 9_000, leftMs: 591_000 },
  ])
})

test('one that is over ends with what became of it', () => {
  const steps = [...BEGUN, step(95, { kind: 'ended', state: 'rolled_back', detail: 'the snapshot failed' })]
  expect(timedSteps(steps, 'rolled_back', AT + 999_000).slice(-2)).toEqual([
    { at: AT + 91_000, word: 'is ended', isNow: false, tookMs: 4_000 },
    { at: AT + 95_000, word: 'undone', isNow: false, detail: 'the snapshot failed' },
  ])
})
