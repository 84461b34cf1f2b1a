import { describe, expect, test } from 'vitest'
import { quiet, VirtualClock } from '../../tests/fakes/virtual-clock.ts'
import { VirtualFleet } from '../../tests/fakes/virtual-fleet.ts'
import { virtualRuntime } from '../../tests/fakes/virtual-runtime.ts'
import type { Effect } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import { SECOND } from '../core/durations.ts'
import { agentRecord } from '../../tests/samples/agents.ts'
import { Actor } from './act.ts'
import { Keyboards } from './keyboards.ts'

function stage(given: Partial<AgentRecord> = {}, keyboards = new Keyboards()) {
  const clock = new VirtualClock(0)
  const fleet = new VirtualFleet(clock)
  const agent = agentRecord({ id: 'agent-1', run: 'r-1', ...given })
  const runtimes = new Map([[virtualRuntime.name, virtualRuntime]])
  const ports = { clock, terminal: fleet, processes: fleet, git: fleet, mailbox: fleet, runtimes, keyboards }
  const actor = new Actor(ports, new Map([[agent.id, agent]]))
  return { fleet, actor, agent, clock }
}

const on = { id: 'e-1', agent: 'agent-1', generation: 1 }
const spawn: Effect = { ...on, type: 'session.spawn', run: 'r-1' }
const type: Effect = { ...on, type: 'session.type', text: 'hello\u001b[201~', nonce: 'e-1' }
const salvage: Effect = { ...on, type: 'work.salvage' }
const restore: Effect = { ...on, type: 'work.restore', ref: 'refs/cloister/agent-1/1-1' }
const end: Effect = { ...on, type: 'session.end' }

test('every deed on an agent is fenced by its generation', async () => {
  for (const effect of [spawn, type, salvage, restore, end]) {
    const { actor, fleet } = stage({ generation: 2 })
    expect(await actor.act(effect), effect.type).toMatchObject({ result: 'fenced' })
    expect(fleet.deeds, effect.type).toEqual([])
  }
  const { actor } = stage()
  expect(await actor.act({ ...type, agent: 'agent-2' })).toMatchObject({ result: 'fenced' })
})

const PLACE = '/workspaces/feature-pan-18'
const GROUND = {
  repository: { top: PLACE, gitDir: `${PLACE}/.git`, commonDir: `${PLACE}/.git`, owner: 1000 },
  place: PLACE,
}

describe('spawn', () => {
  test('what could not be an argument is left out of its first prompt, be it new or its whole task of before', async () => {
    const fresh = stage()
    await fresh.actor.act({ ...spawn, prompt: 'Re\u0000pair\u001b it.\r\nThen test.' })
    expect(fresh.fleet.toldAtStart.get('agent-1')).toBe('Repair it.\nThen test.')
    const anew = stage()
    const task = [{ name: 'p-1', by: 'you', wallAt: 0, beginning: 'B', whole: 'Mend\u0000 the login.' }]
    await anew.actor.act({ ...spawn, task })
    expect(anew.fleet.toldAtStart.get('agent-1')).toContain('Mend the login.')
  })

  test('starts what does not live yet', async () => {
    const { actor, fleet } = stage()
    expect(await actor.act(spawn)).toEqual({ result: 'done', ...GROUND })
    expect(fleet.living()).toHaveLength(1)
    expect(await actor.act(spawn)).toEqual({ result: 'not_done', detail: 'generation 1 still lives' })
  })

  test('is refused while an emergency stop is in force, and undone when one comes meanwhile', async () => {
    const { actor, fleet } = stage()
    await fleet.stopFleet()
    expect(await actor.act(spawn)).toMatchObject({ result: 'not_done', detail: 'an emergency stop is in force' })
    await fleet.rearm()
    let asked = 0
    fleet.sentinel = () => Promise.resolve((asked += 1) > 1)
    expect(await actor.act(spawn)).toMatchObject({
      result: 'not_done',
      detail: 'an emergency stop came while it started',
    })
    expect(fleet.living()).toEqual([])
  })
})

test('nothing is typed while a person types, and nobody takes the keyboard from an act', async () => {
  const keyboards = new Keyboards()
  const { actor, fleet } = stage({}, keyboards)
  await actor.act(spawn)
  const letGo = keyboards.take('agent-1', 'person')
  expect(await actor.act(type)).toEqual({
    ...{ result: 'not_done', held: true, detail: 'somebody types in its terminal' },
  })
  expect(fleet.agent('agent-1')?.typed).toEqual([])
  letGo?.()
  const { promise: printed, resolve: print } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const typed = fleet.type.bind(fleet)
  fleet.type = (...given) => {
    begin()
    return printed.then(() => typed(...given))
  }
  const typing = actor.act(type)
  await begun
  expect([keyboards.heldBy('agent-1'), keyboards.take('agent-1', 'person')]).toEqual(['act', undefined])
  print()
  expect(await typing).toMatchObject({ result: 'done' })
  expect(keyboards.heldBy('agent-1')).toBeUndefined()
})

test('text loses its control bytes on the way', async () => {
  const { actor, fleet } = stage()
  await actor.act(spawn)
  expect(await actor.act(type)).toEqual({ result: 'done' })
  expect(fleet.agent('agent-1')?.typed).toEqual(['hello[201~'])
})

describe('what a person has begun to type', () => {
  test('holds every text back and stays as it is', async () => {
    const { actor, fleet, clock } = stage()
    await actor.act(spawn)
    const agent = fleet.agent('agent-1')
    if (agent !== undefined) agent.draft = 'half a line'
    const outcome = actor.act(type)
    await quiet()
    await clock.advance(SECOND)
    expect(await outcome).toEqual({
      result: 'not_done',
      held: true,
      detail:
        'somebody is typing in its terminal; try again when its input line is empty, or attach with ' +
        '`pan agents attach agent-1`',
    })
    expect({ draft: agent?.draft, typed: agent?.typed }).toEqual({ draft: 'half a line', typed: [] })
  })

  test('is looked at twice: a text that was just sent may stand there for another moment', async () => {
    const { actor, fleet, clock } = stage()
    await actor.act(spawn)
    const agent = fleet.agent('agent-1')
    if (agent !== undefined) agent.draft = 'just sent'
    const outcome = actor.act(type)
    await quiet()
    if (agent !== undefined) agent.draft = ''
    await clock.advance(SECOND)
    expect(await outcome).toEqual({ result: 'done' })
    expect(agent?.typed).toEqual(['hello[201~'])
  })
})

test('a text to a process that has no terminal is said to be that, not fenced', async () => {
  const { actor, fleet } = stage()
  await actor.act(spawn)
  const agent = fleet.agent('agent-1')
  if (agent !== undefined) agent.lost = true
  expect(await actor.act(type)).toEqual({ result: 'not_done', detail: 'its process lives but has no terminal' })
})

test('saving that fails did not happen; of other failures nobody can be sure', async () => {
  const { actor, fleet } = stage()
  await actor.act(spawn)
  fleet.faults.salvageFails = true
  expect(await actor.act(salvage)).toEqual({ result: 'not_done', detail: 'the repository cannot be read' })
  fleet.faults.terminalDown = true
  expect(await actor.act(type)).toEqual({ result: 'unknown', detail: 'no terminal server answers' })
})

test('a restore says what came back, or why nothing did', async () => {
  const { actor, fleet, agent } = stage()
  fleet.git.init(agent.workspace)
  fleet.git.edit(agent.workspace, 'a.txt', 'saved')
  await actor.act(salvage)
  expect(await actor.act(restore)).toEqual({ result: 'done', detail: '0 written, 1 already there, all compared' })
  fleet.git.edit(agent.workspace, 'a.txt', 'later')
  expect(await actor.act(restore)).toEqual({
    result: 'not_done',
    detail: 'nothing was written: a.txt: the file there has other content that is not committed',
  })
  expect(await actor.act({ ...restore, force: true })).toEqual({
    result: 'done',
    detail: '1 written, 0 already there, all compared; what was replaced is saved as refs/cloister/agent-1/1-2',
    salvageRef: 'refs/cloister/agent-1/1-2',
  })
  expect(await actor.act({ ...restore, ref: 'refs/cloister/agent-1/9-9' })).toMatchObject({ result: 'unknown' })
})

test('a workspace without a repository: a spawn says so, and a salvage that there is no place to save to', async () => {
  const { actor, fleet, agent } = stage()
  expect(await actor.act(salvage)).toEqual({ result: 'done', noRepository: true })
  fleet.git.init = () => {}
  fleet.git.edit = () => {}
  expect(await actor.act(spawn)).toEqual({
    result: 'done',
    repository: 'none',
    place: agent.workspace,
    detail: `its work is saved as plain files, 1 GB at most, since its workspace is in no git repository: ${agent.workspace}`,
  })
})

test('a kill names what survived', async () => {
  const { actor, fleet } = stage()
  await actor.act(spawn)
  const agent = fleet.agent('agent-1')
  if (agent !== undefined) agent.immortal = true
  expect(await actor.act(end)).toEqual({ result: 'done', survivors: ['r-1:child'] })
})

describe('after a restart an effect is looked into, never repeated', () => {
  test.each<[string, Effect, boolean, object]>([
    ['a spawn that came up', spawn, true, { result: 'done', ...GROUND }],
    ['a spawn that did not', spawn, false, { result: 'not_done', detail: 'it never came up' }],
    ['a text', type, true, { result: 'unknown', detail: 'the restart left it open' }],
    ['a salvage', salvage, true, { result: 'unknown', detail: 'the restart left it open' }],
    ['a restore', restore, true, { result: 'unknown', detail: 'the restart left it open' }],
    ['an end that did not happen', end, true, { result: 'not_done' }],
    ['an end that did', end, false, { result: 'done', survivors: [] }],
    [
      'an emergency stop',
      { id: 'e-1', type: 'fleet.stop' },
      true,
      { result: 'unknown', detail: 'the restart left it open' },
    ],
    ['a re-arming', { id: 'e-1', type: 'fleet.rearm' }, true, { result: 'done' }],
  ])('%s', async (_, effect, lives, expected) => {
    const { actor, fleet } = stage()
    if (lives) await actor.act(spawn)
    const before = fleet.deeds.length
    expect(await actor.probe(effect)).toEqual(expected)
    expect(fleet.deeds).toHaveLength(before)
  })

  test('a spawn that came up: its repository is what it was before the start, whatever it is now', async () => {
    const { actor, fleet } = stage(GROUND)
    await actor.act(spawn)
    fleet.git.broken.add(PLACE)
    expect(await actor.probe(spawn)).toEqual({ result: 'done' })
  })
})
