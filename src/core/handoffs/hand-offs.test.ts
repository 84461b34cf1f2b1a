import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import type { Handoff, HandoffTarget } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { decideHandoff } from './hand-off-commands.ts'
import { handoffsView } from './hand-off-views.ts'
import { startHandoff, type HandoffWish } from './hand-offs.ts'
import { endHandoff } from './hand-off-end.ts'
import { seeRollBack } from './hand-off-sight.ts'
import type { Turn } from '../turn.ts'
import { createWorld } from '../world.ts'

const CAN = { resume: true, interrupt: true, clear: true, softStop: true, ask: true, confirmsText: false, usage: false }
const RUNTIMES = new Map(['virtual', 'other'].map((name) => [name, CAN]))

function turnWith(agents: readonly AgentRecord[], settings: Settings = SETTINGS): Turn {
  const world = createWorld(settings, { agents }, { capabilities: RUNTIMES })
  const input = { type: 'tick', id: 'i-1', wallAt: 0, monoAt: 0, lateMs: 0 } as const
  return {
    ...{ world, input, now: world.house.observedAt, events: [], effects: [], late: [], settled: [] },
    ...{ dirty: new Set(), toJudge: new Set(), reply: undefined },
  }
}

const AGENT = 'agent-pan-18'
const rests = agentRecord({ lifecycle: 'idle' })

/** What became of a wish: why not, what it waits for, or that it began. */
function become(turn: Turn, to: HandoffTarget, given: Partial<HandoffWish> = {}): string {
  const wish = { agent: AGENT, to, trigger: 'task_complete', reason: 'a rule', by: 'a rule', isAsked: false } as const
  const refusal = startHandoff(turn, { ...wish, ...given })
  const handoff = turn.world.agents.get(AGENT)?.handoff
  return refusal?.sentence ?? `${handoff?.method} ${handoff?.state}: ${handoff?.gate ?? 'nobody is asked'}`
}

const withSpecialist = (given: object): Settings => {
  const { routing } = SETTINGS
  const set = { model: 'haiku', runtime: null, enabled: true, autoWake: true, ...given }
  return { ...SETTINGS, routing: { ...routing, specialists: { ...routing.specialists, 'test-agent': set } } }
}
const specialist = (given: Partial<AgentRecord> = {}) =>
  agentRecord({ id: 'test-agent', kind: 'specialist', lifecycle: 'stopped', model: 'haiku', ...given })
const toTests = { specialist: 'test-agent' }

test('another runtime needs a yes unless a person asks for it', () => {
  const to = { runtime: 'other' }
  expect(become(turnWith([rests]), to)).toBe('runtime_switch awaiting_approval: it changes the runtime')
  expect(become(turnWith([rests]), to, { isAsked: true })).toBe('runtime_switch resting: nobody is asked')
  const handoffs = { ...SETTINGS.handoffs, requireApproval: [] }
  expect(become(turnWith([rests], { ...SETTINGS, handoffs }), to)).toBe('runtime_switch resting: nobody is asked')
})

test('where nothing is escalated by itself a dearer model needs a yes, and a cheaper one does not', () => {
  const handoffs = { ...SETTINGS.handoffs, autoEscalate: false }
  const turn = (model: string) => turnWith([agentRecord({ lifecycle: 'idle', model })], { ...SETTINGS, handoffs })
  const to = { model: 'sonnet' }
  expect(become(turn('haiku'), to)).toBe('kill_spawn awaiting_approval: nothing is escalated by itself')
  expect(become(turn('haiku'), to, { isAsked: true })).toBe('kill_spawn resting: nobody is asked')
  expect(become(turn('opus'), to)).toBe('kill_spawn resting: nobody is asked')
})

test('frozen, nobody hands its work over; held, no rule does', () => {
  const hold = (state: 'hold' | 'frozen') => ({ state, by: 'you', reason: 'we look at it', sinceWallAt: 0 })
  const held = agentRecord({ lifecycle: 'idle', hold: hold('hold') })
  const frozen = agentRecord({ lifecycle: 'idle', hold: hold('frozen') })
  const to = { model: 'steady' }
  expect(become(turnWith([frozen]), to, { isAsked: true })).toBe(`${AGENT} is frozen by you: we look at it`)
  expect(become(turnWith([held]), to)).toBe(`${AGENT} is held by you: we look at it`)
  expect(become(turnWith([held]), to, { isAsked: true })).toBe('kill_spawn resting: nobody is asked')
})

test.each<[HandoffTarget, HandoffWish['method'], string]>([
  [{ model: 'steady' }, 'kill_spawn', 'kill_spawn resting: nobody is asked'],
  [{ runtime: 'other' }, 'runtime_switch', 'runtime_switch resting: nobody is asked'],
  [{ model: 'steady' }, 'runtime_switch', `the method runtime_switch does not fit what ${AGENT} is to be handed to`],
  [{ runtime: 'other' }, 'kill_spawn', `the method kill_spawn does not fit what ${AGENT} is to be handed to`],
  [{ model: 'steady' }, 'specialist_wake', 'no specialist is named'],
  [toTests, 'context_cycle', 'a context cycle and a specialist exclude each other'],
])('a method fits its target: %j by %s', (to, method, becomes) => {
  expect(become(turnWith([rests]), to, { method, isAsked: true })).toBe(becomes)
})

test('on another runtime the model is the one that runs there', () => {
  const routing = { ...SETTINGS.routing, defaultModel: 'sonnet', runtimes: { sonnet: 'other' } }
  const turn = turnWith([agentRecord({ lifecycle: 'idle', model: 'steady' })], { ...SETTINGS, routing })
  become(turn, { runtime: 'other' }, { isAsked: true })
  expect(turn.world.agents.get(AGENT)?.handoff?.to).toEqual({ model: 'sonnet', runtime: 'other' })
})

test('a specialist is woken, asked about, or has no time', () => {
  const lender = agentRecord({ id: 'agent-pan-2', lent: { to: 'test-agent', handoff: 'h-1', at: 0, deadlineAt: 9 } })
  const cases: [agents: AgentRecord[], settings: Settings, becomes: string][] = [
    [[], SETTINGS, 'specialist_wake resting: nobody is asked'],
    [[specialist()], SETTINGS, 'specialist_wake resting: nobody is asked'],
    [[specialist({ lifecycle: 'idle' })], SETTINGS, 'specialist_wake resting: nobody is asked'],
    [[specialist({ lifecycle: 'suspended' })], SETTINGS, 'specialist_wake resting: nobody is asked'],
    [
      [],
      withSpecialist({ autoWake: false }),
      'specialist_wake awaiting_approval: specialists.test-agent.auto_wake is off',
    ],
    [[], withSpecialist({ runtime: 'codex' }), 'specialist_wake resting: nobody is asked'],
    [[], withSpecialist({ enabled: false }), 'test-agent takes no work'],
    [[specialist({ lifecycle: 'active' })], SETTINGS, 'test-agent works on something else'],
    [[specialist({ lifecycle: 'idle', echoUntilAt: 5 })], SETTINGS, 'test-agent works on something else'],
    [[specialist(), lender], SETTINGS, 'test-agent has the work of agent-pan-2'],
    [[specialist({ wanted: 'stop' })], SETTINGS, 'test-agent is stopped by a person: it was stopped'],
    [[specialist({ handoff: handoffRecord() })], SETTINGS, 'test-agent works on something else'],
  ]
  for (const [agents, settings, becomes] of cases) {
    expect(become(turnWith([rests, ...agents], settings), toTests)).toBe(becomes)
  }
  expect(become(turnWith([rests, specialist({ wanted: 'stop' })]), toTests, { isAsked: true })).toContain('resting')
})

test('a specialist that is promised to another is not free, nor is it by a yes that comes late; one is to be named', () => {
  const to = { ...handoffRecord().to, specialist: 'test-agent' }
  const other = (state: Handoff['state']) =>
    agentRecord({ id: 'agent-pan-2', handoff: handoffRecord({ id: 'h-1', method: 'specialist_wake', to, state }) })
  const isPromised = 'test-agent is to have the work of agent-pan-2 (h-1)'
  expect(become(turnWith([rests, other('saving')]), toTests)).toBe(isPromised)
  expect(become(turnWith([rests, other('awaiting_approval')]), toTests)).toContain('resting')
  const waiting = handoffRecord({ id: 'h-2', method: 'specialist_wake', to, state: 'awaiting_approval' })
  const late = turnWith([agentRecord({ lifecycle: 'idle', handoff: waiting }), other('proving')])
  expect(decideHandoff(late, 'you', { type: 'handoff.approve', handoff: 'h-2' })?.sentence).toBe(isPromised)
  expect(late.events).toEqual([])
  const unnamed = { method: 'specialist_wake', isAsked: true } as const
  expect(become(turnWith([rests]), {}, unnamed)).toBe('no specialist is named')
})

test('its work is with a specialist: what says that it is done brings it back, and nothing else changes hands', () => {
  const lent = { to: 'test-agent', handoff: 'h-1', at: 0, deadlineAt: 9 }
  const away = agentRecord({ lifecycle: 'idle', lent })
  const turn = () => turnWith([away, specialist({ lifecycle: 'active' })])
  expect(become(turn(), { model: 'sonnet' }, { trigger: 'tests_pass' })).toBe(
    'specialist_wake resting: nobody is asked',
  )
  expect(become(turn(), { model: 'opus' }, { trigger: 'stuck_escalation' })).toBe(
    `${AGENT} rests: test-agent has its work`,
  )
  expect(become(turn(), { model: 'opus' }, { trigger: 'manual', isAsked: true })).toBe(
    `${AGENT} rests: test-agent has its work`,
  )
})

test('done and helped are counted apart, and neither counts what was never begun', () => {
  const outcome = (recovered: 'yes' | 'no' | 'unknown') => ({
    outcome: { recovered, method: 'heartbeat' as const, wallAt: 1 },
  })
  const ended: Partial<Handoff>[] = [
    { state: 'done', ...outcome('yes') },
    { state: 'done', ...outcome('no') },
    { state: 'done', ...outcome('unknown') },
    { state: 'done', judgeAt: 9 },
    { state: 'rolled_back' },
    { state: 'needs_you' },
    ...(['refused', 'lapsed', 'cancelled'] as const).map((state) => ({ state })),
    { state: 'cancelled', hasEndedOld: true },
  ]
  const handoffs = ended.map((each, n) => handoffRecord({ id: `h-${n + 1}`, startedWallAt: n, ...each }))
  const { world } = turnWith([
    agentRecord({ handoffs, handoff: handoffRecord({ id: 'h-99', state: 'proving', startedWallAt: 99 }) }),
  ])
  const { operation, recovery, total, handoffs: shown } = handoffsView(world, { limit: 100 })
  expect({ operation, recovery, total }).toEqual({
    operation: { good: 4, of: 7, share: 4 / 7 },
    recovery: { good: 1, of: 2, share: 1 / 2 },
    total: 11,
  })
  expect(
    shown.map(({ id, success, outcome: helped }) => [id, success, helped?.verified, helped?.agentRecovered]),
  ).toEqual([
    ['h-99', false, undefined, undefined],
    ['h-10', false, undefined, undefined],
    ['h-9', false, undefined, undefined],
    ['h-8', false, undefined, undefined],
    ['h-7', false, undefined, undefined],
    ['h-6', false, undefined, undefined],
    ['h-5', false, undefined, undefined],
    ['h-4', true, false, false],
    ['h-3', true, false, false],
    ['h-2', true, true, false],
    ['h-1', true, true, true],
  ])
})

test.each([
  [true, undefined],
  [undefined, expect.stringContaining('your work is not handed over after all')],
] as const)('its old session goes on; one that rested before (%s) is told nothing', (wasAtRest, prompt) => {
  const from = { model: 'sonnet', runtime: 'virtual', generation: 1, sessionId: 's-1' }
  const rest = wasAtRest === undefined ? {} : { wasAtRest }
  const handoff = handoffRecord({ state: 'rolling_back', from, ...rest })
  const agent = agentRecord({ lifecycle: 'stopped', generation: 2, model: 'opus', handoff })
  const turn = turnWith([agent])
  expect(seeRollBack(turn, agent, handoff)).toBeUndefined()
  const [effect] = turn.effects
  expect(effect).toMatchObject({ type: 'session.resume', session: 's-1' })
  expect(effect?.type === 'session.resume' ? effect.prompt : 'none').toEqual(prompt)
})

test('one that is cut short after the old session was ended says where that and its work are', () => {
  const from = { model: 'sonnet', runtime: 'virtual', generation: 1, sessionId: 's-1' }
  const given = { state: 'proving', from, salvage: 'refs/cloister/agent-pan-18/1-1' } as const
  const hints = ([true, undefined] as const).map((hasEndedOld) => {
    const handoff = handoffRecord({ ...given, ...(hasEndedOld === undefined ? {} : { hasEndedOld }) })
    const turn = turnWith([agentRecord({ generation: 2, model: 'opus', handoff })])
    const agent = turn.world.agents.get(AGENT)
    if (agent !== undefined) endHandoff(turn, agent, { result: 'cancelled', detail: 'an emergency stop came' })
    return turn.world.agents.get(AGENT)?.needsYou.map(({ hint }) => hint)
  })
  expect(hints).toEqual([
    [expect.stringMatching(/^Its old session is s-1, its work then is refs\/cloister\/agent-pan-18\/1-1/)],
    [],
  ])
})
