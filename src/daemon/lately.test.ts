import { expect, test } from 'vitest'
import type { Input } from '../core/inputs.ts'
import { createWorld } from '../core/world.ts'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { Lately } from './lately.ts'

function house(ids: readonly string[], mostBytes?: number) {
  const world = createWorld(SETTINGS, { agents: ids.map((id) => agentRecord({ id, run: id })) })
  const lately = new Lately(world, mostBytes)
  let n = 0
  const report = (agent: string, text = ''): Input => {
    n += 1
    const sighting = { agent, generation: 1, witness: 'hook' as const, stamp: `${n} ${text}` }
    const input: Input = { id: `i${n}`, wallAt: n, monoAt: n, type: 'report', sighting }
    lately.note(input)
    return input
  }
  const kept = (id: string) => lately.of(id).flatMap(({ inputs }) => inputs)
  return { world, lately, report, kept }
}

test('at least the last 200 inputs are kept, and not more than 300', () => {
  const { lately, report, kept } = house(['a'])
  const told = Array.from({ length: 1_050 }, () => report('a'))
  expect(kept('a')).toEqual(told.slice(-250))
  expect(lately.of('a')).toHaveLength(3)
})

test('of a look each agent has its own part, and what concerns nobody is not kept', () => {
  const { lately, kept } = house(['a', 'b', 'c'])
  const of = (agent: string) => ({ agent, generation: 1, witness: 'process' as const, alive: true })
  const stamp = { id: 'l', wallAt: 1, monoAt: 1 }
  lately.note({ ...stamp, type: 'look', sentinel: false, sightings: [of('a'), of('b'), of('a')] })
  lately.note({ ...stamp, type: 'tick', lateMs: 0 })
  lately.note({ ...stamp, type: 'report', sighting: of('nobody') })
  expect(kept('a')).toEqual([{ ...stamp, type: 'look', sentinel: false, sightings: [of('a'), of('a')] }])
  expect([kept('b').length, kept('c').length, kept('nobody').length]).toEqual([1, 0, 0])
})

test('all together is bounded, and who was silent for longest is forgotten first', () => {
  const { report, kept } = house(['a', 'b'], 20_000)
  report('a')
  for (let n = 0; n < 30; n += 1) report('b', 'x'.repeat(1000))
  expect([kept('a').length, kept('b').length]).toEqual([0, 30])
})

test('many bytes make short segments', () => {
  const { lately, report } = house(['a'])
  for (let n = 0; n < 60; n += 1) report('a', 'x'.repeat(20_000))
  expect(lately.of('a').map(({ inputs }) => inputs.length)).toEqual([7, 7, 4])
})
