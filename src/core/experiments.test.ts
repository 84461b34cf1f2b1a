import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { interventionsView } from './interventions-view.ts'

/** What came of the automatic acts of one kind, in order. */
async function judged(act: string, ...lines: string[]): Promise<string[]> {
  const house = new House()
  await perform(house, 'set stuck_escalation off')
  await house.boot()
  for (const line of ['spawn agent-1', 'wait 10m', ...lines]) await perform(house, line)
  house.loop.stop()
  return house.events.flatMap((event) =>
    event.type === 'intervention.judged' && event.act === act ? `${event.n ?? ''}${event.result}` : [],
  )
}

test.each<[string, string, string[], string[]]>([
  ['a poke that brings progress', 'poke', ['agent-1 hangs', 'wait 20m'], ['1recovered']],
  [
    'pokes in vain',
    'poke',
    ['agent-1 ignores pokes', 'agent-1 hangs', 'wait 50m'],
    ['1not_recovered', '2not_recovered'],
  ],
  [
    'an answer without progress',
    'poke',
    ['agent-1 ignores pokes', 'agent-1 hangs', 'wait 16m', 'agent-1 asks Why?', 'wait 20m'],
    ['1answered'],
  ],
  [
    'a poke that is answered in words, again and again',
    'poke',
    ['agent-1 answers in words', 'agent-1 hangs', 'wait 65m'],
    ['1answered', '2answered', '3answered'],
  ],
  [
    'a nudge that is answered in words',
    'nudge',
    ['agent-1 answers in words', 'agent-1 idles', 'assign agent-1 Fix it.', 'wait 20m'],
    ['answered'],
  ],
  [
    'the word after an interrupt, answered in words',
    'nudge',
    [...['agent-1 ignores pokes', 'agent-1 hangs', 'wait 60m', 'agent-1 answers in words', 'wait 20m']],
    ['answered'],
  ],
  [
    'told to go on after a limit, answered in words',
    'continue',
    ['agent-1 answers in words', 'agent-1 is limited for 5m', 'wait 30m'],
    ['answered'],
  ],
  [
    'a person ended it meanwhile',
    'poke',
    ['agent-1 ignores pokes', 'agent-1 hangs', 'wait 16m', 'kill agent-1', 'wait 20m'],
    ['1unknown'],
  ],
  ['an interrupt in vain', 'interrupt', ['agent-1 ignores pokes', 'agent-1 hangs', 'wait 90m'], ['not_recovered']],
  ['a limit that was over', 'continue', ['agent-1 is limited for 5m', 'wait 30m'], ['recovered']],
  [
    'a limit that was not',
    'continue',
    ['agent-1 ignores pokes', 'agent-1 is limited for 5m', 'wait 9m', 'agent-1 works', 'agent-1 is limited', 'wait 5m'],
    ['not_recovered'],
  ],
  ['a restart that lasts', 'resume', ['agent-1 dies 1', 'wait 20m'], ['recovered']],
  ['a restart that does not', 'resume', ['agent-1 dies 1', 'wait 3m', 'agent-1 dies 1', 'wait 1m'], ['not_recovered']],
  ['a suspend', 'suspend', ['agent-1 idles', 'wait 20m'], ['recovered']],
  ['a nudge', 'nudge', ['agent-1 idles', 'assign agent-1 Fix it.', 'wait 5m'], ['recovered']],
])('%s', async (_, act, lines, results) => {
  expect(await judged(act, ...lines)).toEqual(results)
})

test('the tally: how many of each kind, and how many of those that are known helped', () => {
  const tally = { tried: 4, recovered: 1, answered: 1, notRecovered: 0, unknown: 1 }
  const none = { tried: 1, recovered: 0, answered: 0, notRecovered: 0, unknown: 0 }
  expect(interventionsView({ interventions: { nudge: none, poke: tally } })).toEqual({
    kinds: [
      { act: 'poke', ...tally, open: 1, rate: 0.5 },
      { act: 'nudge', ...none, open: 1 },
    ],
  })
  expect(interventionsView({})).toEqual({ kinds: [] })
})
