import { expect, test } from 'vitest'
import { VirtualClock } from '../../tests/fakes/virtual-clock.ts'
import { VirtualFleet } from '../../tests/fakes/virtual-fleet.ts'
import { virtualRuntime } from '../../tests/fakes/virtual-runtime.ts'
import { agentRecord } from '../../tests/samples/agents.ts'
import type { Insight, Said } from '../core/runtime-port.ts'
import { Observer } from './observe.ts'

async function fleet() {
  const clock = new VirtualClock(0)
  const made = new VirtualFleet(clock)
  const agent = agentRecord({ id: 'agent-1', run: 'r-1', workspace: '/workspaces/agent-1' })
  await made.start({ agent: agent.id, generation: 1, run: 'r-1' })
  return { made, agent, observer: new Observer({ terminal: made, processes: made, git: made }) }
}

test('a look brings what changed, and of a quiet agent nothing', async () => {
  const { made, agent, observer } = await fleet()
  const first = await observer.look([agent])
  expect(first.sightings.map(({ witness }) => witness)).toEqual(['terminal', 'process', 'git'])
  made.agent('agent-1')?.silent({ rests: true })
  expect((await observer.look([agent])).sightings.map(({ witness }) => witness)).toEqual(['process'])
  expect(await observer.look([agent])).toEqual({ sightings: [], sentinel: false })
})

test('whatever cannot be asked makes the look blind, never the agents silent or dead', async () => {
  const { made, agent, observer } = await fleet()
  made.faults.terminalDown = true
  expect(await observer.look([agent])).toEqual({ sightings: [], sentinel: false, blind: 'no terminal server answers' })
  made.faults.terminalDown = false
  made.sentinel = () => Promise.reject(new Error('the home cannot be read'))
  expect(await observer.look([agent])).toEqual({ sightings: [], sentinel: false, blind: 'the home cannot be read' })
  made.sentinel = () => Promise.resolve(true)
  made.lookAt = () => Promise.reject(new Error('no /proc'))
  const { sightings, sentinel } = await observer.look([agent])
  expect({ sentinel, witnesses: sightings.map(({ witness }) => witness) }).toEqual({
    sentinel: true,
    witnesses: ['terminal', 'git'],
  })
})

test('a stop from which a person resumed while its reason was read is not told of', async () => {
  const { made, agent, observer } = await fleet()
  let isThere = true
  made.sentinel = () => Promise.resolve(isThere)
  made.stopNote = () => Promise.resolve({ reason: 'wrong branch', person: 'ana', askedWallAt: 7 })
  expect(await observer.latched()).toEqual({
    ...{ sentinel: true, reason: 'wrong branch', person: 'ana', askedWallAt: 7 },
  })
  made.stopNote = async () => {
    isThere = false
    return { reason: 'wrong branch' }
  }
  expect(await observer.look([agent])).toMatchObject({ sentinel: false })
})

test('a workspace that is gone, and one without its repository, are told of until that is back', async () => {
  const { made, agent, observer } = await fleet()
  const { workspace } = agent
  const repository = { top: workspace, gitDir: `${workspace}/.git`, commonDir: `${workspace}/.git`, owner: 1000 }
  const gitOf = async (evidence = {}) =>
    (await observer.look([{ ...agent, repository, evidence }])).sightings.filter(({ witness }) => witness === 'git')
  await made.find(workspace)
  const seen = { agent: 'agent-1', generation: 1, witness: 'git' }
  made.git.gone.add(workspace)
  expect(await gitOf()).toEqual([{ ...seen, missing: true }])
  made.git.gone.delete(workspace)
  made.git.broken.add(workspace)
  const unusable = { why: `${workspace}/.git is no repository any more`, instead: '/workspaces' }
  expect(await gitOf()).toEqual([{ ...seen, unusable }])
  made.git.broken.delete(workspace)
  expect(await gitOf()).toEqual([expect.objectContaining({ ...seen, branch: 'main' })])
})

test('of several panes the one of the present run counts, whatever order they come in', async () => {
  const { made, agent, observer } = await fleet()
  made.agent('agent-1')?.dies(3)
  await made.start({ agent: 'agent-1', generation: 2, run: 'r-2' })
  const panes = await made.list()
  const present = { ...agent, generation: 2, run: 'r-2' }
  for (const order of [panes, panes.toReversed()]) {
    made.list = () => Promise.resolve(order)
    const { sightings } = await new Observer({ terminal: made, processes: made, git: made }).look([present])
    expect(sightings.find(({ witness }) => witness === 'terminal')).toMatchObject({ generation: 2, alive: true })
  }
  expect((await observer.look([present])).sightings).not.toContainEqual(expect.objectContaining({ exitCode: 3 }))
})

test('a pane that two looks in a row miss is lost, one that a single look misses is not', async () => {
  const { made, agent, observer } = await fleet()
  const terminalOf = async () =>
    (await observer.look([agent])).sightings
      .filter(({ witness }) => witness === 'terminal')
      .map(({ lost, alive }) => ({ lost, alive }))
  const panes = await made.list()
  const looks: object[] = []
  for (const seen of [panes, [], panes, [], [], [], panes]) {
    made.list = () => Promise.resolve(seen)
    looks.push(await terminalOf())
  }
  const there = { lost: undefined, alive: true }
  expect(looks).toEqual([[there], [], [], [], [{ lost: true, alive: undefined }], [], [there]])
})

test('a death is told by two looks, so that one can be sure of it, and then no more', async () => {
  const { made, agent, observer } = await fleet()
  await observer.look([agent])
  made.agent('agent-1')?.dies(3)
  const looks: object[] = []
  for (let n = 0; n < 3; n += 1) {
    looks.push((await observer.look([agent])).sightings.map(({ witness, alive }) => `${witness} ${alive}`))
  }
  const dead = ['terminal false', 'process false']
  expect(looks).toEqual([dead, dead, []])
})

test('a process without its tag in a pane that lives is unknown, not dead', async () => {
  const { made, agent, observer } = await fleet()
  made.lookAt = () => Promise.resolve({ alive: false })
  const { sightings } = await observer.look([agent])
  expect(sightings.map(({ witness, alive }) => `${witness} ${alive}`)).toEqual(['terminal true', 'git undefined'])
})

test('a pane of another generation is not this agent', async () => {
  const { agent, observer } = await fleet()
  const { sightings } = await observer.look([{ ...agent, generation: 2 }])
  expect(sightings.map(({ witness }) => witness)).not.toContain('terminal')
})

test('what a runtime sees of its own program is brought back once, and again as long as it objects', async () => {
  const { made, agent } = await fleet()
  const said: Said[] = [{ witness: 'registry', stamp: 's busy 1', ageMs: 5, pid: 7 }]
  const retained: string[][] = []
  const insight: Insight = {
    look: () => said,
    watch: () => () => {},
    heard: () => {},
    retain: (runs) => void retained.push([...runs]),
  }
  const runtimes = new Map([[agent.runtime, { ...virtualRuntime, insight }]])
  const observer = new Observer({ terminal: made, processes: made, git: made, runtimes })
  const registry = { agent: 'agent-1', generation: 1, witness: 'registry', stamp: 's busy 1', pid: 7 }
  const { sightings } = await observer.look([agent, { ...agent, id: 'agent-2', run: 'r-2', lifecycle: 'stopped' }])
  expect(sightings).toContainEqual({ ...registry, ageMs: 5 })
  expect(retained).toEqual([['r-1']])
  said[0] = { witness: 'registry', stamp: 's busy 1', ageMs: 900, pid: 7 }
  expect(observer.glance(agent)).toEqual([])
  const objection: Said = { witness: 'registry', stamp: 's idle 2', doing: { kind: 'idle' }, objects: true }
  said[0] = objection
  const objected = { agent: 'agent-1', generation: 1, ...objection }
  expect([observer.glance(agent), observer.glance(agent)]).toEqual([[objected], [objected]])
  expect(observer.glance(agent, ['registry'])).toEqual([])
  expect(observer.glance({ ...agent, lifecycle: 'stopped' })).toEqual([])
  insight.look = () => {
    throw new Error('no such folder')
  }
  expect(observer.glance(agent)).toEqual([])
})
