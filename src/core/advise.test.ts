import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { Input } from './inputs.ts'
import type { Escalate } from './proposals.ts'
import { step } from './step.ts'
import { createWorld } from './world.ts'
import { MINUTE } from './durations.ts'

/** An agent that hangs, after three pokes and an interrupt. */
function stuckWorld(escalate: Escalate) {
  const since = { seenAt: 0, changedAt: 0 }
  const agent = agentRecord({
    episode: { openedAt: 1, pokes: 3, lastPokeAt: 45 * MINUTE, interruptedAt: 60 * MINUTE, exhausted: false },
    evidence: {
      process: { ...since, alive: true, busy: false, busyAt: 0 },
      hook: { ...since, doing: { kind: 'thinking' }, doingAt: 0 },
      terminal: since,
    },
  })
  const world = createWorld(SETTINGS, { agents: [agent] }, { escalate })
  const input = (at: number, rest: object) =>
    step(world, { id: `i-${at}`, wallAt: at, monoAt: at, ...rest } as unknown as Input)
  input(0, { type: 'boot', openEffects: 0 })
  const events = []
  for (let at = 0; at <= 120 * MINUTE; at += MINUTE / 2) {
    events.push(...input(at, { type: 'look', sightings: [], sentinel: false }).events)
  }
  return { world, events }
}

test('whoever can take over is asked when nothing helped, and arbitrated like anybody', () => {
  const asked: string[] = []
  const { events } = stuckWorld(({ agent, reason }) => {
    asked.push(`${agent.id}: ${reason.split(';')[0]}`)
    return {
      kind: 'switch',
      precedence: 'routing',
      by: 'hand-off',
      reason: 'a dearer model',
      citations: [],
      model: 'opus',
    }
  })
  expect(asked).toEqual(['agent-pan-18: hung: its turn is open and nothing moves'])
  const told = events.flatMap((event) =>
    event.type === 'episode.escalated' || event.type === 'act.held'
      ? `${event.type} ${event.reason.split(';')[0]}`
      : [],
  )
  expect(told).toEqual(['episode.escalated hung: its turn is open and nothing moves', 'act.held virtual has no switch'])
})

test('with nobody to take over, a person is asked all the same', () => {
  const { world, events } = stuckWorld(() => undefined)
  expect(events.map(({ type }) => type)).toContain('episode.escalated')
  expect(world.agents.get('agent-pan-18')?.needsYou.map(({ kind }) => kind)).toContain('attention')
})
