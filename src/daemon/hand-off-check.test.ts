import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { HandoffTarget } from '../contract/handoffs.ts'
import { createWorld } from '../core/world.ts'
import { handoffCheck } from './hand-off-check.ts'

const routing = { ...SETTINGS.routing, defaultModel: 'sonnet', runtimes: {}, defaultRuntime: 'other' }
const world = createWorld({ ...SETTINGS, routing }, { agents: [agentRecord({ model: 'steady' })] })
const runtimes = new Map([
  ['virtual', { check: async ({ model }: { model: string }) => (model === 'opus' ? [] : [`There is no ${model}.`]) }],
  ['other', { check: async ({ model }: { model: string }) => [`${model} is not installed.`] }],
])
const NOTHING_DONE = 'Nothing was done to it. Mend that, or name another model or runtime.'

test.each<[to: HandoffTarget, sentence: string | undefined]>([
  [{ model: 'opus' }, undefined],
  [{ model: 'nosuch' }, 'agent-pan-18 cannot go on with nosuch in virtual: There is no nosuch'],
  [{ runtime: 'other' }, 'agent-pan-18 cannot go on with sonnet in other: sonnet is not installed'],
  [{ runtime: 'other', model: 'm-1' }, 'agent-pan-18 cannot go on with m-1 in other: m-1 is not installed'],
  [{ runtime: 'unheard-of' }, undefined],
  [{ specialist: 'test-agent' }, undefined],
  [{}, undefined],
])('whether a successor could be started is known before: %j', async (to, sentence) => {
  const refusal = sentence === undefined ? undefined : { code: 'conflict', sentence, hint: NOTHING_DONE }
  expect(await handoffCheck(world, runtimes, { agent: 'agent-pan-18', to })).toEqual(refusal)
})
