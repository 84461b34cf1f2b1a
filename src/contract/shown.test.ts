import { expect, test } from 'vitest'
import { SHOWN_ACTIVE, shownActive, shownOf, type Shown } from './shown.ts'
import { causeClass, health, lifecycle, type CauseClass, type CauseKind } from './verdict.ts'

const WAITING: readonly (CauseKind | CauseClass)[] = [
  'waiting_permission',
  'waiting_user',
  'startup_blocked',
  'auth_needed',
]

test('whoever waits for a person is shown as waiting, and a limit as limited, whatever the clock makes of it', () => {
  const kinds = [...causeClass.options, 'working_tool', 'thinking', 'waiting_background', 'compacting'] as const
  for (const kind of kinds) {
    for (const judged of health.exclude(['unknown']).options) {
      const expected = WAITING.includes(kind) ? 'waiting' : kind === 'rate_limited' ? 'limited' : judged
      expect([kind, judged, shownActive(judged, kind)]).toEqual([kind, judged, expected])
    }
    expect(shownActive('unknown', kind)).toBe('unknown')
  }
})

test.each<[Parameters<typeof shownOf>[0], Shown]>([
  [{ lifecycle: 'active', health: 'active', cause: { kind: 'waiting_permission' } }, 'waiting'],
  [{ lifecycle: 'active', health: 'stale', cause: { kind: 'rate_limited' } }, 'limited'],
  [{ lifecycle: 'active', health: 'warning', cause: { kind: 'api_error' } }, 'warning'],
  [{ lifecycle: 'active' }, 'unknown'],
  // What it waited for when it was last judged says nothing of one that rests.
  [{ lifecycle: 'idle', health: 'warning', cause: { kind: 'waiting_user' } }, 'idle'],
  [{ lifecycle: 'stopped', health: 'stale', cause: { kind: 'rate_limited' } }, 'stopped'],
])('%j is shown as %s', (seen, shown) => {
  expect(shownOf(seen)).toBe(shown)
})

test('every health can be shown, and every lifecycle but active', () => {
  for (const each of health.options) expect(SHOWN_ACTIVE).toContain(each)
  for (const each of lifecycle.exclude(['active']).options) expect(shownOf({ lifecycle: each })).toBe(each)
})
