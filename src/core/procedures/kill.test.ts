import { expect, test } from 'vitest'
import type { Outcome } from '../../contract/effects.ts'
import { KILL, killInput, MAX_ATTEMPTS } from './kill.ts'

const TABLE = `
salvaging   done       ending      end
salvaging   over       salvaging   none
salvaging   survivors  salvaging   none
salvaging   not_done   refused     refuse
salvaging   unknown    salvaging   retry
salvaging   fenced     refused     refuse
salvaging   timed_out  refused     refuse
ending      done       saving      save
ending      over       ended       finish
ending      survivors  incomplete  report
ending      not_done   ending      retry
ending      unknown    ending      retry
ending      fenced     refused     refuse
ending      timed_out  incomplete  report
saving      done       ended       finish
saving      over       saving      none
saving      survivors  saving      none
saving      not_done   ended       finish_unsaved
saving      unknown    saving      retry
saving      fenced     ended       finish_unsaved
saving      timed_out  ended       finish_unsaved
`

test('the kill machine is exactly its table, and its ends are ends', () => {
  const lines = Object.entries(KILL).flatMap(([state, rows]) =>
    Object.entries(rows).map(([input, row]) => `${state} ${input} ${row.to} ${row.do}`),
  )
  const drawn = TABLE.trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))
  expect(lines.slice(0, drawn.length)).toEqual(drawn)
  for (const line of lines.slice(drawn.length)) {
    const [state, , to, action] = line.split(' ')
    expect([to, action], line).toEqual([state, 'none'])
  }
})

test('nothing is ended that was not saved', () => {
  const toEnding = Object.entries(KILL).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) => (row.do === 'end' ? `${state} ${input}` : [])),
  )
  expect(toEnding).toEqual(['salvaging done'])
})

test('nothing is over before it was saved after its end, or that is told', () => {
  const finished = Object.entries(KILL).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) =>
      row.to === 'ended' && row.do !== 'none' ? `${state} ${input}` : [],
    ),
  )
  expect(finished).toEqual(['ending over', 'saving done', 'saving not_done', 'saving fenced', 'saving timed_out'])
})

test.each<[Outcome, number, string]>([
  [{ result: 'done' }, 1, 'done'],
  [{ result: 'done', survivors: [] }, 1, 'done'],
  [{ result: 'done', survivors: ['4711'] }, 1, 'survivors'],
  [{ result: 'done', survivors: [], final: true }, 1, 'over'],
  [{ result: 'unknown' }, 1, 'unknown'],
  [{ result: 'unknown' }, MAX_ATTEMPTS, 'timed_out'],
  [{ result: 'not_done' }, MAX_ATTEMPTS, 'timed_out'],
  [{ result: 'fenced' }, MAX_ATTEMPTS, 'fenced'],
])('%j at attempt %i is %s', (outcome, attempts, expected) => {
  expect(killInput(outcome, attempts)).toBe(expected)
})
