import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { event, type Event, type EventOf } from '../../src/contract/events.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import { MESSAGES_KEPT } from '../../src/contract/messages.ts'
import { HOUR } from '../../src/core/durations.ts'
import { fold } from '../../src/core/fold.ts'
import { handoffUnderWay } from '../../src/core/handoffs/hand-off-end.ts'
import { MAX_TRIES } from '../../src/core/procedures/deliver.ts'
import { COOLDOWN_MS, MAX_POKES } from '../../src/core/policies/attention.ts'
import { createWorld, type World } from '../../src/core/world.ts'
import { SETTINGS } from '../samples/agents.ts'
import { alone } from './alone.ts'
import { always, alwaysAfterwards, PATIENCE, RUNS, SEED } from './always.ts'
import { night } from './moves.ts'
import { Sim } from './sim.ts'
import { standing } from './standing.ts'

const DOUBTS: readonly string[] = ['house.booted', 'house.clock-jumped', 'house.degraded', 'monitoring.started']
const ENDING: readonly string[] = ['kill', 'suspend', 'switch']
/** What may be done to an agent whose work is with somebody else. */
const HARMLESS = ['kill', 'answer', 'interrupt', 'rest']
const ASLEEP: readonly string[] = ['suspended', 'uninitialized']
const DIALOGS = ['permission', 'question', 'startup_blocked', 'auth_needed']

function ofType<T extends Event['type']>(events: readonly Event[], type: T): EventOf<T>[] {
  return events.filter((event) => event.type === type) as EventOf<T>[]
}

describe(`over ${RUNS} generated nights each, seed ${SEED}`, () => {
  standing()
  alone()

  always('after an emergency stop nothing is spawned or typed until a person resumes', (sim) => {
    let latched = false
    for (const { result } of sim.moments) {
      for (const event of result.events) {
        if (event.type === 'emergency.triggered') latched = true
        if (event.type === 'emergency.rearmed') latched = false
        if (latched && event.type === 'act.decided') throw new Error(`${event.act.kind} while latched`)
      }
      if (latched) expect(result.effects.filter(({ type }) => type.startsWith('session.'))).toEqual([])
    }
  })

  always('an agent never has two acts at once', (sim) => {
    const under = new Set<string>()
    for (const event of sim.events) {
      if (event.type === 'act.decided') {
        expect(under.has(event.agent)).toBe(false)
        under.add(event.agent)
      }
      if (event.type === 'act.ended') under.delete(event.agent)
    }
  })

  always('to an adopted agent only a person does something, and only what was allowed', (sim) => {
    const allowed = new Map<string, readonly string[]>()
    for (const event of sim.events) {
      if (event.type === 'agent.adopted') allowed.set(event.agent, event.adopted.allow)
      if (event.type === 'agent.forgotten') allowed.delete(event.agent)
      const allow = 'agent' in event && event.agent !== undefined ? allowed.get(event.agent) : undefined
      if (event.type !== 'act.decided' || allow === undefined) continue
      expect([event.act.precedence, allow.includes(event.act.kind)]).toEqual(['human', true])
    }
  })

  always('nobody is asked twice for the same occasion', (sim) => {
    const asked = new Set<string>()
    for (const event of sim.events) {
      // An agent that was forgotten is another one when it comes again.
      if (event.type === 'agent.forgotten')
        for (const each of asked) if (each.startsWith(`${event.agent} `)) asked.delete(each)
      if (event.type !== 'handoff.proposed' || event.handoff.key === undefined) continue
      const occasion = `${event.agent} ${event.handoff.key}`
      expect(asked.has(occasion)).toBe(false)
      asked.add(occasion)
    }
  })

  always('an agent never has two live generations', (sim) => {
    const live = new Map<string, number>()
    for (const event of sim.events) {
      if (event.type === 'agent.started') {
        expect(live.has(event.agent)).toBe(false)
        live.set(event.agent, event.generation)
      }
      if (event.type === 'agent.cleared' || event.type === 'agent.adopted') live.set(event.agent, event.generation)
      if (event.type === 'agent.forgotten') live.delete(event.agent)
      const isOver = event.type === 'agent.lifecycle-changed' && (event.to === 'stopped' || event.to === 'suspended')
      if (isOver) live.delete(event.agent)
    }
    for (const agent of sim.world.agents.values()) {
      const lives = agent.lifecycle === 'active' || agent.lifecycle === 'idle'
      expect(live.get(agent.id)).toBe(lives ? agent.generation : undefined)
    }
  })

  always('work that is handed over is never lost: it has an owner, a way back, or a person who was asked', (sim) => {
    const world = createWorld(SETTINGS)
    const left = new Set<string>()
    for (const { result } of sim.moments) {
      for (const event of result.events) {
        fold(world, event)
        // Whom a person was asked about is that person's concern, also when the item is settled later.
        if (event.type === 'needs-you.raised' && event.item.kind === 'handoff') left.delete(event.item.agent ?? '')
        if (!('agent' in event) || event.agent === undefined) continue
        const isLeft = event.type === 'agent.lifecycle-changed' && event.to === 'stopped'
        if (isLeft && event.why === 'its work is handed over') left.add(event.agent)
        else if (event.type === 'agent.started' || event.type === 'agent.forgotten') left.delete(event.agent)
      }
      for (const id of left) {
        const agent = world.agents.get(id)
        const isStopped = agent?.wanted === 'stop' || agent?.handoffs?.at(-1)?.detail === 'an emergency stop came'
        expect(agent?.handoff !== undefined || isStopped, id).toBe(true)
      }
    }
  })

  always('a hand-off starts nobody before the old generation is dead, and is alone on its agent', (sim) => {
    const world = createWorld(SETTINGS)
    for (const event of sim.events) {
      const before = 'agent' in event && event.agent !== undefined ? world.agents.get(event.agent) : undefined
      if (event.type === 'handoff.proposed') expect(before?.handoff).toBeUndefined()
      if (event.type === 'act.decided' && event.act.handoff !== undefined) {
        const lender = world.agents.get(world.lent.get(event.agent) ?? '')
        expect((before?.handoff ?? lender?.handoff)?.id).toBe(event.act.handoff)
        const starts = event.act.kind === 'spawn' || event.act.kind === 'resume'
        if (starts) expect(['stopped', ...(before?.kind === 'specialist' ? ASLEEP : [])]).toContain(before?.lifecycle)
      }
      fold(world, event)
    }
  })

  always('the work of an agent has one owner, and changes hands only while whoever had it rests or is gone', (sim) => {
    const world = createWorld(SETTINGS)
    for (const event of sim.events) {
      const agent = 'agent' in event && event.agent !== undefined ? world.agents.get(event.agent) : undefined
      if (event.type === 'handoff.lent') {
        expect([agent?.lifecycle, agent?.act, agent?.lent]).toEqual(['idle', undefined, undefined])
        const taker = world.agents.get(event.to)
        expect([taker?.lifecycle, taker?.act, world.lent.get(event.to)]).toEqual([
          taker?.lifecycle === 'active' ? 'at rest' : taker?.lifecycle,
          undefined,
          undefined,
        ])
      }
      if (event.type === 'handoff.returned') {
        expect(agent?.lent?.to).toBe(event.from)
        const giver = world.agents.get(event.from)
        expect([giver?.lifecycle === 'active', giver?.act]).toEqual([false, undefined])
      }
      if (event.type === 'act.decided' && agent?.lent !== undefined) expect(HARMLESS).toContain(event.act.kind)
      fold(world, event)
      for (const [specialist, lender] of world.lent) expect(world.agents.get(lender)?.lent?.to).toBe(specialist)
    }
  })

  always('rules hand over nobody whose automatic hand-offs are off', (sim) => {
    const world = createWorld(SETTINGS)
    for (const event of sim.events) {
      if (event.type === 'handoff.proposed' && event.handoff.trigger !== 'manual') {
        expect(world.agents.get(event.agent)?.autoHandoff).toBeUndefined()
      }
      fold(world, event)
    }
  })

  always('no effect is for another generation than the one that was judged', (sim) => {
    for (const { result, before } of sim.moments) {
      for (const effect of result.effects) {
        if (!('agent' in effect)) continue
        const cleared = result.events.some((each) => each.type === 'agent.cleared' && each.agent === effect.agent)
        const generation = (before.generation.get(effect.agent) ?? 0) + Number(cleared)
        const starts = effect.type === 'session.spawn' || effect.type === 'session.resume'
        expect(effect.generation).toBe(starts ? generation + 1 : generation)
      }
    }
  })

  always('an episode has at most three pokes, well apart, and ends only by progress or with its generation', (sim) => {
    const episodes = new Map<string, { pokes: number; lastAt: number }>()
    const automatic = new Set<string>()
    for (const event of sim.events) {
      if (event.type === 'episode.opened') episodes.set(event.agent, { pokes: 0, lastAt: -Infinity })
      if (event.type === 'episode.closed') episodes.delete(event.agent)
      // One that verifiably was not typed is none.
      const undone = event.type === 'act.ended' && event.act === 'poke' && event.result === 'not_done'
      if (undone && automatic.delete(event.effect)) {
        const episode = episodes.get(event.agent)
        if (episode !== undefined) episode.pokes -= 1
      }
      if (event.type !== 'act.decided' || event.act.kind !== 'poke' || event.act.precedence === 'human') continue
      automatic.add(event.act.effect)
      const episode = episodes.get(event.agent)
      if (episode === undefined) throw new Error('a poke outside an episode')
      expect(event.observedAt - episode.lastAt).toBeGreaterThanOrEqual(COOLDOWN_MS)
      episode.pokes += 1
      episode.lastAt = event.observedAt
      expect(episode.pokes).toBeLessThanOrEqual(MAX_POKES)
    }
  })

  always('rules act only after two good looks, while not paused, not latched and without a mass event', (sim) => {
    let looks = 0
    for (const { input, result, before } of sim.moments) {
      if (result.events.some(({ type }) => DOUBTS.includes(type))) looks = 0
      if (input.type === 'look') looks = input.blind === undefined ? looks + 1 : 0
      const byRule = ofType(result.events, 'act.decided').filter(({ act }) => act.precedence !== 'human')
      if (byRule.length === 0) continue
      expect(looks).toBeGreaterThanOrEqual(2)
      const { monitoring, mass, emergency } = before
      expect({ monitoring, mass, emergency }).toEqual({ monitoring: 'running', mass: false, emergency: 'armed' })
    }
  })

  always('nothing is ended but by a person or a rule that may, and never before its work was saved', (sim) => {
    const saved = new Set<string>()
    for (const { result, before } of sim.moments) {
      for (const event of result.events) {
        if (event.type === 'act.decided' && ENDING.includes(event.act.kind)) {
          const { kind, precedence } = event.act
          // A rule ends only the dead, who rests, or who is stuck where the settings want that.
          const allowed = { crash: 'kill', idle: 'suspend', ...(before.killOnStuck ? { stuck: 'kill' } : {}) }
          if (precedence !== 'human' && event.act.handoff === undefined)
            expect(allowed).toMatchObject({ [precedence]: kind })
          saved.delete(event.agent)
        }
        if (event.type === 'agent.salvaged') saved.add(event.agent)
      }
      for (const effect of result.effects) {
        if (effect.type === 'session.end') expect(saved.has(effect.agent)).toBe(true)
      }
    }
  })

  always('nobody is over before its work was saved once more after its verified end', (sim) => {
    const last = new Map<string, string>()
    for (const event of sim.events) {
      if (event.type === 'act.decided') last.set(event.agent, event.act.step)
      if (event.type === 'act.stepped') last.set(event.agent, event.step)
      if (event.type !== 'act.ended' || !ENDING.includes(event.act) || event.result !== 'done') continue
      expect(last.get(event.agent)).toBe('saving')
    }
  })

  always('text is never typed into a dialog', (sim) => {
    for (const { typedInto } of sim.moments) {
      for (const doing of typedInto) expect(DIALOGS).not.toContain(doing)
    }
  })

  always(
    'a message is typed at most three times, never after it was heard, and only when it is known not to be there',
    (sim) => {
      const tries = new Map<string, number>()
      const arrived = new Set<string>()
      const underWay = new Map<string, string>()
      for (const { input, result } of sim.moments) {
        if (input.type === 'outcome' && input.effect.type === 'session.check-text') {
          const { result: known } = input.outcome
          const message = underWay.get(input.effect.id)
          if (message !== undefined && known === 'done') arrived.add(message)
        }
        for (const event of result.events) {
          if (event.type === 'message.heard') arrived.add(event.message)
          if (event.type === 'message.recalled') arrived.add(event.message)
          if (event.type === 'message.retried') tries.set(event.message, 0)
          if (event.type === 'act.decided' && event.act.message !== undefined) {
            expect(arrived.has(event.act.message), `${event.act.message} was there already`).toBe(false)
            underWay.set(event.act.effect, event.act.message)
          }
          if (event.type !== 'message.typed') continue
          tries.set(event.message, (tries.get(event.message) ?? 0) + 1)
          expect(tries.get(event.message)).toBeLessThanOrEqual(MAX_TRIES + 1)
        }
      }
    },
  )

  alwaysAfterwards('every message ends: it was heard, or a person is told that it was not', (sim) => {
    sim.open.length = 0
    sim.wait(HOUR / 60_000, true)
    for (const agent of sim.world.agents.values()) {
      const open = (agent.messages ?? []).filter(({ state }) => state === 'queued' || state === 'typed')
      expect(open, agent.id).toEqual([])
      expect(agent.messages?.length ?? 0).toBeLessThanOrEqual(MESSAGES_KEPT)
    }
  })

  always('no session is gone on with while another agent has it open', (sim) => {
    for (const { result, before } of sim.moments) {
      for (const { agent, act } of ofType(result.events, 'act.decided')) {
        if (act.kind !== 'resume') continue
        const others = [...before.sessions].filter(([id, session]) => id !== agent && session === act.session)
        expect(others).toEqual([])
      }
    }
  })

  alwaysAfterwards('a blind look changes no verdict and acts on nobody', (sim) => {
    const { events, effects } = sim.input({ type: 'look', sightings: [], blind: 'no server answers', sentinel: false })
    const touched = events.filter(({ type }) => type.startsWith('agent.') || type === 'act.decided')
    expect({ touched, effects }).toEqual({ touched: [], effects: [] })
  })

  alwaysAfterwards('an agent that stays stuck always reaches a person', (sim) => {
    sim.make({ do: 'command', agent: 1, what: 'start' })
    sim.wait(180, true)
    const { house, agents } = sim.world
    if (house.emergency.state !== 'armed' || house.mass !== undefined) return
    for (const agent of agents.values()) {
      if (agent.verdict?.health !== 'stuck') continue
      // That a specialist does not give work back is told with the one whose work it is.
      const lender = agents.get(sim.world.lent.get(agent.id) ?? '')
      const items = [...agent.needsYou, ...(lender?.needsYou ?? [])]
      expect(items, agent.id).not.toEqual([])
    }
  })

  always('the journal alone gives every decision again', (sim) => {
    const replayed = createWorld(SETTINGS)
    for (const event of sim.events) fold(replayed, event)
    expect(decisions(replayed)).toEqual(decisions(sim.world))
  })

  alwaysAfterwards('the same tick twice adds nothing', (sim) => {
    sim.input({ type: 'tick', lateMs: 0 })
    expect(sim.input({ type: 'tick', lateMs: 0 })).toMatchObject({ events: [], effects: [] })
  })

  alwaysAfterwards('a clock jump alone never acts', (sim) => {
    for (const minutes of [480, -480]) {
      const seq = sim.events.length
      sim.make({ do: 'jump', minutes })
      expect(
        sim.events.slice(seq).filter(({ type }) => type === 'act.decided' || type === 'agent.health-changed'),
      ).toEqual([])
    }
  })

  alwaysAfterwards('what was begun ends: every act, and every emergency stop', (sim) => {
    sim.open.length = 0
    sim.wait(HOUR / 60_000, true)
    expect([...sim.world.acting].filter((id) => isOlderThan(sim.world, id, 20))).toEqual([])
    expect([...sim.world.agents.values()].filter((agent) => isBegunLongAgo(sim.world, agent))).toEqual([])
    expect(['armed', 'stopped']).toContain(sim.world.house.emergency.state)
  })
})

test('a copy of a night goes on as the night itself does', PATIENCE, () => {
  for (const moves of fc.sample(night, { numRuns: 50, seed: 9 })) {
    const sim = new Sim()
    for (const move of moves) sim.make(move)
    const copies = [sim.copy(), sim.copy()]
    for (const each of [...copies, sim]) each.wait(HOUR / 60_000, true)
    for (const copy of copies) {
      expect(copy.events).toEqual(sim.events)
      expect(copy.world).toEqual(sim.world)
    }
  }
})

test('the generated nights reach every kind of event', PATIENCE, () => {
  const seen = new Set<string>()
  for (const moves of fc.sample(night, { numRuns: 2_000, seed: 8 })) {
    const sim = new Sim()
    for (const move of moves) sim.make(move)
    for (const { type } of sim.events) seen.add(type)
    if (seen.size === event.options.length) break
  }
  const all = event.options.map((option) => option.shape.type.value)
  expect([...seen].toSorted()).toEqual(all.toSorted())
})

/** A rule may have begun something new meanwhile; nothing may be older than its longest deadline. */
function isOlderThan(world: World, id: string, minutes: number): boolean {
  const decidedAt = world.agents.get(id)?.act?.decidedAt ?? Infinity
  return world.house.observedAt - decidedAt > minutes * 60_000
}

function isBegunLongAgo({ house }: World, agent: AgentRecord): boolean {
  const handoff = handoffUnderWay(agent)
  return handoff !== undefined && house.observedAt - handoff.stateAt > HOUR / 2
}

/** The part of the world that is decided; evidence is level state and comes from witnesses. */
function decisions(world: World) {
  const { seq, monitoring, emergency, mass, needsYou } = world.house
  return {
    house: { seq, monitoring, emergency, mass, needsYou },
    agents: [...world.agents.values()].map(decidedPart),
  }
}

function decidedPart(agent: AgentRecord) {
  const {
    evidence: _,
    producedAt: __,
    progressedAt: ___,
    activities: ____,
    verdict,
    pid: _____,
    sessionId: ______,
    sessions: ________,
    gauges: _______,
    trail: _________,
    echo: __________,
    fills: ___________,
    documentLook: ____________,
    open: _____________,
    transcribed: ______________,
    ...rest
  } = agent
  return { ...rest, health: verdict?.health }
}
