import { expect, test } from 'vitest'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import { unknownModel } from './known-models.ts'

const models = { names: ['opus', 'sonnet', 'haiku', 'default'], family: 'claude' }
const { routing } = SETTINGS
const known = {
  capabilities: new Map([
    ['claude-code', { models }],
    ['understudy', {}],
  ]),
  settings: {
    routing: {
      ...routing,
      tiers: { ...routing.tiers, haiku: 'house-small' },
      runtimes: { ...routing.runtimes, 'house-large': 'claude-code' },
    },
  },
}

test.each<[string, string, boolean]>([
  ['sonnet', 'claude-code', true],
  ['Sonnet[1m]', 'claude-code', true],
  ['cheap', 'claude-code', true],
  ['claude-opus-9-9', 'claude-code', true],
  ['us.anthropic.claude-sonnet-5-v1:0', 'claude-code', true],
  ['house-small', 'claude-code', true],
  ['house-large', 'claude-code', true],
  ['gpt-4', 'claude-code', false],
  ['gpt-9', 'claude-code', false],
  ['sonet', 'claude-code', false],
  // Its scripts lie in files, which are looked at before anything is done.
  ['gpt-9', 'understudy', true],
])('%s in %s', (model, runtime, expected) => {
  expect(unknownModel(known, { model, runtime }) === undefined).toBe(expected)
})

test('what it knows is said, and how another one is made known', () => {
  expect(unknownModel(known, { model: 'gpt-9', runtime: 'claude-code' })).toEqual({
    code: 'invalid',
    sentence: 'claude-code knows no model called gpt-9',
    hint:
      'It knows opus, sonnet, haiku, default and every id with «claude» in it. ' +
      'Should it have another one, name it: `pan config set runtimes.model_routing.gpt-9 claude-code`.',
  })
})
