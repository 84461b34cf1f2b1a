import { expect, test } from 'vitest'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import { unknownRoutes } from './unknown-routes.ts'

const capabilities = new Map([['claude-code', { models: { names: ['opus', 'sonnet', 'haiku'], family: 'claude' } }]])
const { routing } = SETTINGS

test('a route to a model that its runtime refuses is said, and no other', () => {
  expect(unknownRoutes({ capabilities, settings: { routing } })).toEqual([])
  const byComplexity = {
    ...routing.byComplexity,
    medium: 'gpt-9',
    simple: { model: 'gpt-5-mini', runtime: 'codex' },
  }
  expect(unknownRoutes({ capabilities, settings: { routing: { ...routing, byComplexity } } })).toEqual([
    'model_selection.complexity_routing.medium is refused when it is used: claude-code knows no model called gpt-9. ' +
      'It knows opus, sonnet, haiku and every id with «claude» in it. Should it have another one, name it: ' +
      '`pan config set runtimes.model_routing.gpt-9 claude-code`.',
  ])
})
