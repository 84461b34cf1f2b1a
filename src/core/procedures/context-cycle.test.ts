import { expect, test } from 'vitest'
import { handoffTableSuite, rowsOf } from '../../../tests/machines/hand-off-table-suite.ts'
import { CONTEXT_CYCLE } from './context-cycle.ts'

/** Every row that leaves its state, or does it once more; all the others stay where they are and do nothing. */
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
resting            failed     cancelled          finish
resting            died       cancelled          finish
resting            held       cancelled          finish
resting            cancelled  cancelled          finish
resting            timed_out  cancelled          finish
saving             refused    cancelled          finish
saving             saved      capturing          capture
saving             failed     rolling_back       roll_back
saving             died       cancelled          finish
saving             held       cancelled          finish
saving             cancelled  cancelled          finish
saving             timed_out  rolling_back       roll_back
saving             again      resting            rest
capturing          refused    cancelled          finish
capturing          captured   stopping           stop
capturing          failed     rolling_back       roll_back
capturing          held       cancelled          finish
capturing          cancelled  cancelled          finish
capturing          timed_out  rolling_back       roll_back
stopping           stopped    starting           start
stopping           failed     rolling_back       roll_back
stopping           died       cancelled          finish
stopping           held       cancelled          finish
stopping           cancelled  cancelled          finish
stopping           timed_out  rolling_back       roll_back
stopping           again      stopping           stop
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
proving            again      starting           start
rolling_back       resumed    rolled_back        ask_person
rolling_back       failed     needs_you          ask_person
rolling_back       stranded   needs_you          ask_person
rolling_back       held       needs_you          ask_person
rolling_back       cancelled  cancelled          finish
rolling_back       timed_out  needs_you          ask_person
`

const rows = rowsOf(CONTEXT_CYCLE)

handoffTableSuite(CONTEXT_CYCLE, TABLE)

test('nothing is cleared before the document is captured, and nothing is done before its first work is proved', () => {
  const to = (action: string) => rows.filter((row) => row.do === action).map((row) => `${row.state} ${row.input}`)
  const done = rows.filter((row) => row.to === 'done' && row.do !== 'none').map((row) => `${row.state} ${row.input}`)
  expect({ clear: to('stop'), deliver: to('start'), done }).toEqual({
    clear: ['capturing captured', 'stopping again'],
    deliver: ['stopping stopped', 'proving again'],
    done: ['proving proved'],
  })
})
