import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { Command } from '../contract/commands.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Capabilities } from './runtime-port.ts'
import { step } from './step.ts'
import { createWorld } from './world.ts'

const CAN: Capabilities = {
  ...{ resume: true, interrupt: true, clear: true, softStop: true, ask: true, confirmsText: true, usage: true },
}
const RUNTIMES = { capabilities: new Map([['virtual', CAN]]) }
const STAMP = { id: 'i-1', wallAt: 0, monoAt: 0 }
const OWNED = { workspace: '/real/work', worktree: '/real/work' }

type Spawn = Extract<Command, { type: 'agent.spawn' }>

function spawned(other: Partial<AgentRecord>, given: Partial<Spawn> = {}): string {
  const world = createWorld(SETTINGS, { agents: [agentRecord({ ...OWNED, ...other })] }, RUNTIMES)
  step(world, { ...STAMP, type: 'boot', openEffects: 0 })
  const command: Spawn = {
    type: 'agent.spawn',
    agent: 'agent-pan-19',
    kind: 'issue',
    ...OWNED,
    runtime: 'virtual',
    model: 'sonnet',
    simulated: true,
    ...given,
  }
  const { reply } = step(world, { ...STAMP, type: 'command', by: 'you', command })
  return reply?.ok === false ? `${reply.refusal.code}: ${reply.refusal.sentence}` : 'go'
}

/** A stopped agent is woken while another one is in its worktree. */
function resumed(other: Partial<AgentRecord>): string {
  const stopped = agentRecord({ ...OWNED, id: 'agent-pan-19', lifecycle: 'stopped', sessionId: 'session-1' })
  const agents = [agentRecord({ ...OWNED, ...other }), stopped]
  const world = createWorld(SETTINGS, { agents }, RUNTIMES)
  step(world, { ...STAMP, type: 'boot', openEffects: 0 })
  const command = { type: 'agent.resume', agent: 'agent-pan-19' } as const
  const { reply } = step(world, { ...STAMP, type: 'command', by: 'you', command })
  return reply?.ok === false ? `${reply.refusal.code}: ${reply.refusal.sentence}` : 'go'
}

const TAKEN = 'conflict: agent-pan-19 is not started: agent-pan-18 owns the worktree /real/work'

describe('a worktree has one owner', () => {
  test.each<[string, Partial<AgentRecord>, Partial<Spawn>, string]>([
    ['one that works', {}, {}, TAKEN],
    ['one that is idle', { lifecycle: 'idle' }, {}, TAKEN],
    ['one that sleeps', { lifecycle: 'suspended' }, {}, TAKEN],
    ['one that is stopped', { lifecycle: 'stopped' }, {}, 'go'],
    ['another folder of the same worktree', {}, { workspace: '/real/work/deep' }, TAKEN],
    ['another name of the same folder', {}, { workspace: '/linked' }, TAKEN],
    ['another worktree', {}, { workspace: '/real/more', worktree: '/real/more' }, 'go'],
    ['a project agent', { kind: 'project' }, {}, TAKEN],
    ['a specialist owns none', { kind: 'specialist', lifecycle: 'idle' }, {}, 'go'],
    ['a specialist that works there', { kind: 'specialist' }, {}, TAKEN.replace('owns', 'works in')],
    ['a specialist is sent there', {}, { kind: 'specialist' }, 'go'],
    ['of old records only the path is known', { worktree: undefined as never }, {}, TAKEN],
  ])('%s', (_, other, given, expected) => {
    expect(spawned(other, given)).toBe(expected)
  })

  test.each<[string, Partial<AgentRecord>, string]>([
    ['one that works', {}, TAKEN],
    ['one that sleeps', { lifecycle: 'suspended' }, TAKEN],
    ['one that is stopped', { lifecycle: 'stopped' }, 'go'],
  ])('also when a session is resumed: %s', (_, other, expected) => {
    expect(resumed(other)).toBe(expected)
  })
})

test('whoever moves to another workspace leaves its worktree behind', () => {
  const world = createWorld(SETTINGS, { agents: [agentRecord({ ...OWNED, lifecycle: 'stopped' })] }, RUNTIMES)
  step(world, { ...STAMP, type: 'boot', openEffects: 0 })
  const identity = { kind: 'issue', runtime: 'virtual', model: 'sonnet', simulated: true } as const
  const command = { type: 'agent.spawn', agent: 'agent-pan-18', ...identity, workspace: '/plain' } as const
  step(world, { ...STAMP, type: 'command', by: 'you', command })
  const { workspace, worktree } = world.agents.get('agent-pan-18') ?? {}
  expect({ workspace, worktree }).toEqual({ workspace: '/plain', worktree: undefined })
})

test('an unknown runtime is refused with those that there are, and nobody is registered', () => {
  const world = createWorld(SETTINGS, {}, RUNTIMES)
  step(world, { ...STAMP, type: 'boot', openEffects: 0 })
  const identity = {
    kind: 'project',
    project: 'p',
    workspace: '/w',
    runtime: 'foo',
    model: 'm',
    simulated: false,
  } as const
  const command = { type: 'agent.spawn', agent: 'agent-1', ...identity } as const
  expect(step(world, { ...STAMP, type: 'command', by: 'you', command }).reply).toEqual({
    ok: false,
    refusal: { code: 'invalid', sentence: 'there is no runtime called foo', hint: 'There are: virtual.' },
  })
  expect(world.agents.size).toBe(0)
})
