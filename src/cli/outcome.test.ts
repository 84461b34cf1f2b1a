import { expect, test } from 'vitest'
import type { ShownEvent } from '../contract/views.ts'
import { isRepeated } from './outcome.ts'

type Step = Extract<ShownEvent, { type: 'act.stepped' }>['step']

function stepped(step: Step, attempts: number): ShownEvent {
  const at = { seq: attempts, at: 0, observedAt: 0 }
  const what = { agent: 'agent-1', generation: 1, act: 'interrupt', effect: 'e-1', deadlineAt: 0 } as const
  return { ...at, ...what, type: 'act.stepped', step, attempts, sentence: `${step} ${attempts}` }
}

test('waiting and looking are said once, pressing again each time', () => {
  const steps: [Step, number][] = [
    ...([
      ['confirming', 1],
      ['checking', 1],
      ['doing', 2],
      ['confirming', 2],
      ['checking', 2],
    ] as [Step, number][]),
    ...([
      ['doing', 3],
      ['confirming', 3],
      ['checking', 3],
      ['confirming', 4],
    ] as [Step, number][]),
  ]
  const events = steps.map(([step, attempts]) => stepped(step, attempts))
  const said = events.filter((event, n) => !isRepeated(event, events.slice(0, n)))
  expect(said.map(({ sentence }) => sentence)).toEqual(['confirming 1', 'checking 1', 'doing 2', 'doing 3'])
})
