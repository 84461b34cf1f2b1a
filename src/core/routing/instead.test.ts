import { expect, test } from 'vitest'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import type { WorkRoute } from '../../contract/tasks.ts'
import { insteadOf } from './instead.ts'
import { routeOf } from './route.ts'

const { routing } = SETTINGS
const cheap = { tiers: { ...routing.tiers, cheap: 'deepseek-v3' } }

type Given = Parameters<typeof insteadOf>[0]

test.each<[Given, WorkRoute['instead']]>([
  [{ model: 'sonnet', runtime: 'claude-code' }, undefined],
  [{ model: 'steady', runtime: 'understudy' }, undefined],
  [
    { model: 'opus', runtime: 'codex', complexity: 'simple' },
    {
      model: 'opus',
      runtime: 'claude-code',
      why: 'the runtime codex is not there yet, so that opus in claude-code is started instead',
    },
  ],
  [
    { model: 'deepseek-v3', runtime: 'opencode', complexity: 'simple' },
    {
      model: 'haiku',
      runtime: 'claude-code',
      why: 'the runtime opencode is not there yet, so that haiku in claude-code is started instead',
    },
  ],
  [
    { model: 'gpt-4', runtime: 'codex', complexity: 'expert' },
    {
      model: 'opus',
      runtime: 'claude-code',
      why: 'the runtime codex is not there yet, so that opus in claude-code is started instead',
    },
  ],
  [
    { model: 'o1', runtime: 'codex' },
    {
      model: 'sonnet',
      runtime: 'claude-code',
      why: 'the runtime codex is not there yet, so that sonnet in claude-code is started instead',
    },
  ],
])('%j', (given, expected) => {
  expect(insteadOf(given, cheap)).toEqual(expected)
})

test('a route says it, and one that can be gone does not', () => {
  const byComplexity = { ...routing.byComplexity, expert: { model: 'opus', runtime: 'codex' } }
  const work = { title: '', tags: ['security'] }
  expect(routeOf(work, { ...routing, byComplexity })).toMatchObject({
    runtime: 'codex',
    instead: { model: 'opus', runtime: 'claude-code' },
  })
  expect(routeOf(work, routing)).not.toHaveProperty('instead')
})
