import { expect, test } from 'vitest'
import { readAgentsSearch, readHandoffsSearch, readOverviewSearch } from './search.ts'

test.each([
  { search: {}, read: {} },
  { search: { hours: '24', order: 'name' }, read: { hours: 24, order: 'name' } },
  { search: { hours: 8, order: 'size' }, read: { hours: 8 } },
  { search: { hours: 1e9 }, read: {} },
])('the overview understands $search as $read', ({ search, read }) => {
  expect(readOverviewSearch(search)).toEqual(read)
})

test.each([
  { search: {}, read: {} },
  { search: { q: '' }, read: {} },
  { search: { q: 'upload', states: ['idle', 'stuck', 'rich'] }, read: { q: 'upload', states: ['stuck', 'idle'] } },
  { search: { q: 5, states: 'stuck' }, read: {} },
])('the agents page understands $search as $read', ({ search, read }) => {
  expect(readAgentsSearch(search)).toEqual(read)
})

test.each([
  { search: {}, read: {} },
  {
    search: { agent: 'agent-pan-18', trigger: 'manual', method: 'kill_spawn', state: 'open', since: '2026-01-20' },
    read: { agent: 'agent-pan-18', trigger: 'manual', method: 'kill_spawn', state: 'open', since: '2026-01-20' },
  },
  {
    search: { issue: 'pan-18', state: 'rolled_back', open: 'h-42' },
    read: { issue: 'pan-18', state: 'rolled_back', open: 'h-42' },
  },
  {
    search: { agent: '<b>', trigger: 'toString', method: 3, state: 'gone', since: 'yesterday', open: '../x' },
    read: {},
  },
])('the hand-offs page understands $search as $read', ({ search, read }) => {
  expect(readHandoffsSearch(search)).toEqual(read)
})
