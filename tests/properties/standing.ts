/** What is promised of restarts, holds and experiments. */
import { expect } from 'vitest'
import type { Event } from '../../src/contract/events.ts'
import { isOver } from '../../src/core/desired.ts'
import { MINUTE } from '../../src/core/durations.ts'
import { MAX_NUDGES } from '../../src/core/policies/waiting-work.ts'
import { MAX_REMINDERS, REMINDER } from '../../src/core/tasks/open-tasks.ts'
import { LOOP_COUNT } from '../../src/core/restarts.ts'
import { distrust } from '../../src/core/world.ts'
import { always, alwaysAfterwards } from './always.ts'

type Decided = Extract<Event, { type: 'act.decided' }>

function byRule(event: Event): event is Decided {
  return event.type === 'act.decided' && event.act.precedence !== 'human'
}

export function standing(): void {
  always('no rule acts on an agent that is held, and nobody but a kill touches one that is frozen', (sim) => {
    const holds = new Map<string, Extract<Event, { type: 'agent.held' }>['hold']>()
    for (const event of sim.events) {
      if (event.type === 'agent.held') holds.set(event.agent, event.hold)
      if (event.type === 'agent.released' || event.type === 'agent.forgotten') holds.delete(event.agent)
      if (event.type !== 'act.decided') continue
      const hold = holds.get(event.agent)
      const isHeld = hold !== undefined && !isOver(hold, { observedAt: event.observedAt, wallAt: event.at })
      const { kind, precedence } = event.act
      if (precedence === 'human' && (kind === 'spawn' || kind === 'resume')) holds.delete(event.agent)
      else if (isHeld && precedence !== 'human') throw new Error(`a ${kind} by ${event.act.by} on a held agent`)
      if (isHeld && hold.state === 'frozen' && kind !== 'kill' && !['spawn', 'resume'].includes(kind)) {
        throw new Error(`a ${kind} on a frozen agent`)
      }
    }
  })

  alwaysAfterwards('no hold outlives its time', (sim) => {
    sim.wait(60, true)
    for (const { id, hold, limit } of sim.world.agents.values()) {
      const at = sim.world.house
      expect(hold !== undefined && isOver(hold, at) && hold.untilAt !== undefined, `${id} is held`).toBe(false)
      expect((limit?.untilAt ?? 0) - at.observedAt, `${id} is limited`).toBeLessThan(9 * 24 * 60 * MINUTE)
    }
  })

  always(
    'nobody is on the list of those who finished twice for the same rest, nor while something is left for it',
    (sim) => {
      const listed = new Set<string>()
      const given = new Set<string>()
      for (const event of sim.events) {
        if (!('agent' in event)) continue
        const { agent } = event
        if (event.type === 'agent.lifecycle-changed' && event.to === 'active') listed.delete(agent)
        const isAnew = event.type === 'act.decided' && ['spawn', 'resume', 'kill'].includes(event.act.kind)
        if (isAnew || event.type === 'agent.forgotten') listed.delete(agent)
        if (event.type === 'work.assigned') given.add(agent)
        if (event.type === 'work.begun' || event.type === 'agent.forgotten') given.delete(agent)
        if (event.type !== 'agent.finished') continue
        expect(listed.has(agent), `${agent} is listed again`).toBe(false)
        expect(given.has(agent), `${agent} has work that waits`).toBe(false)
        listed.add(agent)
      }
    },
  )

  always('nobody is reminded of open tasks more often than three times between two that were closed', (sim) => {
    const told = new Map<string, number>()
    for (const event of sim.events) {
      if (event.type === 'work.signalled' && event.signal.kind === 'tasks_closed') told.delete(event.agent)
      if (event.type !== 'act.decided' || event.act.by !== REMINDER) continue
      told.set(event.agent, (told.get(event.agent) ?? 0) + 1)
      expect(told.get(event.agent)).toBeLessThanOrEqual(MAX_REMINDERS)
    }
  })

  always('a stop by a person is never undone by a rule', (sim) => {
    const stopped = new Set<string>()
    for (const event of sim.events) {
      if (event.type === 'agent.forgotten') stopped.delete(event.agent)
      if (event.type === 'act.ended' && event.act === 'kill' && event.result !== 'done') stopped.delete(event.agent)
      if (event.type !== 'act.decided') continue
      const { kind, precedence } = event.act
      if (precedence !== 'human') expect(stopped.has(event.agent), `${kind} of ${event.agent}`).toBe(false)
      else if (kind === 'kill') stopped.add(event.agent)
      else if (kind === 'spawn' || kind === 'resume') stopped.delete(event.agent)
    }
  })

  always('restarts stay within their budget, and a fresh start of a lost session is not another one', (sim) => {
    const planned = new Map<string, number[]>()
    for (const event of sim.events) {
      const isAnew = event.type === 'act.decided' && event.act.precedence === 'human' && event.act.kind !== 'kill'
      if (isAnew) planned.delete(event.agent)
      if (event.type !== 'restart.planned') continue
      const recent = [...(planned.get(event.agent) ?? []), event.observedAt].filter(
        (at) => at > event.observedAt - 15 * MINUTE,
      )
      planned.set(event.agent, recent)
      expect(recent.length).toBeLessThanOrEqual(LOOP_COUNT)
    }
  })

  always('whoever is limited is told to go on once per limit', (sim) => {
    const told = new Map<string, number>()
    for (const event of sim.events) {
      if (event.type === 'limit.began') told.set(event.agent, 0)
      if (event.type === 'act.ended' && event.act === 'continue' && event.result === 'not_done') {
        told.set(event.agent, (told.get(event.agent) ?? 0) - 1)
      }
      if (!byRule(event) || event.act.kind !== 'continue') continue
      const count = (told.get(event.agent) ?? 1) + 1
      told.set(event.agent, count)
      expect(count, event.agent).toBeLessThanOrEqual(1)
    }
  })

  always(
    'work that waits is told of at most three times, and an episode has at most one interrupt and one kill',
    (sim) => {
      const counts = new Map<string, number>()
      const bump = (key: string, most: number) => {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        expect(count, key).toBeLessThanOrEqual(most)
      }
      for (const event of sim.events) {
        if (event.type === 'work.assigned') counts.delete(`${event.agent} work`)
        if (event.type === 'episode.opened') {
          counts.delete(`${event.agent} interrupt`)
          counts.delete(`${event.agent} kill`)
        }
        if (!byRule(event) || event.act.handoff !== undefined) continue
        const { kind, precedence } = event.act
        if (precedence === 'routing') bump(`${event.agent} work`, MAX_NUDGES)
        if (precedence === 'stuck' && (kind === 'interrupt' || kind === 'kill')) bump(`${event.agent} ${kind}`, 1)
      }
    },
  )

  alwaysAfterwards('every automatic act is an experiment that is judged in time', (sim) => {
    for (const event of sim.events) {
      const isPart =
        event.type === 'act.decided' &&
        (event.act.precedence === 'crash' || event.act.kind === 'message' || event.act.handoff !== undefined)
      if (byRule(event) && !isPart) expect(event.judgeAt, event.act.kind).toBeDefined()
    }
    sim.open.length = 0
    sim.make({ do: 'command', agent: 1, what: 'start' })
    sim.wait(60, true)
    if (distrust(sim.world.observer) !== undefined) return
    for (const { id, experiments = [], act } of sim.world.agents.values()) {
      const late = experiments.filter(
        ({ judgeAt, decidedAt }) => judgeAt < sim.world.house.observedAt - MINUTE && act?.decidedAt !== decidedAt,
      )
      expect(late, id).toEqual([])
    }
  })

  always('the tallies are what the journal says', (sim) => {
    const tried = sim.events.filter((event) => event.type === 'act.decided' && event.judgeAt !== undefined)
    const judged = sim.events.filter(({ type }) => type === 'intervention.judged')
    const tallies = Object.values(sim.world.house.interventions ?? {})
    const sum = (of: (tally: (typeof tallies)[number]) => number) =>
      tallies.reduce((total, each) => total + of(each), 0)
    expect(sum((tally) => tally.tried)).toBe(tried.length)
    expect(sum((each) => each.recovered + each.answered + each.notRecovered + each.unknown)).toBe(judged.length)
  })

  alwaysAfterwards(
    'whoever failed has somebody who sees to it: a plan, a hold, a start under way, or a person',
    (sim) => {
      sim.make({ do: 'command', agent: 1, what: 'start' })
      sim.wait(30, true)
      const { house, agents, observer } = sim.world
      if (distrust(observer) !== undefined || house.emergency.state !== 'armed' || house.mass !== undefined) return
      for (const agent of agents.values()) {
        if (agent.verdict?.cause.kind !== 'dead' || agent.wanted === 'stop') continue
        const isPlanned = agent.restarts?.dueAt !== undefined || agent.act !== undefined
        expect(isPlanned || agent.needsYou.length > 0, agent.id).toBe(true)
      }
    },
  )
}
