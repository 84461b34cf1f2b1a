import { expect, test } from 'vitest'
import { runTokens } from './run-token.ts'

const handle = { agent: 'agent-pan-18', generation: 3, run: 'run-7' }
const tokens = runTokens('secret', 'h1')

test('a token tells whose it is, and nobody else can make one', () => {
  const token = tokens.tokenOf(handle)
  expect(token).toMatch(/^run\.agent-pan-18\.3\.run-7\.[0-9a-f]{64}$/)
  expect(tokens.handleOf(token)).toEqual(handle)
})

test.each([
  ['of another home', runTokens('secret', 'h2').tokenOf(handle)],
  ['of another secret', runTokens('other', 'h1').tokenOf(handle)],
  ['for another agent', tokens.tokenOf(handle).replace('pan-18', 'pan-19')],
  ['for another generation', tokens.tokenOf(handle).replace('.3.', '.4.')],
  ['for another run', tokens.tokenOf(handle).replace('run-7', 'run-8')],
  ['with parts moved', tokens.tokenOf({ ...handle, agent: 'a', run: 'b-1' }).replace('a.3.b-1', 'b-1.3.a')],
  ['with a generation written otherwise', tokens.tokenOf(handle).replace('.3.', '.03.')],
  ['cut short', tokens.tokenOf(handle).slice(0, -1)],
  ['with more behind', `${tokens.tokenOf(handle)}0`],
  ['with an id that is none', tokens.tokenOf({ ...handle, agent: '../x' })],
  ['empty', ''],
  ['without a proof', 'run.agent-pan-18.3.run-7.'],
])('a token %s opens nothing', (_, token) => {
  expect(tokens.handleOf(token)).toBeUndefined()
})
