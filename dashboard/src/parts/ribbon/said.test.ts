import { expect, test } from 'vitest'
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import { sayAt } from './said.ts'

const now = new Date(2026, 0, 20, 23, 0).getTime()
const minutesAgo = (minutes: number): number => now - minutes * 60_000

const ribbon: Ribbon = {
  agent: 'agent-pan-18',
  segments: [
    { from: minutesAgo(90), to: minutesAgo(60), shade: 'active', cause: 'at_work', generation: 1 },
    { from: minutesAgo(60), to: minutesAgo(50), shade: 'unwatched', generation: 1 },
    { from: minutesAgo(50), to: minutesAgo(20), shade: 'stuck', cause: 'looping', reason: 'six times', generation: 1 },
    { from: minutesAgo(20), to: now, shade: 'stopped', generation: 1 },
  ],
  marks: [
    { seq: 9, at: minutesAgo(40) + 9_000, kind: 'poke', sentence: 'Poke 2 of agent-pan-18 decided by cloister.' },
  ],
}

test.each([
  { at: 100, says: 'At 21:20 (100 min ago) agent-pan-18 was not there yet.' },
  { at: 70, says: 'At 21:50 (70 min ago) agent-pan-18 was active: at work.' },
  { at: 55, says: 'At 22:05 (55 min ago) nobody watched agent-pan-18.' },
  {
    at: 40,
    says: 'At 22:20 (40 min ago) agent-pan-18 was stuck: six times. Poke 2 of agent-pan-18 decided by cloister.',
  },
  { at: 0, says: 'At 23:00 (now) agent-pan-18 was stopped.' },
])('$at minutes ago', ({ at, says }) => {
  expect(sayAt(ribbon, minutesAgo(at), now)).toBe(says)
})
