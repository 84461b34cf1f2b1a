/** What holds of every machine that a hand-off walks: it is exactly the table that a reader sees, and it comes to an end. */
import { expect, test } from 'vitest'
import { HANDOFF_RESULTS, HANDOFF_STATES } from '../../src/contract/handoffs.ts'
import type { HAND_OFF } from '../../src/core/procedures/hand-off.ts'

type HandoffTable = typeof HAND_OFF

export function rowsOf(table: HandoffTable) {
  return Object.entries(table).flatMap(([state, inputs]) =>
    Object.entries(inputs).map(([input, row]) => ({ state, input, ...row })),
  )
}

/** `drawn`: every row that does something, as `state input next action`. */
export function handoffTableSuite(table: HandoffTable, drawn: string): void {
  const rows = rowsOf(table)

  test('it is exactly its table, and every other row stays where it is', () => {
    const moves = rows.filter((row) => row.do !== 'none')
    expect(moves.map((row) => `${row.state} ${row.input} ${row.to} ${row.do}`)).toEqual(
      drawn
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).join(' ')),
    )
    for (const row of rows.filter((each) => each.do === 'none')) expect(row.to, JSON.stringify(row)).toBe(row.state)
  })

  test('every state that is not an end ends by time, and an end is an end', () => {
    expect(Object.keys(table)).toEqual([...HANDOFF_STATES, ...HANDOFF_RESULTS])
    // «proposed» lasts no longer than the input that proposed it.
    for (const state of HANDOFF_STATES.slice(1)) expect(table[state].timed_out.do, state).not.toBe('none')
    for (const state of HANDOFF_RESULTS)
      expect(rows.filter((row) => row.state === state && row.do !== 'none')).toEqual([])
  })
}
