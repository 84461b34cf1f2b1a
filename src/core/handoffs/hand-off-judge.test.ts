import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Health } from '../../contract/verdict.ts'
import { MINUTE } from '../durations.ts'
import { judgeHandoffs } from './hand-off-judge.ts'
import { createWorld } from '../world.ts'

const ENDED_AT = 10 * MINUTE
const JUDGE_AT = ENDED_AT + 15 * MINUTE

/** What is said of a hand-off that was done, soon after it and when its time is over. */
function judged(given: Partial<AgentRecord>, handoff: Partial<Handoff> = {}) {
  return [JUDGE_AT - 1, JUDGE_AT].map((now) => {
    const done = { state: 'done', endedAt: ENDED_AT, judgeAt: JUDGE_AT, successorGeneration: 2 } as const
    const agent = agentRecord({ generation: 2, startedAt: ENDED_AT - MINUTE, progressedAt: ENDED_AT + 5 * MINUTE })
    const handoffs = [handoffRecord({ ...done, ...handoff })]
    const world = createWorld(SETTINGS, { agents: [{ ...agent, handoffs, ...given }] })
    const input = { type: 'tick', id: 'i-1', wallAt: 0, monoAt: 0, lateMs: 0 } as const
    const turn = { world, input, now, events: [], effects: [], late: [], settled: [], reply: undefined }
    judgeHandoffs({ ...turn, dirty: new Set(), toJudge: new Set() }, agent.id)
    return world.agents.get(agent.id)?.handoffs?.[0]?.outcome?.recovered ?? 'not yet'
  })
}

const verdict = (health: Health): Partial<AgentRecord> => ({
  verdict: {
    ...{ health, cause: { kind: 'thinking' }, reason: 'so', citations: [] },
    ...{ sinceAt: 0, sinceLook: 0, judgedAt: 0 },
  },
})
const tests = (...results: ('passed' | 'failed' | 'not_run')[]): Partial<AgentRecord> => ({
  signals: { tests: results.map((result) => ({ runner: 'vitest', result, why: 'it says so' })) },
})
const forTests = { trigger: 'test_failure' } as const
const forConflict = { trigger: 'merge_conflict' } as const
const YES = ['yes', 'yes']
const NO = ['not yet', 'no']
const UNKNOWN = ['not yet', 'unknown']

test.each<[what: string, agent: Partial<AgentRecord>, handoff: Partial<Handoff>, says: string[]]>([
  ['it goes on by itself', {}, {}, YES],
  ['only its first work was seen', { progressedAt: ENDED_AT + MINUTE }, {}, NO],
  ['it was told something before its end', { steeredAt: ENDED_AT }, {}, YES],
  ['it went on after a word of ours', { steeredAt: ENDED_AT + 1 }, {}, UNKNOWN],
  ['a word of ours did not help either', { steeredAt: ENDED_AT + 1, progressedAt: ENDED_AT }, {}, NO],
  ['it is quiet', verdict('warning'), {}, NO],
  ['it is stuck', verdict('stuck'), { trigger: 'stuck_escalation' }, NO],
  ['it is well', verdict('active'), { trigger: 'stuck_escalation' }, YES],
  ['another generation goes on, in the same processes', { generation: 3 }, {}, UNKNOWN],
  ['it was stopped', { lifecycle: 'stopped', progressedAt: 0 }, {}, UNKNOWN],
  ['its tests pass', tests('failed', 'passed'), forTests, YES],
  ['its tests still fail', tests('passed', 'failed'), forTests, NO],
  ['it ran no tests', {}, forTests, NO],
  ['the conflict is over', { signals: { conflict: [] } }, forConflict, YES],
  ['the conflict is there', { signals: { conflict: ['a.ts'] } }, forConflict, NO],
  ['its task is closed', { ...verdict('stuck'), signals: { closed: [{ id: 'pan-18', title: 'It' }] } }, {}, YES],
  [
    'its task is closed by a later one',
    { generation: 3, signals: { closed: [{ id: 'pan-18', title: 'It' }] } },
    {},
    UNKNOWN,
  ],
])('%s', (_, agent, handoff, says) => expect(judged(agent, handoff)).toEqual(says))

test('of one that ended before the generation was kept, the start tells', () => {
  const { successorGeneration: _, ...old } = handoffRecord({ state: 'done', endedAt: ENDED_AT, judgeAt: JUDGE_AT })
  expect([judged({ handoffs: [old] }), judged({ handoffs: [old], startedAt: ENDED_AT + 1 })]).toEqual([YES, UNKNOWN])
})
