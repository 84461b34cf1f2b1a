/** A client that was killed outright while what it started lives on. */
import { describe, expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Command } from '../contract/commands.ts'
import type { Effect } from '../contract/effects.ts'
import type { Doing } from '../contract/evidence.ts'
import { publishedFiles } from './published.ts'
import { agentView } from './views.ts'

const ID = 'agent-1'
const TOOL: Doing = { kind: 'tool', name: 'Bash', boundMs: 300_000 }
const WHOSE = { agent: ID, generation: 1 }

/** One agent with a session, which was doing this when its client was killed. */
function house(doing: Doing): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  answer(sim)
  const activity = { ts: '2026-01-20T22:00:00Z', tool: 'Bash', state: 'active' } as const
  sim.input({
    type: 'report',
    sighting: { ...WHOSE, witness: 'hook', stamp: 'h1', doing, sessionId: 'session-1', activity },
  })
  sim.look([{ ...WHOSE, witness: 'process', alive: true, pid: 100, busy: false }])
  return sim
}

/** A look that finds its pane dead, and one of its processes alive or none. */
function seeDead(sim: Sim, left: { alive: boolean; pid?: number } = { alive: true, pid: 101 }): void {
  sim.look([
    { ...WHOSE, witness: 'terminal', stamp: 's1', alive: false },
    { ...WHOSE, witness: 'process', ...left },
  ])
}

function answer(sim: Sim, survives = false): void {
  sim.make({ do: 'answer', which: 0, result: 'done', survives })
}

function ask(sim: Sim, command: Command) {
  return sim.input({ type: 'command', by: 'you', command }).reply
}

function record(sim: Sim) {
  const agent = sim.world.agents.get(ID)
  if (agent === undefined) throw new Error(`there is no ${ID}`)
  return agent
}

const opened = (sim: Sim) => sim.open.map(({ type }: Effect) => type)
const items = (sim: Sim) => record(sim).needsYou.map(({ kind }) => kind)

const SPAWN: Command = {
  type: 'agent.spawn',
  agent: ID,
  kind: 'issue',
  workspace: `/workspaces/${ID}`,
  runtime: 'virtual',
  model: 'sonnet',
  simulated: true,
}

describe('killed during a tool', () => {
  test('it is dead, what it left is said, and nothing of it counts as active', () => {
    const sim = house(TOOL)
    seeDead(sim)
    const reason = 'its process is gone, and processes that it started live on'
    const view = agentView(sim.world, ID)
    expect(view).toMatchObject({ health: 'stuck', cause: { kind: 'dead', orphans: true }, reason })
    expect({ heartbeat: view?.heartbeat, doing: view?.doing }).toEqual({})
    expect(JSON.parse(publishedFiles(record(sim))['heartbeat.json'] ?? '')).toMatchObject({ pid: null })
    seeDead(sim, { alive: false })
    expect(agentView(sim.world, ID)).toMatchObject({ cause: { kind: 'dead' }, reason: 'its process is gone' })
  })

  test.each<[string, Command, Effect['type']]>([
    ['spawn', SPAWN, 'session.spawn'],
    ['resume', { type: 'agent.resume', agent: ID }, 'session.resume'],
    ['resume with a message', { type: 'agent.resume', agent: ID, prompt: 'Go on.' }, 'session.resume'],
  ])('a %s waits for a second look, then saves, ends what is left, and starts', (_, command, started) => {
    const sim = house(TOOL)
    seeDead(sim)
    expect(ask(sim, command)).toMatchObject({ ok: false, refusal: { code: 'busy' } })
    seeDead(sim)
    expect(ask(sim, command)).toMatchObject({ ok: true })
    const steps = [opened(sim)]
    answer(sim)
    steps.push(opened(sim))
    answer(sim)
    steps.push(opened(sim))
    answer(sim)
    steps.push(opened(sim))
    expect(steps).toEqual([['work.salvage'], ['session.end'], ['work.salvage'], [started]])
    if ('prompt' in command) expect(sim.open).toMatchObject([{ session: 'session-1', prompt: 'Go on.' }])
    answer(sim)
    expect(record(sim)).toMatchObject({ lifecycle: 'active', generation: 2, wanted: 'run' })
    expect(sim.events.findLast((event) => event.type === 'agent.lifecycle-changed' && event.to === 'stopped')).toEqual(
      expect.objectContaining({ why: 'its process is gone' }),
    )
  })

  test('a resume of one whose session nobody knows is refused before anything is ended', () => {
    const sim = new Sim()
    sim.make({ do: 'command', agent: 1, what: 'spawn' })
    answer(sim)
    seeDead(sim)
    seeDead(sim)
    const sentence = `no session id of ${ID} was saved`
    expect(ask(sim, { type: 'agent.resume', agent: ID })).toMatchObject({ ok: false, refusal: { sentence } })
    expect(opened(sim)).toEqual([])
  })

  test('nothing is started beside what would not end', () => {
    const sim = house(TOOL)
    seeDead(sim)
    seeDead(sim)
    ask(sim, { type: 'agent.resume', agent: ID })
    answer(sim)
    answer(sim, true)
    expect(opened(sim)).toEqual([])
    expect(items(sim)).toEqual(['dead', 'kill_incomplete'])
  })
})

describe('killed at its prompt', () => {
  test('what it left is ended by itself, its work saved first; a person is told', () => {
    const sim = house({ kind: 'idle' })
    seeDead(sim)
    expect(opened(sim)).toEqual([])
    seeDead(sim)
    expect(opened(sim)).toEqual(['work.salvage'])
    answer(sim)
    expect(opened(sim)).toEqual(['session.end'])
    answer(sim)
    expect(opened(sim)).toEqual(['work.salvage'])
    answer(sim)
    expect(record(sim)).toMatchObject({ lifecycle: 'stopped', lifecycleWhy: 'its process is gone', wanted: 'run' })
    expect(items(sim)).toEqual(['dead'])
  })

  test('what would not end is a person’s, and is not tried for ever', () => {
    const sim = house({ kind: 'idle' })
    seeDead(sim)
    seeDead(sim)
    answer(sim)
    answer(sim, true)
    sim.wait(10, true)
    expect(opened(sim)).toEqual([])
    expect(items(sim)).toEqual(['dead', 'kill_incomplete'])
  })
})
