import { expect, test } from 'vitest'
import type { ShownEvent } from '../contract/views.ts'
import { endOf, heldAfter, isRepeated } from './outcome.ts'

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

test('a message is held from its first hold on until it is typed; the last reason is told', () => {
  const at = { seq: 9, at: 0, observedAt: 0, agent: 'agent-1', generation: 1, sentence: '' } as const
  const hold = (why: string, message = 'm-7'): ShownEvent => ({
    ...at,
    type: 'message.held',
    message,
    why,
    notBeforeAt: 0,
  })
  const typed: ShownEvent = { ...at, type: 'message.typed', message: 'm-7', attempts: 1 }
  const rows: [ShownEvent, number][] = [
    [hold('another one', 'm-6'), 10],
    [hold('it asks something'), 20],
    [hold('somebody types'), 30],
    [stepped('confirming', 1), 40],
    [typed, 50],
    [hold('it was typed and did not arrive'), 60],
  ]
  let held: ReturnType<typeof heldAfter>
  const seen = rows.map(([event, waitedMs]) => (held = heldAfter(event, held, { message: 'm-7', waitedMs })))
  expect(seen).toEqual([
    undefined,
    { why: 'it asks something', sinceMs: 20 },
    { why: 'somebody types', sinceMs: 20 },
    { why: 'somebody types', sinceMs: 20 },
    undefined,
    { why: 'it was typed and did not arrive', sinceMs: 60 },
  ])
})

test('a message ends when it is heard, given up or taken back, and by no event of another one', () => {
  const at = { seq: 9, at: 0, observedAt: 0, agent: 'agent-1', generation: 1, sentence: '' } as const
  const ended = (event: ShownEvent) => endOf(event, { agent: 'agent-1', act: 'message', seq: 7 })
  expect(ended({ ...at, type: 'message.heard', message: 'm-7', evidence: 'hook' })).toEqual({ result: 'done' })
  const lost = { ...at, type: 'message.undelivered', message: 'm-7', why: 'nobody is there' } as const
  expect(ended(lost)).toEqual({ result: 'not_done', detail: 'nobody is there' })
  const recalled = { ...at, type: 'message.recalled', message: 'm-7', by: 'you' } as const
  expect(ended(recalled)).toEqual({ result: 'cancelled', detail: 'you took it back' })
  expect(ended({ ...recalled, message: 'm-6' })).toBeUndefined()
})
