import { expect, test } from 'vitest'
import type { RibbonSegment } from '../../../../src/contract/ribbon.ts'
import { timeSpent } from './time-spent.ts'

const segment = (from: number, to: number, more: Partial<RibbonSegment>): RibbonSegment => ({
  ...{ from, to, shade: 'active', generation: 1 },
  ...more,
})

test('durations per cause within the window, the longest first; a cause that changes its colour goes on', () => {
  const segments = [
    segment(0, 40, { cause: 'at_work' }),
    segment(40, 60, { cause: 'waiting_permission' }),
    segment(60, 70, { cause: 'waiting_permission', shade: 'warning' }),
    segment(70, 90, { cause: 'at_work' }),
    segment(90, 100, { shade: 'idle' }),
    segment(100, 200, { shade: 'unwatched' }),
  ]
  expect(timeSpent(segments, { from: 20, to: 110 })).toEqual([
    {
      ...{ what: 'at work', ms: 40, share: 40 / 90, times: 2, longestMs: 20 },
      parts: [{ shade: 'active', ms: 40 }],
    },
    {
      ...{ what: 'waiting for your permission', ms: 30, share: 30 / 90, times: 1, longestMs: 30 },
      parts: [
        { shade: 'active', ms: 20 },
        { shade: 'warning', ms: 10 },
      ],
    },
    { what: 'idle', ms: 10, share: 10 / 90, times: 1, longestMs: 10, parts: [{ shade: 'idle', ms: 10 }] },
    {
      ...{ what: 'nobody watched', ms: 10, share: 10 / 90, times: 1, longestMs: 10 },
      parts: [{ shade: 'unwatched', ms: 10 }],
    },
  ])
})

test('before it was there, nothing', () => {
  expect(timeSpent([], { from: 0, to: 10 })).toEqual([])
})
