import { expect, test } from 'vitest'
import { CrashError } from '../fakes/memory-journal.ts'
import type { Event } from '../../src/contract/events.ts'
import { House } from '../nights/house.ts'
import { perform } from '../nights/script.ts'
import { SETTINGS } from '../samples/agents.ts'

const SCRIPT = [
  'spawn agent-1',
  'spawn agent-2',
  'agent-1 ignores pokes',
  'wait 5m',
  'agent-1 hangs',
  'wait 35m',
  'poke agent-2',
  'wait 1m',
  'kill agent-2',
  'wait 1m',
  'emergency stop',
  'wait 1m',
  'resume',
  'wait 1m',
  'spawn agent-2',
  'wait 5m',
]

interface Ending {
  house: House
  events: readonly Event[]
  crashed: boolean
}

/** Messages, sleep, waking, another model, a cleared context, an interrupt and a soft stop. */
const SESSIONS = [
  'spawn agent-1',
  'wait 1m',
  'message agent-1 First.',
  'wait 1m',
  'agent-1 idles',
  'suspend agent-1',
  'wait 1m',
  'message agent-1 Second.',
  'wait 1m',
  'agent-1 idles',
  'switch agent-1 opus',
  'wait 1m',
  'agent-1 idles',
  'clear agent-1',
  'wait 1m',
  'message agent-1 Third.',
  'wait 1m',
  'interrupt agent-1',
  'wait 1m',
  'message agent-1 Fourth.',
  'wait 2m',
  'rest agent-1',
  // An order of which nobody knows whether it was left is waited for in full.
  'wait 15m',
]

/** What rules do: a usage limit ends, a program fails, work waits. A crash cuts a wait short, so that there are many. */
const RULES = [
  'spawn agent-1',
  'wait 2m',
  'agent-1 is limited for 1m',
  ...Array.from({ length: 6 }, () => 'wait 2m'),
  'agent-1 dies 1',
  ...Array.from({ length: 5 }, () => 'wait 2m'),
  'agent-1 idles',
  'assign agent-1 Fix it.',
  ...Array.from({ length: 2 }, () => 'wait 2m'),
  // One that may have been told of it is not told again at once.
  'agent-1 works',
  'wait 1m',
]

/** An agent goes on in an empty context. */
const CYCLE = ['spawn agent-1', 'wait 1m', 'cycle agent-1', ...Array.from({ length: 15 }, () => 'wait 1m')]

interface Play {
  script: readonly string[]
  confirms: boolean
}

/** Plays the script with one crash at the n-th write; a person repeats what was not confirmed. */
async function playWithCrash({ script, confirms }: Play, n: number, when: 'before' | 'after'): Promise<Ending> {
  const house = new House({ settings: { ...SETTINGS, lifecycle: { ...SETTINGS.lifecycle, autoSuspend: false } } })
  house.confirms = confirms
  house.journal.crashAt(n, when)
  let crashed = false
  const restart = async () => {
    crashed = true
    house.crash()
    await house.wait(60_000)
    await house.boot()
  }
  await house.boot()
  if (house.fallen !== undefined) await restart()
  for (const line of script) {
    await Promise.race([perform(house, line), fallen(house)])
    if (house.fallen === undefined) continue
    expect(house.fallen).toBeInstanceOf(CrashError)
    await restart()
    if (!line.startsWith('wait')) await perform(house, line)
  }
  return { house, events: await house.journal.events({ afterSeq: 0, limit: 10_000 }), crashed }
}

/** A command that was under way when the journal fell gets no answer. */
async function fallen(house: House): Promise<void> {
  await house.loop.ended.catch(() => {})
}

test('a crash at every write, before and after it is durable: nothing is lost, nothing is done twice', async () => {
  let n = 0
  for (let crashed = true; crashed;) {
    n += 1
    for (const when of ['before', 'after'] as const) {
      const ending = await playWithCrash({ script: SCRIPT, confirms: false }, n, when)
      crashed = ending.crashed
      check(ending, `crash ${when} write ${n}`)
    }
  }
  expect(n).toBeGreaterThan(50)
})

test('the same with sessions: every message is taken once, and no session is open twice', async () => {
  let n = 0
  for (let crashed = true; crashed;) {
    n += 1
    for (const when of ['before', 'after'] as const) {
      const ending = await playWithCrash({ script: SESSIONS, confirms: true }, n, when)
      crashed = ending.crashed
      checkSessions(ending, `crash ${when} write ${n}`)
    }
  }
  expect(n).toBeGreaterThan(40)
})

test('the same with what rules do: told to go on at most once, started again once, told of the work at most once', async () => {
  let n = 0
  for (let crashed = true; crashed;) {
    n += 1
    for (const when of ['before', 'after'] as const) {
      const { house, ...ending } = await playWithCrash({ script: RULES, confirms: false }, n, when)
      crashed = ending.crashed
      const name = `crash ${when} write ${n}`
      check({ house, ...ending }, name)
      expect(house.fleet.living(), `${name}: one lives`).toHaveLength(1)
      const starts = house.fleet.deeds.filter(({ deed }) => deed === 'start')
      expect(starts, `${name}: started, and started again`).toHaveLength(2)
      const typed = house.fleet.deeds.filter(({ deed }) => deed === 'type')
      expect(typed.length, `${name}: told to go on, and of the work`).toBeLessThanOrEqual(2)
    }
  }
  expect(n).toBeGreaterThan(50)
})

test('the same with a context cycle: it is done, once', async () => {
  let n = 0
  for (let crashed = true; crashed;) {
    n += 1
    for (const when of ['before', 'after'] as const) {
      const { house, ...ending } = await playWithCrash({ script: CYCLE, confirms: true }, n, when)
      crashed = ending.crashed
      const name = `crash ${when} write ${n}`
      check({ house, ...ending }, name)
      const clears = ending.events.filter(({ type }) => type === 'agent.cleared')
      const ends = ending.events.flatMap((event) => (event.type === 'handoff.ended' ? event.result : []))
      expect({ ends, clears: clears.length }, name).toEqual({ ends: ['done'], clears: 1 })
      expect(house.fleet.living(), `${name}: one lives`).toHaveLength(1)
      const { sessionId, handoff } = house.loop.world.agents.get('agent-1') ?? {}
      expect({ sessionId, handoff }, name).toEqual({ sessionId: house.fleet.agent('agent-1')?.session })
    }
  }
  expect(n).toBeGreaterThan(20)
})

/** A person whose command got no answer repeats it, so that there may be two messages of one text, each taken once. */
function checkSessions({ house, events }: Ending, name: string): void {
  const queued = events.flatMap((event) => (event.type === 'message.queued' ? event.message.fingerprint : []))
  const heard = events.filter(({ type }) => type === 'message.heard').length
  const { heardTexts: taken } = house.fleet
  expect(taken.toSorted(), `${name}: what was sent was taken, each once`).toEqual(queued.toSorted())
  expect(heard, `${name}: and that is known`).toBe(queued.length)

  const starts = house.fleet.deeds
    .filter(({ deed }) => deed === 'start')
    .map(({ agent, generation }) => `${agent} ${generation}`)
  expect(new Set(starts).size, `${name}: no generation starts twice`).toBe(starts.length)
  expect(house.fleet.living(), `${name}: one lives`).toHaveLength(1)
  const agent = house.loop.world.agents.get('agent-1')
  expect(agent?.model, name).toBe('opus')
  expect(agent?.sessionId, `${name}: its session is the one that lives`).toBe(house.fleet.agent('agent-1')?.session)
  expect(house.loop.world.acting.size, `${name}: nothing is left under way`).toBe(0)
}

function check({ house, events }: Ending, name: string): void {
  const { deeds } = house.fleet
  expect(
    events.map(({ seq }) => seq),
    name,
  ).toEqual(events.map((_, index) => index + 1))

  const starts = deeds.filter(({ deed }) => deed === 'start').map(({ agent, generation }) => `${agent} ${generation}`)
  expect(new Set(starts).size, `${name}: no generation starts twice`).toBe(starts.length)

  const texts: readonly string[] = ['poke', 'continue', 'nudge', 'clear']
  const decided = events.filter((event) => event.type === 'act.decided' && texts.includes(event.act.kind)).length
  const typed = deeds.filter(({ deed }) => deed === 'type').length
  expect(typed, `${name}: nothing is typed that was not decided first`).toBeLessThanOrEqual(decided)

  const ends = deeds.filter(({ deed }) => deed === 'end')
  for (const end of ends) {
    const saved = deeds.some((each) => each.deed === 'salvage' && each.agent === end.agent && each.monoAt <= end.monoAt)
    expect(saved, `${name}: saved before it was ended`).toBe(true)
  }

  const { world } = house.loop
  const running = [...world.agents.values()].filter((agent) => agent.lifecycle === 'active').map((agent) => agent.id)
  const living = house.fleet.living().map((agent) => agent.life.agent)
  expect(running.toSorted(), `${name}: what runs is what is believed to run`).toEqual(living.toSorted())
  expect(world.acting.size, `${name}: nothing is left under way`).toBe(0)
}
