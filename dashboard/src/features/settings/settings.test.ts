import { expect, test } from 'vitest'
import type { ConfigKeyView, ConfigView } from '../../../../src/contract/config-view.ts'
import { changeOf, NO_DRAFT, problemsAt, rebased, valueIn, withEdit, type Draft } from './draft.ts'
import { groupsOf, nameIn, titleOf, unitOf } from './groups.ts'

const stuck: ConfigKeyView = {
  path: 'thresholds.stuck',
  help: 'Minutes without activity until an agent is stuck (red).',
  kind: 'number',
  value: 45,
  default: 30,
  isSet: true,
  inEffect: true,
}
const sources: ConfigKeyView = {
  path: 'monitoring.heartbeat_sources',
  help: 'Passive witnesses that are asked.',
  kind: 'list',
  value: ['git_activity'],
  default: ['git_activity'],
  isSet: false,
  inEffect: true,
}
const view: ConfigView = {
  file: '/home/cloister.yaml',
  autoStart: true,
  config: {},
  keys: [stuck, sources],
  problems: [],
  etag: 'one',
}

test('edits are gathered into one change, and one that changes nothing is none', () => {
  const edited = withEdit(withEdit(NO_DRAFT, stuck, { unset: true }), sources, { set: [] })
  expect(changeOf(edited, view)).toEqual({
    etag: 'one',
    set: { 'monitoring.heartbeat_sources': [] },
    unset: ['thresholds.stuck'],
  })
  expect(valueIn(edited, stuck)).toBe(30)
  const back = withEdit(withEdit(edited, stuck, { set: 45 }), sources, { set: ['git_activity'] })
  expect(back).toEqual(NO_DRAFT)
  expect(withEdit(NO_DRAFT, sources, { unset: true })).toEqual(NO_DRAFT)
})

test('after somebody else changed the file only what still differs is left', () => {
  const draft: Draft = new Map([
    ['thresholds.stuck', { set: 60 }],
    ['monitoring.heartbeat_sources', { set: [] }],
    ['gone.key', { set: 1 }],
  ])
  const after = { ...view, etag: 'two', keys: [{ ...stuck, value: 60 }, sources] }
  expect(rebased(draft, after)).toEqual(new Map([['monitoring.heartbeat_sources', { set: [] }]]))
})

test('problems stand at their keys', () => {
  const lines = [
    '/home/cloister.yaml:3:10  thresholds.stuck  expected more than 0, got -1',
    '/home/cloister.yaml:7:5  monitoring.heartbeat_sources.0  expected one of a, b, got "c"',
    '/home/cloister.yaml:9:1  nonsense  unknown key',
    'It is no YAML.',
  ]
  expect(problemsAt(lines, view)).toEqual({
    byKey: new Map([
      ['thresholds.stuck', 'expected more than 0, got -1'],
      ['monitoring.heartbeat_sources', 'expected one of a, b, got "c"'],
    ]),
    others: [lines[2], lines[3]],
  })
})

test('keys are found by words of their path and help', () => {
  const found = (looked: string) => groupsOf(view.keys, looked).map(({ name, keys }) => [name, keys.length])
  expect(found('')).toEqual([
    ['thresholds', 1],
    ['monitoring', 1],
  ])
  expect(found('stuck minutes')).toEqual([['thresholds', 1]])
  expect(found('heartbeat sources')).toEqual([['monitoring', 1]])
  expect(found('nothing like that')).toEqual([])
  expect([titleOf('auto_actions'), nameIn('model_selection.tiers.opus')]).toEqual(['Auto actions', 'tiers.opus'])
})

test.each([
  ['thresholds.stale', 'Minutes without activity.', 'minutes'],
  ['runs.cost_ceiling_usd', 'Cost of all runs.', 'USD'],
  ['runs.consensus_percent', 'Share of agents.', '%'],
  ['runs.seconds_between', 'Seconds between two runs.', 'seconds'],
  ['context_cycle.retries', 'Repeats of a step.', undefined],
])('the unit of %s', (path, help, unit) => {
  expect(unitOf({ path, help })).toBe(unit)
})
