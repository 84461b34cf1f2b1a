import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { Doing } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { LimitHold } from '../../contract/standing.ts'
import { HOUR, MINUTE } from '../durations.ts'
import { limits, SLACK_MS, STAGGER_MS } from './limits.ts'

const NOW = 100 * MINUTE
/** Late in the evening: the limit ends after midnight. */
const WALL = Date.UTC(2026, 0, 20, 23, 30)

interface Given {
  doing?: Doing
  /** Minutes ago. */
  doingAgo?: number
  limit?: Partial<LimitHold>
  agent?: Partial<AgentRecord>
  chance?: number
  wallAt?: number
}

interface Told {
  drafts: string[]
  act?: string
  untilMin?: number
  isRead?: boolean
  round?: number
  wakeMin?: number
}

function told({ doing, doingAgo = 1, limit, agent = {}, chance = 0, wallAt = WALL }: Given): Told {
  const doingAt = NOW - doingAgo * MINUTE
  const hook = doing === undefined ? {} : { hook: { seenAt: doingAt, changedAt: doingAt, doing, doingAt } }
  const row: LimitHold = {
    ...{ sinceAt: 0, sinceWallAt: WALL - NOW, untilAt: NOW + HOUR, untilWallAt: WALL + HOUR },
    ...{ isRead: true, round: 1, tries: 0, ...limit },
  }
  const record = agentRecord({ evidence: hook, ...(limit === undefined ? {} : { limit: row }), ...agent })
  const situation = { agent: record, now: NOW, wallAt, graceAt: 0, settings: SETTINGS, chance: () => chance }
  const { drafts, proposal, wakeAt } = limits(situation)
  const [draft] = drafts
  return {
    drafts: drafts.map(({ type }) => type),
    ...(proposal === undefined ? {} : { act: proposal.kind }),
    ...(draft?.type === 'limit.began'
      ? {
          untilMin: (draft.limit.untilAt - NOW) / MINUTE,
          isRead: draft.limit.isRead,
          round: draft.limit.round,
        }
      : {}),
    ...(wakeAt === undefined ? {} : { wakeMin: (wakeAt - NOW) / MINUTE }),
  }
}

const OUTAGE: Doing = { kind: 'api_error', what: 'API Error: 529 Overloaded', ended: true }

const limited = (inMs?: number): Doing => ({
  kind: 'limited',
  ...(inMs === undefined ? {} : { untilWallAt: WALL + inMs }),
})

test.each<[string, Given, Told]>([
  ['nobody is limited', { doing: { kind: 'thinking' } }, { drafts: [] }],
  [
    'an end that was read, over midnight, and a minute more',
    { doing: limited(2 * HOUR) },
    { drafts: ['limit.began'], untilMin: 121, isRead: true, round: 1, wakeMin: 1 },
  ],
  [
    'each agent at an instant of its own',
    { doing: limited(2 * HOUR), chance: 0.5 },
    { drafts: ['limit.began'], untilMin: 122.5, isRead: true, round: 1, wakeMin: 1 },
  ],
  [
    'an end that nobody can read is guessed',
    { doing: limited() },
    { drafts: ['limit.began'], untilMin: 15, isRead: false, round: 1, wakeMin: 1 },
  ],
  [
    'an end that is past was not read: today’s midnight is over',
    { doing: limited(-23 * HOUR) },
    { drafts: ['limit.began'], untilMin: 15, isRead: false, round: 1, wakeMin: 1 },
  ],
  [
    'an end that passed while nobody looked',
    { doing: limited(-2 * HOUR) },
    { drafts: ['limit.began'], untilMin: 1, isRead: true, round: 1, wakeMin: 1 },
  ],
  [
    'which is believed once',
    { doing: limited(-2 * HOUR), limit: { continuedAt: NOW - 4 * MINUTE } },
    { drafts: ['limit.began'], untilMin: 30, isRead: false, round: 2, wakeMin: 1 },
  ],
  [
    'an end in a month was not read',
    { doing: limited(30 * 24 * HOUR) },
    { drafts: ['limit.began'], untilMin: 15, isRead: false, round: 1, wakeMin: 1 },
  ],
  [
    'the account’s own word on a limit that is used up',
    {
      doing: limited(),
      agent: { gauges: { limits: [{ name: 'five_hour', share: 1, resetsWallAt: WALL + 3 * HOUR }] } },
    },
    { drafts: ['limit.began'], untilMin: 181, isRead: true, round: 1, wakeMin: 1 },
  ],
  [
    'an outage that ended the turn is tried soon',
    { doing: OUTAGE, chance: 0.5 },
    { drafts: ['limit.began'], untilMin: 3.5, isRead: false, round: 1, wakeMin: 1 },
  ],
  [
    'a request that its program still sends again is not',
    { doing: { kind: 'api_error', what: '529' } },
    { drafts: [] },
  ],
  [
    'an outage that goes on is tried later',
    { doing: OUTAGE, limit: { of: 'outage', round: 3, continuedAt: NOW - 4 * MINUTE } },
    { drafts: ['limit.began'], untilMin: 16, isRead: false, round: 4, wakeMin: 1 },
  ],
  [
    'and never later than half an hour',
    { doing: OUTAGE, limit: { of: 'outage', round: 7, continuedAt: NOW - 4 * MINUTE } },
    { drafts: ['limit.began'], untilMin: 30, isRead: false, round: 8, wakeMin: 1 },
  ],
  [
    'but not for ever',
    { doing: OUTAGE, limit: { of: 'outage', round: 8, continuedAt: NOW - 4 * MINUTE } },
    { drafts: [] },
  ],
  [
    'its program tries by itself: nobody else does',
    { doing: { kind: 'api_error', what: '529' }, limit: { of: 'outage', continuedAt: NOW - 30 * MINUTE } },
    { drafts: [], wakeMin: 1 },
  ],
  [
    'after an outage a limit is another matter',
    { doing: limited(HOUR), limit: { of: 'outage', round: 5, continuedAt: NOW - 4 * MINUTE } },
    { drafts: ['limit.began'], untilMin: 61, isRead: true, round: 1, wakeMin: 1 },
  ],
  ['held', { doing: limited(HOUR), limit: {} }, { drafts: [], wakeMin: 1 }],
  ['held though it says idle meanwhile', { doing: { kind: 'idle' }, limit: {} }, { drafts: [], wakeMin: 1 }],
  [
    'over by observed time',
    { doing: limited(HOUR), limit: { untilAt: NOW } },
    { drafts: [], act: 'continue', wakeMin: 0.5 },
  ],
  [
    'over by the wall clock: the laptop slept',
    { doing: limited(HOUR), limit: {}, wallAt: WALL + 2 * HOUR },
    { drafts: [], act: 'continue', wakeMin: 0.5 },
  ],
  [
    'a clock that was set back keeps nobody held',
    { doing: limited(HOUR), limit: { untilAt: NOW }, wallAt: WALL - 8 * HOUR },
    { drafts: [], act: 'continue', wakeMin: 0.5 },
  ],
  ['it goes on by itself', { doing: { kind: 'thinking' }, limit: {} }, { drafts: ['limit.ended'], wakeMin: 1 / 60 }],
  [
    'told, and not told again',
    { doing: limited(), limit: { continuedAt: NOW - 5 * MINUTE }, doingAgo: 30 },
    { drafts: [], wakeMin: 5 },
  ],
  [
    'told, and it just began: not sure yet',
    { doing: { kind: 'thinking' }, limit: { continuedAt: NOW - 2 * MINUTE } },
    { drafts: [], wakeMin: 1 },
  ],
  [
    'told, and it works',
    { doing: { kind: 'thinking' }, limit: { continuedAt: NOW - 4 * MINUTE } },
    { drafts: ['limit.ended'], wakeMin: 1 / 60 },
  ],
  [
    'limited again at once: another round, and a longer guess',
    { doing: limited(), limit: { continuedAt: NOW - 4 * MINUTE, round: 2 } },
    { drafts: ['limit.began'], untilMin: 60, isRead: false, round: 3, wakeMin: 1 },
  ],
  [
    'a guess never becomes too long',
    { doing: limited(), limit: { continuedAt: NOW - 4 * MINUTE, round: 12 } },
    { drafts: ['limit.began'], untilMin: 120, isRead: false, round: 13, wakeMin: 1 },
  ],
  [
    'told, and it said nothing more: still limited',
    { doing: limited(), limit: { continuedAt: NOW - 11 * MINUTE }, doingAgo: 30 },
    { drafts: ['limit.began'], untilMin: 30, isRead: false, round: 2, wakeMin: 1 },
  ],
  [
    'told, it went on and finished its turn',
    { doing: { kind: 'idle' }, limit: { continuedAt: NOW - MINUTE }, agent: { lifecycle: 'idle', lifecycleAt: NOW } },
    { drafts: ['limit.ended'], wakeMin: 1 / 60 },
  ],
  [
    'told, and it rests: nothing more to wait for',
    { doing: { kind: 'idle' }, limit: { continuedAt: NOW - 11 * MINUTE } },
    { drafts: ['limit.ended'], wakeMin: 1 / 60 },
  ],
])('%s', (_, given, expected) => {
  expect(told(given)).toEqual(expected)
})

test('the promised figures', () => {
  expect({ SLACK_MS, STAGGER_MS }).toEqual({ SLACK_MS: MINUTE, STAGGER_MS: 3 * MINUTE })
})
