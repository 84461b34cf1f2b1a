import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord, Episode } from '../../contract/records.ts'
import type { Cause, Health } from '../../contract/verdict.ts'
import { MINUTE } from '../durations.ts'
import { attention, COOLDOWN_MS, MAX_POKES, SETTLE_MS } from './attention.ts'

interface Given {
  health: Health
  cause?: Cause
  episode?: Partial<Episode>
  sinceMin?: number
  looksSince?: number
  pokeOnWarning?: boolean
  agent?: Partial<AgentRecord>
}

const NOW = 100 * MINUTE

function advised(given: Given) {
  const { health, cause = { kind: 'thinking' }, episode, sinceMin = 5, looksSince = 3, pokeOnWarning = true } = given
  const verdict = { health, cause, reason: 'x', citations: [], sinceLook: 0, judgedAt: NOW }
  const agent = agentRecord({
    verdict: { ...verdict, sinceAt: NOW - sinceMin * MINUTE },
    ...(episode === undefined ? {} : { episode: { openedAt: 50 * MINUTE, pokes: 0, exhausted: false, ...episode } }),
    ...given.agent,
  })
  const judgement = { health, cause, silentMs: 20 * MINUTE, unprogressedMs: 20 * MINUTE, nextAt: undefined }
  const { drafts, proposal, wakeAt } = attention({
    agent,
    judgement,
    now: NOW,
    looksSince,
    settings: { ...SETTINGS, pokeOnWarning },
  })
  return {
    drafts: drafts.map(({ type }) => type),
    poke: proposal?.poke?.n,
    wake: wakeAt === undefined ? undefined : (wakeAt - NOW) / 1000,
  }
}

const quiet = { drafts: [], poke: undefined, wake: undefined }
const poked = (pokes: number, minutesAgo: number) => ({ pokes, lastPokeAt: NOW - minutesAgo * MINUTE })

test.each<[string, Given, ReturnType<typeof advised>]>([
  ['active', { health: 'active' }, quiet],
  ['stale', { health: 'stale' }, quiet],
  [
    'warning opens an episode and waits',
    { health: 'warning' },
    { ...quiet, drafts: ['episode.opened'], wake: SETTLE_MS / 1000 },
  ],
  ['warning pokes when settled', { health: 'warning', episode: {} }, { ...quiet, poke: 1, wake: 30 }],
  ['not before the verdict has settled', { health: 'warning', episode: {}, sinceMin: 0.25 }, { ...quiet, wake: 15 }],
  ['not on the word of one look', { health: 'warning', episode: {}, looksSince: 0 }, { ...quiet, wake: 1 }],
  ['waiting for a person is no episode', { health: 'warning', cause: { kind: 'waiting_user', what: '?' } }, quiet],
  [
    'an open tool is never poked',
    { health: 'stale', cause: { kind: 'working_tool', name: 'Bash', ageMs: 1, boundMs: 1 }, episode: {} },
    quiet,
  ],
  [
    'a failing service is not poked',
    { health: 'warning', cause: { kind: 'api_error', what: '529' }, episode: {} },
    quiet,
  ],
  ['the dead are not poked', { health: 'stuck', cause: { kind: 'dead' }, episode: {} }, quiet],
  [
    'a loop is poked',
    { health: 'warning', cause: { kind: 'looping', what: 'x', times: 8 }, episode: {} },
    { ...quiet, poke: 1, wake: 30 },
  ],
  ['not before the cooldown is over', { health: 'stuck', episode: poked(1, 10) }, { ...quiet, wake: 300 }],
  ['the second poke', { health: 'stuck', episode: poked(1, 15) }, { ...quiet, poke: 2, wake: 30 }],
  ['the third poke', { health: 'stuck', episode: poked(2, 15) }, { ...quiet, poke: 3, wake: 30 }],
  ['then a person', { health: 'stuck', episode: poked(3, 15) }, { ...quiet, drafts: ['episode.exhausted'] }],
  ['and no more', { health: 'stuck', episode: { ...poked(3, 90), exhausted: true } }, quiet],
  [
    'a poke is judged at its time',
    { health: 'stuck', episode: { ...poked(1, 15), judgeAt: NOW } },
    { drafts: ['episode.poke-judged'], poke: 2, wake: 30 },
  ],
  [
    'the last poke is judged and a person asked',
    { health: 'stuck', episode: { ...poked(3, 15), judgeAt: NOW } },
    { ...quiet, drafts: ['episode.poke-judged', 'episode.exhausted'] },
  ],
  [
    'a poke is judged even when the trouble went',
    { health: 'active', episode: { ...poked(1, 15), judgeAt: NOW } },
    { ...quiet, drafts: ['episode.poke-judged'] },
  ],
  ['output alone ends nothing', { health: 'active', episode: poked(1, 5), agent: { producedAt: NOW } }, quiet],
  [
    'progress ends it',
    { health: 'active', episode: poked(1, 5), agent: { progressedAt: NOW } },
    { ...quiet, drafts: ['episode.closed'] },
  ],
  [
    'progress judges the poke first',
    { health: 'active', episode: { ...poked(1, 5), judgeAt: NOW + 1 }, agent: { progressedAt: NOW } },
    { ...quiet, drafts: ['episode.poke-judged', 'episode.closed'] },
  ],
  ['pokes off: nothing at warning', { health: 'warning', episode: {}, pokeOnWarning: false }, quiet],
  [
    'pokes off: a person at stuck',
    { health: 'stuck', episode: {}, pokeOnWarning: false },
    { ...quiet, drafts: ['episode.exhausted'] },
  ],
])('%s', (_, given, expected) => {
  expect(advised(given)).toEqual(expected)
})

test('the limits are the promised ones', () => {
  expect({ MAX_POKES, COOLDOWN_MS }).toEqual({ MAX_POKES: 3, COOLDOWN_MS: 15 * MINUTE })
})
