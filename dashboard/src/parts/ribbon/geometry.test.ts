import { describe, expect, test } from 'vitest'
import type { RibbonSegment } from '../../../../src/contract/ribbon.ts'
import { barsOf, fitted, clampMinute, minuteAt, placeMarks, segmentAt, ticksOf } from './geometry.ts'

const MINUTE = 60_000
const span = { from: 0, to: 100 * MINUTE }

function segment(from: number, to: number, rest: Partial<RibbonSegment> = {}): RibbonSegment {
  return { from: from * MINUTE, to: to * MINUTE, shade: 'active', generation: 1, ...rest }
}

describe('bars', () => {
  test('stand where the time is, and equal neighbours are one', () => {
    const segments = [
      segment(0, 20, { cause: 'at_work' }),
      segment(20, 50, { cause: 'at_work' }),
      segment(50, 60, { cause: 'starting' }),
      segment(60, 100, { shade: 'stuck', cause: 'looping' }),
    ]
    expect(barsOf(segments, span, 200)).toEqual([
      { x: 0, width: 100, shade: 'active', texture: 'solid' },
      { x: 100, width: 20, shade: 'active', texture: 'lines' },
      { x: 120, width: 80, shade: 'stuck', texture: 'waves' },
    ])
  })

  test('the worst of what shares a point is seen, however short', () => {
    const segments = [segment(0, 50), segment(50, 50.1, { shade: 'stuck' }), segment(50.1, 100)]
    expect(barsOf(segments, span, 10)).toEqual([
      { x: 0, width: 5, shade: 'active', texture: 'solid' },
      { x: 5, width: 1, shade: 'stuck', texture: 'solid' },
      { x: 6, width: 4, shade: 'active', texture: 'solid' },
    ])
  })

  test('what lies outside the window is cut off, and a gap stays empty', () => {
    const segments = [segment(-50, 10), segment(90, 150, { shade: 'idle' })]
    expect(barsOf(segments, span, 100)).toEqual([
      { x: 0, width: 10, shade: 'active', texture: 'solid' },
      { x: 90, width: 10, shade: 'idle', texture: 'solid' },
    ])
  })
})

test('marks outside are left out, equal ones at one place are one, and the weightiest lies on top', () => {
  const marks = [
    { seq: 1, at: 50 * MINUTE, kind: 'needs-you', sentence: '' },
    { seq: 2, at: 50 * MINUTE, kind: 'poke', sentence: '' },
    { seq: 3, at: 50 * MINUTE + 1, kind: 'poke', sentence: '' },
    { seq: 4, at: -MINUTE, kind: 'kill', sentence: '' },
  ] as const
  expect(placeMarks(marks, span, 100)).toEqual([
    { x: 50, kind: 'poke' },
    { x: 50, kind: 'needs-you' },
  ])
})

test('a mark at an edge is not cut off', () => {
  const marks = [span.from, span.to].map((at, seq) => ({ seq, at, kind: 'emergency' as const, sentence: '' }))
  expect(placeMarks(marks, span, 100).map(({ x }) => x)).toEqual([5, 95])
})

test.each([
  { at: 0, found: 0 },
  { at: 19.9, found: 0 },
  { at: 20, found: 1 },
  { at: 60, found: 1 },
  { at: -1, found: undefined },
  { at: 61, found: undefined },
])('at minute $at it is segment $found', ({ at, found }) => {
  const segments = [segment(0, 20), segment(20, 60)]
  expect(segmentAt(segments, at * MINUTE)).toBe(found === undefined ? undefined : segments[found])
})

test('a place is a whole minute inside the window', () => {
  const odd = { from: 30_000, to: 10 * MINUTE + 30_000 }
  expect([minuteAt(0, odd), minuteAt(0.5, odd), minuteAt(1, odd), clampMinute(-5, odd)]).toEqual([
    MINUTE,
    6 * MINUTE,
    10 * MINUTE,
    MINUTE,
  ])
})

test.each([
  { hours: 2, minutes: 15 },
  { hours: 8, minutes: 60 },
  { hours: 24, minutes: 180 },
  { hours: 72, minutes: 720 },
])('$hours hours have a tick every $minutes minutes, on round local times', ({ hours, minutes }) => {
  const to = new Date(2026, 0, 20, 22, 7).getTime()
  const ticks = ticksOf({ from: to - hours * 60 * MINUTE, to })
  const steps = new Set(ticks.slice(1).map((at, index) => (at - (ticks[index] ?? 0)) / MINUTE))
  expect({ steps: [...steps], seconds: ticks.every((at) => new Date(at).getSeconds() === 0) }).toEqual({
    steps: [minutes],
    seconds: true,
  })
})

test.each([
  ['a night that has just begun', 2, 10],
  ['half an hour', 25, 30],
  ['three hours', 180, 240],
  ['longer than half of the window', 300, 480],
  ['as long as the window', 480, 480],
])('fitted: %s fills the ribbon', (_, oldestMin, lengthMin) => {
  const to = 1_000 * 3_600_000
  const segment = { from: to - oldestMin * 60_000, to, shade: 'active' as const, generation: 1 }
  const young = { ...segment, from: to - 60_000 }
  const ribbons = [segment, young].map((only) => ({ agent: 'agent-1', segments: [only], marks: [] }))
  expect(fitted({ from: to - 8 * 3_600_000, to, ribbons })).toEqual({ from: to - lengthMin * 60_000, to })
})

test('fitted: nobody is there', () => {
  expect(fitted({ from: 0, to: 8 * 3_600_000, ribbons: [] })).toEqual({
    from: 7 * 3_600_000 + 50 * 60_000,
    to: 8 * 3_600_000,
  })
})
