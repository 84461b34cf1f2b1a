import { expect, test } from 'vitest'
import {
  estimateWords,
  helpedWords,
  moneyOf,
  partiesOf,
  planWords,
  rateWords,
  reckonedWords,
  restoreCommand,
  savingsOf,
  TRIGGER_WORDS,
  whyWords,
  wordOf,
} from './words.ts'
import { stepsOf } from './steps.ts'

test.each([
  { given: {}, words: undefined },
  { given: { estimatedSavings: 0.4 }, words: 'saves about $0.40' },
  { given: { estimatedSavings: -1.2 }, words: 'costs about $1.20 more' },
  { given: { estimatedSavings: 0.003 }, words: 'saves about $0.0030' },
  { given: { estimatedSavings: 0 }, words: 'costs the same' },
])('savings of $given are «$words»', ({ given, words }) => {
  expect(savingsOf(given)).toBe(words)
})

test('what it came to counts more than what it was thought to', () => {
  expect(moneyOf({ estimatedSavings: 0.4, savings: { againstStaying: -1, why: '' } })).toBe('cost $1.00 more')
  expect(moneyOf({ estimatedSavings: 0.4, savings: { againstStaying: 2, why: '' } })).toBe('saved $2.00')
  expect(moneyOf({ estimatedSavings: 0.4, savings: { why: 'not known' } })).toBe('saves about $0.40')
})

test('what the figure means is said with both prices', () => {
  expect(estimateWords({ estimate: { from: 1, to: 5 } }, 'opus')).toBe(
    'So far its session cost $1.00; with opus the same would have cost $5.00.',
  )
  expect(estimateWords({}, 'opus')).toBe(undefined)
})

test.each([
  { rate: { good: 0, of: 0 }, words: 'none yet' },
  { rate: { good: 7, of: 9, share: 7 / 9 }, words: '7 of 9, 78 %' },
  { rate: { good: 0, of: 2, share: 0 }, words: '0 of 2, 0 %' },
])('a rate of $rate.good of $rate.of is «$words»', ({ rate, words }) => {
  expect(rateWords(rate)).toBe(words)
})

test.each([
  { outcome: undefined, words: 'nothing to judge' },
  { outcome: { verified: false, agentRecovered: false }, words: 'not judged yet' },
  { outcome: { verified: false, agentRecovered: false, verificationMethod: 'heartbeat' }, words: 'nobody knows' },
  { outcome: { verified: true, agentRecovered: true, verificationMethod: 'manual' }, words: 'it helped' },
  { outcome: { verified: true, agentRecovered: false, verificationMethod: 'heartbeat' }, words: 'it did not help' },
] as const)('an outcome of $outcome is «$words»', ({ outcome, words }) => {
  expect(helpedWords({ outcome })).toBe(words)
})

test('runtimes are named only where they change, a specialist always', () => {
  const sonnet = { model: 'sonnet', runtime: 'claude-code' }
  expect(partiesOf(sonnet, { model: 'opus', runtime: 'claude-code' })).toEqual({ from: 'sonnet', to: 'opus' })
  expect(partiesOf(sonnet, { model: 'gpt', runtime: 'codex' })).toEqual({
    from: 'sonnet in claude-code',
    to: 'gpt in codex',
  })
  expect(partiesOf(sonnet, sonnet)).toEqual({ from: 'sonnet', to: 'a fresh context' })
  expect(partiesOf(sonnet, { ...sonnet, specialist: 'test-agent' }).to).toBe('test-agent')
})

test('who confirms is told what will happen', () => {
  const [from, to] = [
    { model: 'sonnet', runtime: 'virtual' },
    { model: 'opus', runtime: 'virtual' },
  ]
  expect(planWords({ agent: 'agent-pan-18', from, to })).toBe(
    'agent-pan-18 is brought to rest, saves its state, and its work is salvaged. Then its session is ended, and a new one with opus goes on from what was written down. If that does not show in time that it goes on, the old session goes on with sonnet.',
  )
})

test('why is said once', () => {
  expect(whyWords({ trigger: 'manual', reason: 'a person asked for it' })).toBe('a person asked for it')
  expect(whyWords({ trigger: 'stuck_escalation', reason: 'hung' })).toBe('it is stuck: hung')
})

test('a specialist only borrows the work', () => {
  const from = { model: 'sonnet', runtime: 'virtual' }
  expect(planWords({ agent: 'agent-pan-18', from, to: { ...from, specialist: 'test-agent' } })).toBe(
    'agent-pan-18 is brought to rest and saves its state. test-agent gets its work and gives it back when it is done; agent-pan-18 rests meanwhile.',
  )
})

test('a word that is not known is shown as it is', () => {
  expect(wordOf(TRIGGER_WORDS, 'stuck_escalation')).toBe('it is stuck')
  expect(wordOf(TRIGGER_WORDS, 'moon_phase')).toBe('moon phase')
})

test('work is restored by the name of its snapshot', () => {
  expect(restoreCommand('agent-pan-18', 'refs/cloister/agent-pan-18/3-1')).toBe('pan restore agent-pan-18 --ref 3-1')
})

test.each([
  {
    state: 'awaiting_approval',
    method: 'kill_spawn',
    shown: 'YOUR YES, rest, save, write down, end, start, prove',
  },
  { state: 'resting', method: 'runtime_switch', shown: 'REST, save, write down, end, start, prove' },
  { state: 'stopping', method: 'kill_spawn', shown: '✓rest, ✓save, ✓write down, END, start, prove' },
  { state: 'starting', method: 'specialist_wake', shown: '✓rest, ✓save, ✓write down, WAKE, prove' },
  { state: 'proving', method: 'context_cycle', shown: '✓rest, ✓save, ✓write down, ✓clear, ✓resume, PROVE' },
  { state: 'rolling_back', method: 'kill_spawn', shown: 'rest, save, write down, end, start, prove' },
] as const)('$method at $state: $shown', ({ state, method, shown }) => {
  const words = stepsOf({ state, method }).map(({ word, is }) =>
    is === 'now' ? word.toUpperCase() : `${is === 'past' ? '✓' : ''}${word.toLowerCase()}`,
  )
  expect(words.join(', ')).toBe(shown)
})

test.each([
  { savings: { why: 'its price is not known' }, lines: [] },
  {
    savings: { usedUsd: 2, againstStaying: -1, againstOpus: 3, why: '' },
    lines: ['Its successor used $2.00.', 'Against staying it cost $1.00 more.', 'Against opus it saved $3.00.'],
  },
])('what it came to: $lines', ({ savings, lines }) => {
  expect(reckonedWords(savings)).toEqual(lines)
})
