import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { Doing } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { judge, openDialog, type Judgement } from './judge.ts'

/** Time zero is when the agent started and last gave a sign; now is so many minutes later. */
function judged(evidence: AgentRecord['evidence'], minutes: number, { grace = 0, progressed = 0 } = {}) {
  const agent = agentRecord({ evidence, progressedAt: progressed * MINUTE })
  const { health, cause, nextAt } = judge(agent, {
    now: minutes * MINUTE,
    graceAt: grace * MINUTE,
    thresholds: SETTINGS.thresholds,
  })
  return { health, cause, nextAt: nextAt === undefined ? undefined : nextAt / MINUTE }
}

function hook(doing: Doing): AgentRecord['evidence'] {
  return { hook: { seenAt: 0, changedAt: 0, doing, doingAt: 0 } }
}

function resting(doing: Doing): AgentRecord['evidence'] {
  return { ...hook(doing), process: { seenAt: 0, changedAt: 0, alive: true, busy: false } }
}

const thinking = { kind: 'thinking' } as const
const bash = { kind: 'tool', name: 'Bash', boundMs: 10 * MINUTE } as const
const hungThinking = { kind: 'hung', what: 'its turn is open and nothing moves' }
const hungBash = { kind: 'hung', what: 'Bash is over its time and its processes rest' }
const compactingHung = { kind: 'hung', what: 'its context is being compacted and nothing moves' }

type Row = [evidence: AgentRecord['evidence'], minutes: number, expected: ReturnType<typeof judged>]

function verdict(health: Judgement['health'], cause: object, nextAt?: number): ReturnType<typeof judged> {
  return { health, cause: cause as Judgement['cause'], nextAt }
}

function tool(ageMinutes: number): object {
  return { kind: 'working_tool', name: 'Bash', ageMs: ageMinutes * MINUTE, boundMs: 10 * MINUTE }
}

describe('the verdict, row by row', () => {
  test.each<[string, ...Row]>([
    ['nobody saw it yet', {}, 1, verdict('active', { kind: 'starting' }, 1.5)],
    ['nobody ever saw it', {}, 60, verdict('unknown', { kind: 'unknown', why: 'no witness has seen it yet' })],

    ['thinking', hook(thinking), 4, verdict('active', thinking, 5)],
    ['thinking, stale', hook(thinking), 5, verdict('stale', thinking, 15)],
    ['thinking, warning', hook(thinking), 15, verdict('warning', thinking, 30)],
    ['thinking, stuck', hook(thinking), 30, verdict('stuck', thinking)],
    ['thinking at rest, stale', resting(thinking), 14, verdict('stale', thinking, 15)],
    ['thinking at rest, hung', resting(thinking), 15, verdict('warning', hungThinking, 30)],
    ['thinking at rest, stuck', resting(thinking), 30, verdict('stuck', hungThinking)],
    [
      'silent, no word of what it does',
      { terminal: { seenAt: 0, changedAt: 0 } },
      16,
      verdict('warning', { kind: 'startup_blocked', what: 'it never reported that it is ready' }),
    ],

    ['tool in its time', hook(bash), 10, verdict('active', tool(10), 11)],
    ['tool over its time, CPU unknown', hook(bash), 45, verdict('stale', tool(45))],
    ['tool over its time, at rest', resting(bash), 11, verdict('stale', hungBash, 15)],
    ['tool over its time, at rest, long', resting(bash), 31, verdict('stuck', hungBash)],

    [
      'permission, fresh',
      hook({ kind: 'permission', what: 'rm' }),
      4,
      verdict('active', { kind: 'waiting_permission', what: 'rm' }, 5),
    ],
    [
      'permission, from the stale minutes',
      hook({ kind: 'permission', what: 'rm' }),
      5,
      verdict('warning', { kind: 'waiting_permission', what: 'rm' }),
    ],
    [
      'permission, for hours, never stuck',
      resting({ kind: 'permission', what: 'rm' }),
      600,
      verdict('warning', { kind: 'waiting_permission', what: 'rm' }),
    ],
    [
      'question, fresh',
      hook({ kind: 'question', what: 'Jest?' }),
      1,
      verdict('active', { kind: 'waiting_user', what: 'Jest?' }, 5),
    ],
    [
      'question, for hours',
      resting({ kind: 'question', what: 'Jest?' }),
      600,
      verdict('warning', { kind: 'waiting_user', what: 'Jest?' }),
    ],
    [
      'sign-in, for hours',
      hook({ kind: 'auth_needed', what: 'expired' }),
      600,
      verdict('warning', { kind: 'auth_needed', what: 'expired' }),
    ],
    [
      'blocked at start',
      hook({ kind: 'startup_blocked', what: 'trust?' }),
      6,
      verdict('warning', { kind: 'startup_blocked', what: 'trust?' }),
    ],
    ['starting', hook({ kind: 'starting' }), 1, verdict('active', { kind: 'starting' }, 1.5)],
    [
      'starting too long',
      hook({ kind: 'starting' }),
      2,
      verdict('warning', { kind: 'startup_blocked', what: 'it never reported that it is ready' }),
    ],

    ['limited, fresh', hook({ kind: 'limited' }), 1, verdict('active', { kind: 'rate_limited' }, 5)],
    [
      'limited, for hours, never worse than stale',
      resting({ kind: 'limited', untilWallAt: 7 }),
      600,
      verdict('stale', { kind: 'rate_limited', untilWallAt: 7 }),
    ],
    [
      'service fails, never stuck',
      resting({ kind: 'api_error', what: '529' }),
      600,
      verdict('warning', { kind: 'api_error', what: '529' }),
    ],
    [
      'background, never worse than stale',
      resting({ kind: 'background', tasks: 2 }),
      600,
      verdict('stale', { kind: 'waiting_background', tasks: 2 }),
    ],
    ['compacting', resting({ kind: 'compacting' }), 9, verdict('active', { kind: 'compacting' }, 10)],
    ['compacting too long', hook({ kind: 'compacting' }), 16, verdict('warning', { kind: 'compacting' }, 30)],
    ['compacting too long, at rest', resting({ kind: 'compacting' }), 16, verdict('warning', compactingHung, 30)],

    [
      'looping',
      hook({ kind: 'looping', what: 'npm test', times: 8 }),
      1,
      verdict('warning', { kind: 'looping', what: 'npm test', times: 8 }, 30),
    ],
    [
      'looping without progress',
      hook({ kind: 'looping', what: 'npm test', times: 8 }),
      30,
      verdict('stuck', { kind: 'looping', what: 'npm test', times: 8 }),
    ],

    [
      'alive without a terminal',
      { ...resting(thinking), terminal: { seenAt: 0, changedAt: 0, alive: true, lost: true } },
      60,
      verdict('unknown', { kind: 'unknown', why: 'its process lives but has no terminal' }),
    ],
    [
      'no terminal, and nobody saw its process',
      { terminal: { seenAt: 0, changedAt: 0, lost: true } },
      60,
      verdict('unknown', { kind: 'unknown', why: 'it has no terminal' }),
    ],
    [
      'dead, and its terminal was taken away',
      { terminal: { seenAt: 0, changedAt: 0, alive: false, lost: true } },
      1,
      verdict('stuck', { kind: 'dead' }),
    ],
    ['dead', { process: { seenAt: 0, changedAt: 0, alive: false } }, 1, verdict('stuck', { kind: 'dead' })],
    [
      'dead with a code',
      { ...hook(bash), terminal: { seenAt: 0, changedAt: 0, alive: false, exitCode: 137 } },
      1,
      verdict('stuck', { kind: 'dead', exitCode: 137 }),
    ],
    ['a new turn after idle', hook({ kind: 'idle' }), 6, verdict('stale', thinking, 15)],
  ])('%s', (_, evidence, minutes, expected) => {
    expect(judged(evidence, minutes)).toEqual(expected)
  })
})

describe('doubt comes before the clock', () => {
  test('after a gap silence counts from the gap on', () => {
    expect(judged(hook(thinking), 500, { grace: 498 })).toEqual(verdict('active', thinking, 503))
    expect(judged(resting(bash), 500, { grace: 498 })).toEqual(verdict('active', tool(2), 509))
    expect(judged(hook({ kind: 'starting' }), 500, { grace: 499 })).toEqual(
      verdict('active', { kind: 'starting' }, 500.5),
    )
  })

  test('evidence that is missing never makes a verdict worse', () => {
    const rank = ['unknown', 'active', 'stale', 'warning', 'stuck']
    for (const doing of [thinking, bash, { kind: 'limited' } as const]) {
      for (const minutes of [1, 5, 11, 15, 30, 600]) {
        const whole = judged(resting(doing), minutes).health
        const less = judged(hook(doing), minutes).health
        expect(rank.indexOf(less), `${doing.kind} after ${minutes} min`).toBeLessThanOrEqual(rank.indexOf(whole))
      }
    }
  })
})

test('the newest word counts, hooks first when equally new', () => {
  const at = (doing: Doing, seconds: number) => ({ seenAt: 0, changedAt: 0, doing, doingAt: seconds * SECOND })
  expect(judged({ hook: at(bash, 10), transcript: at(thinking, 5) }, 1).cause.kind).toBe('working_tool')
  expect(judged({ hook: at(bash, 5), transcript: at(thinking, 10) }, 1).cause.kind).toBe('thinking')
  expect(judged({ registry: at({ kind: 'question', what: '?' }, 5), hook: at(bash, 5) }, 1).cause.kind).toBe(
    'working_tool',
  )
})

test('of hooks and registry the younger word says whether a dialog is open', () => {
  const at = (doing: Doing, doingAt: number) => ({ seenAt: 0, changedAt: 0, doing, doingAt })
  const question = { kind: 'question', what: '?' } as const
  const open = (evidence: AgentRecord['evidence']) => openDialog(agentRecord({ evidence }))
  expect(open({ hook: at(question, 5) })).toBe('question')
  expect(open({ hook: at(question, 5), registry: at({ kind: 'idle' }, 6) })).toBeUndefined()
  expect(open({ hook: at(question, 7), registry: at({ kind: 'idle' }, 6) })).toBe('question')
  expect(open({ hook: at(bash, 7), registry: at(question, 6) })).toBeUndefined()
  expect(open({ hook: at(bash, 5), registry: at(question, 6) })).toBe('question')
  expect(open({ hook: at(bash, 6), registry: at(question, 6) })).toBe('question')
  expect(open({ hook: at(question, 6), registry: at(bash, 6) })).toBe('question')
  expect(open({ hook: at(bash, 7), terminal: at({ kind: 'startup_blocked', what: 'trust' }, 1) })).toBe(
    'startup_blocked',
  )
})
