import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { event as eventSchema, type Event, type EventOf, type EventType } from '../contract/events.ts'
import type { RibbonsView } from '../contract/ribbon.ts'
import { drawRibbons, RIBBON_TYPES, type RibbonSource } from './ribbon.ts'

const AGENT = 'agent-1'
let seq = 0

function happened<T extends EventType>(at: number, type: T, given: Partial<EventOf<T>> = {}): Event {
  seq += 1
  return { seq, at, observedAt: at, type, agent: AGENT, generation: 1, ...given } as unknown as Event
}

const health = (at: number, to: 'active' | 'stale' | 'stuck', given: Partial<EventOf<'agent.health-changed'>> = {}) =>
  happened(at, 'agent.health-changed', { to, cause: { kind: 'thinking' }, reason: `it is ${to}`, ...given })
const lifecycle = (at: number, to: EventOf<'agent.lifecycle-changed'>['to']) =>
  happened(at, 'agent.lifecycle-changed', { to, why: 'it said so' })
const house = <T extends EventType>(at: number, type: T, given: Partial<EventOf<T>> = {}) => {
  const { agent: _, generation: __, ...event } = happened(at, type, given) as EventOf<'agent.fenced'>
  return event as unknown as Event
}

function source(given: Partial<RibbonSource>): RibbonSource {
  const agents = [{ agent: AGENT, before: health(-50, 'active'), known: true }]
  return { from: 0, to: 100, seq: 9, agents, monitoring: 'running', events: [], ...given }
}

/** «active 0-40, stale 40-100» */
function shades({ ribbons: [ribbon] }: RibbonsView): string {
  return (ribbon?.segments ?? []).map(({ shade, from, to }) => `${shade} ${from}-${to}`).join(', ')
}

const table: { what: string; given: Partial<RibbonSource>; drawn: string }[] = [
  { what: 'nothing happened', given: {}, drawn: 'active 0-100' },
  {
    what: 'verdicts changed',
    given: { events: [health(40, 'stale'), health(60, 'active')] },
    drawn: 'active 0-40, stale 40-60, active 60-100',
  },
  {
    what: 'it was idle, and is not yet judged when it begins again',
    given: { events: [lifecycle(10, 'idle'), lifecycle(30, 'active'), health(35, 'active'), lifecycle(90, 'stopped')] },
    drawn: 'active 0-10, idle 10-30, unknown 30-35, active 35-90, stopped 90-100',
  },
  {
    what: 'it came into being',
    given: {
      agents: [{ agent: AGENT, before: undefined, known: false }],
      events: [happened(20, 'agent.registered'), lifecycle(30, 'active')],
    },
    drawn: 'uninitialized 20-30, unknown 30-100',
  },
  {
    what: 'it was there and never began',
    given: { agents: [{ agent: AGENT, before: undefined, known: true }] },
    drawn: 'uninitialized 0-100',
  },
  { what: 'it is not there yet', given: { agents: [{ agent: AGENT, before: undefined, known: false }] }, drawn: '' },
  {
    what: 'the daemon was down',
    given: { events: [house(70, 'house.booted', { downMs: 30 })] },
    drawn: 'active 0-40, unwatched 40-70, active 70-100',
  },
  {
    what: 'the daemon was down since before the window',
    given: { events: [house(70, 'house.booted', { downMs: 300 })] },
    drawn: 'unwatched 0-70, active 70-100',
  },
  {
    what: 'the daemon was down for no time',
    given: { events: [house(70, 'house.booted', { downMs: 0 })] },
    drawn: 'active 0-100',
  },
  {
    what: 'the machine slept',
    given: { events: [house(70, 'house.clock-jumped', { wallMs: 25, monoMs: 5 })] },
    drawn: 'active 0-50, unwatched 50-70, active 70-100',
  },
  {
    what: 'the clock was set back',
    given: { events: [house(70, 'house.clock-jumped', { wallMs: -25, monoMs: 5 }), health(50, 'stale')] },
    drawn: 'active 0-70, stale 70-100',
  },
  {
    what: 'who does not live needs no watching',
    given: { events: [lifecycle(10, 'stopped'), house(70, 'house.booted', { downMs: 30 })] },
    drawn: 'active 0-10, stopped 10-100',
  },
  {
    what: 'who is idle does',
    given: { events: [lifecycle(10, 'idle'), house(70, 'house.booted', { downMs: 30 })] },
    drawn: 'active 0-10, idle 10-40, unwatched 40-70, idle 70-100',
  },
  {
    what: 'monitoring was paused for a while',
    given: { events: [house(20, 'monitoring.stopped'), lifecycle(40, 'idle'), house(60, 'monitoring.started')] },
    drawn: 'active 0-20, unknown 20-40, idle 40-100',
  },
  {
    what: 'monitoring was paused before and goes on',
    given: { events: [house(20, 'monitoring.started')] },
    drawn: 'unknown 0-20, active 20-100',
  },
  { what: 'monitoring is paused all the time', given: { monitoring: 'paused' }, drawn: 'unknown 0-100' },
  {
    what: 'Cloister was blind and then late',
    given: {
      events: [
        house(20, 'house.blinded', { why: 'no tmux' }),
        house(30, 'house.sighted'),
        house(50, 'house.degraded', { why: 'late', lateMs: 9 }),
        house(60, 'house.sighted'),
      ],
    },
    drawn: 'active 0-20, unknown 20-30, active 30-50, unknown 50-60, active 60-100',
  },
  {
    what: 'Cloister was blind before',
    given: { events: [house(20, 'house.sighted')] },
    drawn: 'unknown 0-20, active 20-100',
  },
  {
    what: 'a new boot sees',
    given: { events: [house(20, 'house.blinded', { why: 'x' }), house(60, 'house.booted', { downMs: 10 })] },
    drawn: 'active 0-20, unknown 20-50, unwatched 50-60, active 60-100',
  },
  {
    what: 'a new generation, which is a new segment even of the same shade',
    given: {
      events: [
        lifecycle(10, 'stopped'),
        happened(20, 'act.decided', { act: { kind: 'spawn', generation: 2 } } as never),
        lifecycle(30, 'active'),
      ],
    },
    drawn: 'active 0-10, stopped 10-20, stopped 20-30, unknown 30-100',
  },
  {
    what: 'what was true for no time is left out',
    given: { events: [health(40, 'stale'), health(40, 'stuck'), health(60, 'stale'), health(60, 'stuck')] },
    drawn: 'active 0-40, stuck 40-100',
  },
  { what: 'an agent that nobody asked for', given: { agents: [], events: [health(40, 'stale')] }, drawn: '' },
]

test.each(table)('$what', ({ given, drawn }) => {
  expect(shades(drawRibbons(source(given)))).toBe(drawn)
})

test('it leaves its start, and how it works is told only as far as it lasts', () => {
  const events = [
    health(10, 'active', { cause: { kind: 'starting' }, reason: 'starting' }),
    health(20, 'active', {
      cause: { kind: 'working_tool', name: 'Bash', ageMs: 0, boundMs: 9 },
      reason: 'running Bash',
    }),
    health(30, 'active', {
      cause: { kind: 'waiting_user', what: 'Which?' },
      reason: 'waiting for your answer: Which?',
    }),
    health(40, 'active', { cause: { kind: 'compacting' }, reason: 'compacting its context' }),
    health(50, 'stale', { cause: { kind: 'thinking' }, reason: 'thinking; no sign of work for 5 min' }),
  ]
  const { ribbons } = drawRibbons(source({ events, agents: [{ agent: AGENT, before: undefined, known: false }] }))
  expect(ribbons[0]?.segments.map(({ from, shade, cause, reason }) => [from, shade, cause, reason])).toEqual([
    [10, 'active', 'starting', 'starting'],
    [20, 'active', 'at_work', 'at work'],
    [30, 'waiting', 'waiting_user', 'waiting for your answer: Which?'],
    [40, 'active', 'at_work', 'at work'],
    [50, 'stale', 'at_work', 'thinking; no sign of work for 5 min'],
  ])
})

test('a segment says why', () => {
  const events = [
    health(40, 'stale', { cause: { kind: 'rate_limited' }, generation: 3 }),
    house(60, 'house.booted', { downMs: 10 }),
  ]
  expect(drawRibbons(source({ events }))).toEqual({
    from: 0,
    to: 100,
    seq: 9,
    ribbons: [
      {
        agent: AGENT,
        segments: [
          { from: 0, to: 40, shade: 'active', cause: 'at_work', reason: 'at work', generation: 1 },
          { from: 40, to: 50, shade: 'limited', cause: 'rate_limited', reason: 'it is stale', generation: 3 },
          {
            from: 50,
            to: 60,
            shade: 'unwatched',
            reason: 'nobody looked: Cloister was down or the machine slept',
            generation: 3,
          },
          { from: 60, to: 100, shade: 'limited', cause: 'rate_limited', reason: 'it is stale', generation: 3 },
        ],
        marks: [],
      },
    ],
  })
})

describe('marks', () => {
  const act = { by: 'you', reason: 'because', generation: 1 }
  const item = { id: 'i', kind: 'dead', sentence: 'It is dead.', hint: '', raisedWallAt: 0 } as const
  const other = { agent: 'agent-2', before: undefined, known: true }

  test('tell what was done to whom; an emergency stop marks those whom it ended', () => {
    seq = 100
    const events = [
      happened(10, 'act.decided', { act: { ...act, kind: 'poke' }, n: 1 } as never),
      happened(20, 'act.decided', { act: { ...act, kind: 'kill' } } as never),
      house(30, 'needs-you.raised', { item: { ...item, agent: AGENT } }),
      house(31, 'needs-you.raised', { item }),
      house(40, 'emergency.triggered', { by: 'you', reason: 'fire' }),
      house(41, 'emergency.ended', { stopped: [AGENT], survivors: [], confirmed: true }),
      happened(50, 'act.ended'),
      happened(60, 'handoff.ended', { handoff: 'h-1', result: 'refused', detail: 'no' }),
      happened(65, 'act.decided', { act: { ...act, kind: 'kill', handoff: 'h-2' } } as never),
      happened(70, 'handoff.ended', { handoff: 'h-2', result: 'done', detail: 'it works' }),
    ]
    const { ribbons } = drawRibbons(source({ events, agents: [...source({}).agents, other] }))
    const sentence = 'Emergency stop done: 1 agent (agent-1) stopped, 0 survivors.'
    expect(ribbons.map(({ marks }) => marks)).toEqual([
      [
        { seq: 101, at: 10, kind: 'poke', sentence: 'Poke 1 of agent-1 decided by you: because.' },
        { seq: 102, at: 20, kind: 'kill', sentence: 'Kill of agent-1 decided by you: because.' },
        { seq: 103, at: 30, kind: 'needs-you', sentence: 'Needs you: It is dead.' },
        { seq: 106, at: 41, kind: 'emergency', sentence },
        {
          ...{ seq: 110, at: 70, kind: 'handoff' },
          sentence: 'Hand-off h-2 of agent-1 ended: done, the successor goes on: it works.',
        },
      ],
      [],
    ])
  })
})

test('every type that is read is one that exists', () => {
  const known = new Set<string>(eventSchema.options.map(({ shape }) => shape.type.value))
  expect(RIBBON_TYPES.filter((type) => !known.has(type))).toEqual([])
})

test('segments are gapless and ordered, never empty, and end with the window', () => {
  const at = fc.integer({ min: -20, max: 130 })
  const any = fc.oneof(
    fc.tuple(at, fc.constantFrom('active', 'stale', 'stuck')).map(([when, to]) => health(when, to)),
    fc.tuple(at, fc.constantFrom('active', 'idle', 'stopped', 'suspended')).map(([when, to]) => lifecycle(when, to)),
    fc.tuple(at, fc.nat(80)).map(([when, downMs]) => house(when, 'house.booted', { downMs })),
    fc
      .tuple(at, fc.integer({ min: -80, max: 80 }))
      .map(([when, wallMs]) => house(when, 'house.clock-jumped', { wallMs, monoMs: 0 })),
    fc
      .tuple(at, fc.constantFrom('monitoring.started', 'monitoring.stopped', 'house.sighted'))
      .map(([when, type]) => house(when, type)),
    at.map((when) => house(when, 'house.blinded', { why: 'x' })),
    at.map((when) => happened(when, 'agent.registered')),
    fc
      .tuple(at, fc.nat(3))
      .map(([when, generation]) => happened(when, 'act.decided', { act: { kind: 'spawn', generation } } as never)),
  )
  fc.assert(
    fc.property(fc.array(any, { maxLength: 30 }), fc.boolean(), (events, known) => {
      const { ribbons } = drawRibbons(source({ events, agents: [{ agent: AGENT, before: undefined, known }] }))
      const segments = ribbons[0]?.segments ?? []
      for (const [index, { from, to }] of segments.entries()) {
        expect(to).toBeGreaterThan(from)
        expect(to).toBe(segments[index + 1]?.from ?? 100)
      }
      if (known) expect(segments[0]?.from).toBe(0)
      const marks = ribbons[0]?.marks ?? []
      expect(marks.map((mark) => mark.at)).toEqual(marks.map((mark) => mark.at).toSorted((a, b) => a - b))
    }),
    { numRuns: 1_000 },
  )
})
