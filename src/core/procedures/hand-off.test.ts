import { expect, test } from 'vitest'
import { HANDOFF_RESULTS, HANDOFF_STATES } from '../../contract/handoffs.ts'
import { HAND_OFF } from './hand-off.ts'

/** Every row that leaves its state; all the others stay where they are and do nothing. */
const TABLE = `
proposed           gated      awaiting_approval  ask
proposed           free       resting            rest
proposed           cancelled  cancelled          finish
awaiting_approval  approved   resting            rest
awaiting_approval  refused    refused            finish
awaiting_approval  died       cancelled          finish
awaiting_approval  cancelled  cancelled          finish
awaiting_approval  timed_out  lapsed             finish
resting            refused    cancelled          finish
resting            rests      saving             save
resting            failed     capturing          capture
resting            died       capturing          capture
resting            held       cancelled          finish
resting            cancelled  cancelled          finish
resting            timed_out  capturing          capture
saving             refused    cancelled          finish
saving             saved      capturing          capture
saving             failed     capturing          capture
saving             died       capturing          capture
saving             held       cancelled          finish
saving             cancelled  cancelled          finish
saving             timed_out  capturing          capture
capturing          refused    cancelled          finish
capturing          captured   stopping           stop
capturing          failed     rolling_back       roll_back
capturing          held       cancelled          finish
capturing          cancelled  cancelled          finish
capturing          timed_out  rolling_back       roll_back
stopping           stopped    starting           start
stopping           failed     rolling_back       roll_back
stopping           stranded   needs_you          ask_person
stopping           held       cancelled          finish
stopping           cancelled  cancelled          finish
stopping           timed_out  needs_you          ask_person
starting           started    proving            prove
starting           failed     rolling_back       roll_back
starting           died       rolling_back       roll_back
starting           held       needs_you          ask_person
starting           cancelled  cancelled          finish
starting           timed_out  rolling_back       roll_back
proving            proved     done               finish
proving            failed     rolling_back       roll_back
proving            died       rolling_back       roll_back
proving            cancelled  cancelled          finish
proving            timed_out  rolling_back       roll_back
rolling_back       resumed    rolled_back        finish
rolling_back       failed     needs_you          ask_person
rolling_back       stranded   needs_you          ask_person
rolling_back       held       needs_you          ask_person
rolling_back       cancelled  cancelled          finish
rolling_back       timed_out  needs_you          ask_person
`

const rows = Object.entries(HAND_OFF).flatMap(([state, inputs]) =>
  Object.entries(inputs).map(([input, row]) => ({ state, input, ...row })),
)

test('the hand-off machine is exactly its table, and every other row stays where it is', () => {
  const moves = rows.filter((row) => row.do !== 'none')
  expect(moves.map((row) => `${row.state} ${row.input} ${row.to} ${row.do}`)).toEqual(
    TABLE.trim()
      .split('\n')
      .map((line) => line.split(/\s+/).join(' ')),
  )
  for (const row of rows.filter((each) => each.do === 'none')) expect(row.to, JSON.stringify(row)).toBe(row.state)
})

test('every state that is not an end ends by time, and an end is an end', () => {
  expect(Object.keys(HAND_OFF)).toEqual([...HANDOFF_STATES, ...HANDOFF_RESULTS])
  // «proposed» lasts no longer than the input that proposed it.
  for (const state of HANDOFF_STATES.slice(1)) expect(HAND_OFF[state].timed_out.do, state).not.toBe('none')
  for (const state of HANDOFF_RESULTS)
    expect(rows.filter((row) => row.state === state && row.do !== 'none')).toEqual([])
})

test('nobody is started before the old generation is dead, and nothing is done before its first work is proved', () => {
  const starting = rows.filter((row) => row.do === 'start').map((row) => `${row.state} ${row.input}`)
  const done = rows.filter((row) => row.to === 'done' && row.do !== 'none').map((row) => `${row.state} ${row.input}`)
  expect({ starting, done }).toEqual({ starting: ['stopping stopped'], done: ['proving proved'] })
})
