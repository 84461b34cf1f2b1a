import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Assignment } from '../../contract/standing.ts'
import { MINUTE } from '../durations.ts'
import { COOLDOWN_MS, isNudgedOut, MAX_NUDGES, waitingWork } from './waiting-work.ts'

const NOW = 100 * MINUTE

interface Given {
  work?: Partial<Assignment>
  agent?: Partial<AgentRecord>
  settings?: Partial<Settings>
}

function told({ work = {}, agent = {}, settings = {} }: Given): string {
  const record = agentRecord({
    lifecycle: 'idle',
    lifecycleAt: 0,
    assignment: { what: 'Fix it.', by: 'you', at: NOW - 10 * MINUTE, nudges: 0, ...work },
    ...agent,
  })
  const situation = {
    agent: record,
    now: NOW,
    wallAt: 0,
    graceAt: 0,
    chance: () => 0,
    settings: { ...SETTINGS, ...settings },
  }
  const { drafts, proposal, wakeAt } = waitingWork(situation)
  if (drafts[0] !== undefined) return drafts[0].type
  if (proposal !== undefined) return `${proposal.kind}: ${proposal.reason}`
  return wakeAt === undefined ? 'nothing' : `in ${(wakeAt - NOW) / MINUTE}`
}

const asleep: Partial<AgentRecord> = { lifecycle: 'suspended', sessionId: 'session-1' }

test.each<[string, Given, string]>([
  ['it rests while work waits', {}, 'nudge: work by you waits: Fix it'],
  ['it may begin by itself', { work: { at: NOW - MINUTE } }, 'in 1'],
  ['it has just come to rest', { agent: { lifecycleAt: NOW } }, 'in 2'],
  ['a reminder has its time', { work: { nudges: 1, lastNudgeAt: NOW - 5 * MINUTE } }, 'in 10'],
  ['the third', { work: { nudges: 2, lastNudgeAt: NOW - COOLDOWN_MS } }, 'nudge: work by you waits: Fix it'],
  [
    'a person stopped it',
    { agent: { lifecycleAt: NOW - 5 * MINUTE, lifecycleWhy: 'a person interrupted it' } },
    'in 10',
  ],
  [
    'a person stopped it long ago',
    { agent: { lifecycleAt: NOW - 20 * MINUTE, lifecycleWhy: 'a person interrupted it' }, work: { at: 0 } },
    'nothing',
  ],
  [
    'a person stopped it before the work came',
    { agent: { lifecycleAt: NOW - 20 * MINUTE, lifecycleWhy: 'a person interrupted it' } },
    'nudge: work by you waits: Fix it',
  ],
  ['and no more', { work: { nudges: 3, lastNudgeAt: NOW - COOLDOWN_MS } }, 'nothing'],
  [
    'told of it, it went to work',
    { agent: { lifecycle: 'active', lifecycleAt: NOW, progressedAt: NOW }, work: { nudges: 1, lastNudgeAt: NOW - 1 } },
    'work.begun',
  ],
  [
    'told of it, it did something and rests already',
    { agent: { lifecycleAt: NOW, progressedAt: NOW }, work: { nudges: 1, lastNudgeAt: NOW - 1 } },
    'work.begun',
  ],
  [
    'told of it, it thinks so far',
    { agent: { lifecycle: 'active', lifecycleAt: NOW, producedAt: NOW }, work: { nudges: 1, lastNudgeAt: NOW - 1 } },
    'nothing',
  ],
  [
    'told of it, it only said that it will',
    { agent: { lifecycleAt: NOW - 14 * MINUTE, producedAt: NOW }, work: { nudges: 1, lastNudgeAt: NOW - COOLDOWN_MS } },
    'nudge: work by you waits: Fix it',
  ],
  ['it went to work, on something else', { agent: { lifecycle: 'active', lifecycleAt: NOW } }, 'nothing'],
  ['it works on something else', { agent: { lifecycle: 'active', lifecycleAt: 0 } }, 'nothing'],
  ['it sleeps', { agent: asleep }, 'resume: work by you waits: Fix it'],
  [
    'it sleeps, and is not to be woken',
    { agent: asleep, settings: { lifecycle: { ...SETTINGS.lifecycle, autoResume: false } } },
    'nothing',
  ],
  ['a person stopped it', { agent: { lifecycle: 'stopped' } }, 'nothing'],
  ['reminders are off', { settings: { nudgeAssigned: false } }, 'nothing'],
])('%s', (_, given, expected) => {
  expect(told(given)).toBe(expected)
})

test('a person is asked when the last reminder had its time', () => {
  const work = { what: 'Fix it.', by: 'you', at: 0, nudges: MAX_NUDGES }
  const agent = (lastNudgeAt: number, lifecycle: 'idle' | 'active' = 'idle') =>
    agentRecord({ lifecycle, assignment: { ...work, lastNudgeAt } })
  expect([isNudgedOut(agent(NOW - COOLDOWN_MS), NOW), isNudgedOut(agent(NOW - MINUTE), NOW)]).toEqual([true, false])
  // That it says something again settles nothing.
  expect(isNudgedOut(agent(NOW - COOLDOWN_MS, 'active'), NOW)).toBe(true)
})
