import { expect, test } from 'vitest'
import type { Outcome } from '../../contract/effects.ts'
import { KILL, killInput, MAX_ATTEMPTS } from './kill.ts'

const TABLE = `
salvaging   done       ending      end
salvaging   survivors  salvaging   none
salvaging   not_done   refused     refuse
salvaging   unknown    salvaging   retry
salvaging   fenced     refused     refuse
salvaging   timed_out  refused     refuse
ending      done       ended       finish
ending      survivors  incomplete  report
ending      not_done   ending      retry
ending      unknown    ending      retry
ending      fenced     refused     refuse
ending      timed_out  incomplete  report
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

test.each<[Outcome, number, string]>([
  [{ result: 'done' }, 1, 'done'],
  [{ result: 'done', survivors: [] }, 1, 'done'],
  [{ result: 'done', survivors: ['4711'] }, 1, 'survivors'],
  [{ result: 'unknown' }, 1, 'unknown'],
  [{ result: 'unknown' }, MAX_ATTEMPTS, 'timed_out'],
  [{ result: 'not_done' }, MAX_ATTEMPTS, 'timed_out'],
  [{ result: 'fenced' }, MAX_ATTEMPTS, 'fenced'],
])('%j at attempt %i is %s', (outcome, attempts, expected) => {
  expect(killInput(outcome, attempts)).toBe(expected)
})
