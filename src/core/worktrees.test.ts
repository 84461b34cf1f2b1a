import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { Command } from '../contract/commands.ts'
import type { AgentRecord } from '../contract/records.ts'
import { step } from './step.ts'
import { createWorld } from './world.ts'

const STAMP = { id: 'i-1', wallAt: 0, monoAt: 0 }
const OWNED = { workspace: '/real/work', worktree: '/real/work' }

type Spawn = Extract<Command, { type: 'agent.spawn' }>

function spawned(other: Partial<AgentRecord>, given: Partial<Spawn> = {}): string {
  const world = createWorld(SETTINGS, { agents: [agentRecord({ ...OWNED, ...other })] })
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
    ['a specialist owns none', { kind: 'specialist' }, {}, 'go'],
    ['a specialist is sent there', {}, { kind: 'specialist' }, 'go'],
    ['of old records only the path is known', { worktree: undefined as never }, {}, TAKEN],
  ])('%s', (_, other, given, expected) => {
    expect(spawned(other, given)).toBe(expected)
  })
})
