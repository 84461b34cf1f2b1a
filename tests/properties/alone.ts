/** What is promised of agents in trouble: never alone with it; and of what may be called a recovery. */
import { expect } from 'vitest'
import { explainView } from '../../src/core/explain.ts'
import { heldBack } from '../../src/core/arbitrate.ts'
import { openItems } from '../../src/core/needs-you-view.ts'
import { statusView } from '../../src/core/views.ts'
import { distrust } from '../../src/core/world.ts'
import { always } from './always.ts'

/** Looks in a row; the rules themselves let a verdict settle for one. */
const MOST_LOOKS = 4

export function alone(): void {
  always(
    `nobody is in trouble for more than ${MOST_LOOKS} looks without an act under way or on trial, or an item`,
    (sim) => {
      for (const [agent, looks] of sim.longestAlone) expect(looks, agent).toBeLessThanOrEqual(MOST_LOOKS)
    },
  )

  always('everybody counts the same items', ({ world }) => {
    const items = openItems(world)
    const { needsYou, needsYouCount } = statusView(world)
    expect([needsYou.length, needsYouCount, new Set(items.map(({ id }) => id)).size]).toEqual([
      items.length,
      items.length,
      items.length,
    ])
  })

  always('no act is promised while rules may not act', ({ world }) => {
    for (const agent of world.agents.values()) {
      const held = heldBack(world, agent)
      if (held === undefined || distrust(world.observer) !== undefined || agent.limit !== undefined) continue
      const next = explainView(world, agent.id)?.next.map(({ what }) => what) ?? []
      expect(next.filter((what) => /^(?:poke \d of|its turn is cut|it is told|it is suspended)/.test(what))).toEqual([])
    }
  })

  always('recovered is who made progress after the act, and work has begun only after such', (sim) => {
    const actedAt = new Map<string, number>()
    const movedAt = new Map<string, number>()
    for (const [at, { input, result }] of sim.moments.entries()) {
      const sightings = input.type === 'report' ? [input.sighting] : input.type === 'look' ? input.sightings : []
      for (const { agent, progress, trace } of sightings) {
        if (progress !== undefined || trace?.kind === 'call') movedAt.set(agent, at)
      }
      for (const event of result.events) {
        if (event.type === 'act.decided') {
          actedAt.set(`${event.agent} ${event.act.kind} ${event.observedAt}`, at)
          if (event.act.precedence !== 'human') actedAt.set(event.agent, at)
        }
        const isRecovered = event.type === 'intervention.judged' && event.result === 'recovered'
        if (isRecovered && event.act !== 'suspend') {
          const act = actedAt.get(`${event.agent} ${event.act} ${event.decidedAt}`) ?? Infinity
          expect(movedAt.get(event.agent) ?? -1, event.act).toBeGreaterThan(act)
        }
        if (event.type === 'work.begun') expect(movedAt.has(event.agent), event.agent).toBe(true)
      }
    }
  })
}
