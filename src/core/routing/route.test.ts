import { expect, test } from 'vitest'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import type { WorkRoute } from '../../contract/tasks.ts'
import type { Work } from './complexity.ts'
import { routeOf, runtimeOf } from './route.ts'
import { modelIdOf, modelOf, startedAs, tierOf } from './tiers.ts'

const { routing } = SETTINGS
const { tiers } = routing

type Sketch = [Partial<Work>, string | undefined, Partial<WorkRoute>]

test.each<Sketch>([
  [
    { title: 'Fix a typo in the docs' },
    undefined,
    {
      model: 'haiku',
      tier: 'haiku',
      modelId: tiers.haiku,
      modelBy: 'complexity',
      runtime: 'claude-code',
      runtimeBy: 'model',
      why: '«typo» stands in its title, so it is simple, which haiku does.',
    },
  ],
  [
    { title: '' },
    undefined,
    { model: 'sonnet', why: 'nothing about it says otherwise, so it is medium, which sonnet does.' },
  ],
  [{ tags: ['security'] }, undefined, { model: 'opus', tier: 'opus', complexity: 'expert', decidedBy: 'tags' }],
  [
    { tags: ['docs'], suggestedModel: 'opus' },
    undefined,
    { model: 'opus', modelBy: 'task', complexity: 'trivial', why: 'the task itself asks for opus.' },
  ],
  [{ suggestedModel: 'rm -rf /' }, undefined, { model: 'sonnet', modelBy: 'complexity' }],
  [
    { suggestedModel: 'gpt-4' },
    undefined,
    { model: 'gpt-4', modelId: 'gpt-4', modelBy: 'task', runtime: 'codex', runtimeBy: 'model' },
  ],
  [
    { tags: ['security'], suggestedModel: 'opus' },
    'test-agent',
    { model: 'haiku', modelBy: 'specialist', why: 'test-agent is set to haiku.' },
  ],
  [{}, 'nobody', { model: 'sonnet', modelBy: 'complexity' }],
  [{}, 'toString', { model: 'sonnet', modelBy: 'complexity' }],
])('%j for %s', (work, specialist, route) => {
  expect(routeOf({ title: '', ...work }, routing, specialist)).toMatchObject(route)
})

test('a route and a specialist may name a runtime; «cheap» is what the settings say', () => {
  const own = {
    ...routing,
    byComplexity: {
      ...routing.byComplexity,
      medium: { model: 'deepseek-v3', runtime: 'claude-code' },
      simple: 'cheap',
    },
    specialists: { 'my-agent': { model: 'cheap', runtime: 'codex', enabled: true, autoWake: true } },
    tiers: { ...tiers, cheap: 'qwen3-coder' },
  }
  const brief = ({ model, modelId, tier, runtime, runtimeBy }: WorkRoute) => [model, modelId, tier, runtime, runtimeBy]
  expect(brief(routeOf({ title: 'A feature' }, own))).toEqual([
    'deepseek-v3',
    'deepseek-v3',
    undefined,
    'claude-code',
    'route',
  ])
  expect(brief(routeOf({ title: 'rename' }, own))).toEqual(['qwen3-coder', 'qwen3-coder', 'cheap', 'opencode', 'model'])
  expect(brief(routeOf({ title: '' }, own, 'my-agent'))).toEqual([
    'qwen3-coder',
    'qwen3-coder',
    'cheap',
    'codex',
    'specialist',
  ])
  expect(runtimeOf('some-model', own)).toEqual({ runtime: 'claude-code', runtimeBy: 'default' })
})

test.each([
  ['opus', 'opus'],
  ['cheap', 'haiku'],
  [tiers.sonnet, 'sonnet'],
  ['claude-opus-4-1-20250805', 'opus'],
  ['us.anthropic.claude-haiku-4-5-v1:0', 'haiku'],
  ['claude-sonnet-5[1m]', 'sonnet'],
  ['gpt-4', undefined],
  ['my-opus', undefined],
])('%s is of the tier %s', (model, tier) => {
  expect(tierOf(model, tiers)).toBe(tier)
})

test.each([
  ['sonnet', 'sonnet', tiers.sonnet],
  ['cheap', 'haiku', tiers.haiku],
  ['gpt-4', 'gpt-4', 'gpt-4'],
])('%s is started as %s and stands for %s', (name, model, id) => {
  expect([modelOf(name, tiers), modelIdOf(name, tiers)]).toEqual([model, id])
})

test.each([
  ['sonnet', 'sonnet'],
  ['opus', 'claude-opus-4-1'],
  ['cheap', 'haiku'],
  ['gpt-4', 'gpt-4'],
])('with a tier of your own %s is started as %s', (name, model) => {
  expect(startedAs(name, { ...tiers, opus: 'claude-opus-4-1' })).toBe(model)
})
