import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { FIRST_WAIT_MS, LONGEST_WAIT_MS, LOOP_COUNT, MAX_IN_A_ROW, STABLE_MS, waitMs } from '../restarts.ts'
import { crash } from './crash.ts'

const NOW = 100 * MINUTE

interface Given {
  code?: number | undefined
  looks?: number
  chance?: number
  lived?: number
  restarts?: Partial<AgentRecord['restarts']>
  agent?: Partial<AgentRecord>
  restartOnCrash?: boolean
}

interface Told {
  drafts: string[]
  act?: string
  inMs?: number
  inARow?: number
}

function told(given: Given): Told {
  const { code = 1, looks = 2, chance = 0.5, lived = 5, restarts, restartOnCrash = true } = given
  const gone = { seenAt: NOW, changedAt: NOW, alive: false, goneAt: NOW, goneLooks: looks }
  const exit = 'code' in given && given.code === undefined ? {} : { exitCode: code }
  const agent = agentRecord({
    startedAt: NOW - lived * MINUTE,
    evidence: { process: gone, terminal: { ...gone, ...exit } },
    ...(restarts === undefined ? {} : { restarts: { recentAt: [], inARow: 0, ...restarts } }),
    ...given.agent,
  })
  const situation = {
    agent,
    now: NOW,
    wallAt: 0,
    graceAt: 0,
    chance: () => chance,
    settings: { ...SETTINGS, restartOnCrash },
  }
  const { drafts, proposal } = crash(situation)
  const [draft] = drafts
  return {
    drafts: drafts.map(({ type }) => type),
    ...(proposal === undefined ? {} : { act: `${proposal.kind} ${proposal.precedence}` }),
    ...(draft?.type === 'restart.planned' ? { inMs: draft.dueAt - NOW, inARow: draft.inARow } : {}),
  }
}

const recent = (count: number) => Array.from({ length: count }, (_, n) => NOW - (n + 1) * MINUTE)

test.each<[string, Given, Told]>([
  ['the first failure', {}, { drafts: ['restart.planned'], inMs: 30 * SECOND, inARow: 1 }],
  ['a quarter sooner', { chance: 0 }, { drafts: ['restart.planned'], inMs: 22.5 * SECOND, inARow: 1 }],
  ['a quarter later', { chance: 1 }, { drafts: ['restart.planned'], inMs: 37.5 * SECOND, inARow: 1 }],
  [
    'the third in a row',
    { restarts: { recentAt: recent(2), inARow: 2 } },
    { drafts: ['restart.planned'], inMs: 2 * MINUTE, inARow: 3 },
  ],
  [
    'half an hour of life makes the count new',
    { lived: 30, restarts: { inARow: 8 } },
    { drafts: ['restart.planned'], inMs: 30 * SECOND, inARow: 1 },
  ],
  [
    'a slow loop waits the longest time',
    { lived: 20, restarts: { inARow: 8 } },
    { drafts: ['restart.planned'], inMs: 10 * MINUTE, inARow: 9 },
  ],
  [
    'the fifth start in a quarter of an hour',
    { restarts: { recentAt: recent(4), inARow: 4 } },
    { drafts: ['restart.planned'], inMs: 8 * MINUTE, inARow: 5 },
  ],
  [
    'five starts in a quarter of an hour',
    { restarts: { recentAt: recent(5), inARow: 5 } },
    { drafts: ['restart.exhausted'] },
  ],
  [
    'the tenth start in a row, however slow',
    { lived: 20, restarts: { inARow: 9 } },
    { drafts: ['restart.planned'], inMs: 10 * MINUTE, inARow: 10 },
  ],
  ['ten starts in a row, however slow', { lived: 20, restarts: { inARow: 10 } }, { drafts: ['restart.exhausted'] }],
  ['the last end is cleared away', { restarts: { exhausted: true } }, { drafts: [], act: 'kill crash' }],
  ['not before it is certain', { looks: 1, restarts: { exhausted: true } }, { drafts: [] }],
  ...(['kill_incomplete', 'salvage_failed'] as const).map((kind): [string, Given, Told] => [
    `nor again while a person is asked: ${kind}`,
    {
      restarts: { exhausted: true },
      agent: { needsYou: [{ id: 'n-1', kind, sentence: '', hint: '', raisedWallAt: 0 }] },
    },
    { drafts: [] },
  ]),
  ['seen by one look alone', { looks: 1 }, { drafts: [] }],
  ['it waits for its time', { restarts: { inARow: 1, dueAt: NOW + 1 } }, { drafts: [] }],
  ['its time has come', { restarts: { inARow: 1, dueAt: NOW } }, { drafts: [], act: 'kill crash' }],
  ['it left by itself', { code: 0 }, { drafts: [] }],
  ['it was hung up', { code: 129 }, { drafts: [] }],
  ['it was interrupted', { code: 130 }, { drafts: [] }],
  ['it was asked to end', { code: 143 }, { drafts: [] }],
  ['nobody knows why it ended', { code: undefined }, { drafts: [] }],
  ['it ran out of memory', { code: 137 }, { drafts: ['restart.planned'], inMs: 30 * SECOND, inARow: 1 }],
  ['it is not wanted', { restartOnCrash: false }, { drafts: [] }],
  ['it lives', { agent: { evidence: { process: { seenAt: NOW, changedAt: NOW, alive: true } } } }, { drafts: [] }],
])('%s', (_, given, expected) => {
  expect(told(given)).toEqual(expected)
})

test('waits double up to ten minutes, and the limits are the promised ones', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((n) => waitMs(n) / SECOND)).toEqual([30, 60, 120, 240, 480, 600, 600])
  expect({ FIRST_WAIT_MS, LONGEST_WAIT_MS, LOOP_COUNT, MAX_IN_A_ROW, STABLE_MS }).toEqual({
    FIRST_WAIT_MS: 30 * SECOND,
    LONGEST_WAIT_MS: 10 * MINUTE,
    LOOP_COUNT: 5,
    MAX_IN_A_ROW: 10,
    STABLE_MS: 30 * MINUTE,
  })
})
