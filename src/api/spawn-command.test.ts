import { expect, test } from 'vitest'
import type { AgentView, SpawnBody } from '../contract/views.ts'
import { spawnCommand } from './spawn-command.ts'

const KNOWN = {
  id: 'agent-pan-7',
  kind: 'issue',
  issue: 'pan-7',
  title: 'The cart',
  workspace: '/work/pan-7',
  runtime: 'codex',
  model: 'opus',
} as AgentView

const deps = {
  agent: (id: string) => (id === KNOWN.id ? KNOWN : undefined),
  spawnDefaults: () => ({
    runtime: 'claude-code',
    model: 'sonnet',
    specialists: ['merge-agent'],
    choose: (title: string) => ({ model: 'haiku', why: `it is about ${title}.` }),
  }),
}

const fresh = { type: 'agent.spawn', workspace: '/here', runtime: 'claude-code', model: 'sonnet', simulated: false }
const again = { type: 'agent.spawn', agent: 'agent-pan-7', kind: 'issue', issue: 'pan-7', title: 'The cart' }

test.each<[SpawnBody, object]>([
  [{ id: 'pan-18' }, { ...fresh, agent: 'agent-pan-18', kind: 'issue', issue: 'pan-18' }],
  [{ id: 'agent-pan-18' }, { ...fresh, agent: 'agent-pan-18', kind: 'issue', issue: 'pan-18' }],
  [{ issue: 'pan-18' }, { ...fresh, agent: 'agent-pan-18', kind: 'issue', issue: 'pan-18' }],
  [
    { id: 'bob', issue: 'pan-18' },
    { ...fresh, agent: 'bob', kind: 'issue', issue: 'pan-18' },
  ],
  [{ project: 'shop' }, { ...fresh, agent: 'shop-ps', kind: 'project', project: 'shop' }],
  [{ id: 'merge-agent' }, { ...fresh, agent: 'merge-agent', kind: 'specialist' }],
  [
    { id: 'try', runtime: 'understudy', prompt: 'Go' },
    {
      ...fresh,
      agent: 'agent-try',
      kind: 'issue',
      issue: 'try',
      runtime: 'understudy',
      simulated: true,
      prompt: 'Go',
    },
  ],
  [{ id: 'pan-7' }, { ...again, workspace: '/work/pan-7', runtime: 'codex', model: 'opus', simulated: false }],
  [
    { id: 'agent-pan-7', workspace: '/else', model: 'haiku' },
    { ...again, workspace: '/else', runtime: 'codex', model: 'haiku', simulated: false },
  ],
])('%j becomes a whole command', (body, command) => {
  expect(spawnCommand({ cwd: '/here', ...body }, deps)).toEqual({ command })
})

test('a model is chosen by the title where none is named', () => {
  const body: SpawnBody = { id: 'pan-18', cwd: '/here', title: 'a typo', auto: true }
  expect(spawnCommand(body, deps)).toMatchObject({
    command: { model: 'haiku', runtime: 'claude-code' },
    chosen: { model: 'haiku', why: 'it is about a typo.' },
  })
  expect(spawnCommand({ ...body, model: 'opus' }, deps)).not.toHaveProperty('chosen')
})

test.each<[SpawnBody, string]>([
  [{ cwd: '/here' }, 'It is not said who is to be started'],
  [{ id: 'pan-18' }, 'There is no workspace for agent-pan-18'],
])('%j is refused', (body, sentence) => {
  expect(spawnCommand(body, deps)).toMatchObject({ refusal: { code: 'invalid', sentence } })
})
