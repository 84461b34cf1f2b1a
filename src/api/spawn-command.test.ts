import { expect, test } from 'vitest'
import type { AgentView } from '../contract/views.ts'
import type { SpawnBody } from '../contract/bodies.ts'
import type { Choosing } from './deps.ts'
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
    model: 'sonnet',
    runtimeOf: (model: string) => (model === 'gpt-4' ? 'codex' : 'claude-code'),
    specialists: ['merge-agent'],
    choose: async ({ title, specialist, workspace }: Choosing) => ({
      model: 'haiku',
      why: `it is about ${title} in ${workspace}.`,
      ...(specialist === undefined ? {} : { model: 'opus', runtime: 'opencode' }),
    }),
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
  [
    { id: 'pan-18', model: 'gpt-4' },
    { ...fresh, agent: 'agent-pan-18', kind: 'issue', issue: 'pan-18', model: 'gpt-4', runtime: 'codex' },
  ],
  [
    { id: 'merge-agent', model: 'haiku' },
    { ...fresh, agent: 'merge-agent', kind: 'specialist', model: 'haiku' },
  ],
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
])('%j becomes a whole command', async (body, command) => {
  expect(await spawnCommand({ cwd: '/here', ...body }, deps)).toEqual({ command })
})

test('a model is chosen where none is named', async () => {
  const body: SpawnBody = { id: 'pan-18', cwd: '/here', title: 'a typo', auto: true }
  expect(await spawnCommand(body, deps)).toMatchObject({
    command: { model: 'haiku', runtime: 'claude-code' },
    chosen: { model: 'haiku', why: 'it is about a typo in /here.' },
  })
  expect(await spawnCommand({ ...body, model: 'opus' }, deps)).not.toHaveProperty('chosen')
})

test('one that is known stays in its program when only a model is chosen for it', async () => {
  const { command } = (await spawnCommand({ id: 'pan-7', auto: true }, deps)) as { command: object }
  expect(command).toMatchObject({ model: 'haiku', runtime: 'codex' })
})

test('a new specialist has its model by the settings', async () => {
  expect(await spawnCommand({ id: 'merge-agent', cwd: '/here' }, deps)).toMatchObject({
    command: { agent: 'merge-agent', kind: 'specialist', model: 'opus', runtime: 'opencode' },
  })
})

test.each<[SpawnBody, string]>([
  [{ cwd: '/here' }, 'It is not said who is to be started'],
  [{ id: 'pan-18' }, 'There is no workspace for agent-pan-18'],
])('%j is refused', async (body, sentence) => {
  expect(await spawnCommand(body, deps)).toMatchObject({ refusal: { code: 'invalid', sentence } })
})
