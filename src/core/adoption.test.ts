import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { Adopted } from '../contract/adopted.ts'
import type { Command } from '../contract/commands.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { ActKind, Precedence } from '../contract/acts.ts'
import { barred } from './adoption.ts'
import { arbitrate } from './arbitrate.ts'
import { step } from './step.ts'
import { createWorld, setAgent } from './world.ts'

const PANE = { socket: '/tmp/tmux-1000/default', server: { pid: 10, startTime: 20 }, id: '%3' }
const LEADER = { pid: 4711, startTime: 99, boot: 'b1' }

function own(given: Partial<Adopted> = {}, more: Partial<AgentRecord> = {}): AgentRecord {
  const adopted = { pane: PANE, leader: LEADER, allow: [], ...given }
  return agentRecord({ id: 'own-shop', sessionId: 's-1', adopted, ...more })
}

const RULE = 'own-shop was adopted: nothing is done to it by itself'

test.each<[string, AgentRecord, ActKind, Precedence, string | undefined]>([
  ['an agent of ours', agentRecord(), 'kill', 'stuck', undefined],
  ['a rule pokes', own({ allow: ['message', 'kill'] }), 'poke', 'stuck', RULE],
  ['a rule kills', own({ allow: ['message', 'kill'] }), 'kill', 'budget', RULE],
  ['a rule suspends', own(), 'suspend', 'idle', RULE],
  ['a rule restarts', own(), 'spawn', 'crash', RULE],
  ['a message', own({ allow: ['message'] }), 'message', 'human', undefined],
  [
    'a message, not allowed',
    own({ allow: ['kill'] }),
    'message',
    'human',
    'own-shop was adopted and may not be sent messages',
  ],
  [
    'a message without a pane',
    agentRecord({ id: 'own-shop', adopted: { leader: LEADER, allow: ['message'] } }),
    'message',
    'human',
    'own-shop runs in no tmux pane, so that nothing can be typed to it',
  ],
  ['a kill', own({ allow: ['kill'] }), 'kill', 'human', undefined],
  ['a kill, not allowed', own({ allow: ['message'] }), 'kill', 'human', 'own-shop was adopted and may not be killed'],
  ['a restore', own(), 'restore', 'human', undefined],
  ...(['poke', 'answer', 'suspend', 'interrupt', 'rest', 'clear', 'switch', 'resume', 'spawn'] as const).map(
    (kind): [string, AgentRecord, ActKind, Precedence, string] => [
      `a person's ${kind}`,
      own({ allow: ['message', 'kill'] }),
      kind,
      'human',
      `own-shop was adopted: ${kind === 'answer' || kind === 'interrupt' ? 'an' : 'a'} ${kind} is never done to it`,
    ],
  ),
])('%s', (_, agent, kind, precedence, sentence) => {
  expect(barred(agent, { kind, precedence })?.sentence).toBe(sentence)
})

test('arbitration asks it first', () => {
  const world = createWorld(SETTINGS)
  const agent = own()
  setAgent(world, agent)
  const proposal = {
    kind: 'poke',
    precedence: 'stuck',
    by: 'attention',
    reason: 'r',
    citations: [],
    text: 't',
  } as const
  expect(arbitrate(world, agent, { ...proposal, citations: [] })).toEqual({
    go: false,
    refusal: { code: 'conflict', sentence: RULE, hint: 'See it with `pan agents show own-shop`.' },
  })
})

type Adoption = Extract<Command, { type: 'agent.adopt' }>

function adoption(given: Partial<Adoption> = {}): Adoption {
  return {
    type: 'agent.adopt',
    agent: 'own-shop',
    kind: 'project',
    workspace: '/work',
    runtime: 'virtual',
    model: 'sonnet',
    simulated: true,
    adopted: { pane: PANE, leader: LEADER, allow: [] },
    sessionId: 's-1',
    ...given,
  }
}

function take(command: Command, ...agents: AgentRecord[]) {
  const world = createWorld(SETTINGS)
  for (const agent of agents) setAgent(world, agent)
  const { reply, effects } = step(world, { id: 'i-1', wallAt: 0, monoAt: 0, type: 'command', by: 'you', command })
  const said = reply?.ok === false ? reply.refusal.sentence : undefined
  return { said, effects, agent: world.agents.get('own-shop') }
}

const OTHER = { ...LEADER, startTime: 100 }

test.each<[string, AgentRecord[], string | undefined]>([
  ['a new one', [], undefined],
  ['the same leader', [own({}, { id: 'own-desk' })], 'That session is adopted already, as own-desk'],
  ['the same pid and pane, another process', [own({ leader: OTHER }, { id: 'own-desk' })], undefined],
  [
    'the same pid after a restart of the machine',
    [own({ leader: { ...LEADER, boot: 'b0' } }, { id: 'own-desk' })],
    undefined,
  ],
  ['one that is over', [own({}, { id: 'own-desk', lifecycle: 'stopped' })], undefined],
  [
    'the session of one of ours',
    [agentRecord({ sessionId: 's-1' })],
    'That session is open in agent-pan-18, which Cloister started',
  ],
  [
    'a name that is taken',
    [agentRecord({ id: 'own-shop', lifecycle: 'stopped' })],
    'There is an agent own-shop already',
  ],
])('adopting %s', (_, agents, sentence) => {
  const { said, effects } = take(adoption(), ...agents)
  expect({ said, effects }).toEqual({ said: sentence, effects: [] })
})

test.each([
  [undefined, 'active'],
  [false, 'active'],
  [true, 'idle'],
] as const)('one that rests (%s) is %s', (rests, lifecycle) => {
  const { agent } = take(adoption(rests === undefined ? {} : { rests }))
  expect(agent).toMatchObject({ lifecycle, generation: 1, run: 'a-i-1', pid: 4711, sessionId: 's-1', startedAt: 0 })
})

test('it is released while it lives, and nothing is done to it', () => {
  expect(take({ type: 'agent.forget', agent: 'own-shop' }, own())).toEqual({
    said: undefined,
    effects: [],
    agent: undefined,
  })
})
