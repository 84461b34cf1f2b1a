import { expect, test } from 'vitest'
import { EMERGENCY } from './emergency.ts'

/** state | input | next state | action: the whole machine, as a reader would draw it. */
const TABLE = `
armed     trigger        stopping  stop
armed     explained      armed     none
armed     sentinel_seen  stopping  stop
armed     confirmed      armed     none
armed     survived       armed     none
armed     failed         armed     none
armed     timed_out      armed     none
armed     exhausted      armed     none
armed     resume         armed     refuse
armed     rearmed        armed     none
armed     found_over     armed     catch_up
stopping  trigger        stopping  none
stopping  explained      stopping  note
stopping  sentinel_seen  stopping  none
stopping  confirmed      stopped   finish
stopping  survived       stopped   finish
stopping  failed         stopping  retry
stopping  timed_out      stopping  retry
stopping  exhausted      stopped   give_up
stopping  resume         stopping  refuse
stopping  rearmed        stopping  none
stopping  found_over     armed     catch_up
stopped   trigger        stopping  stop
stopped   explained      stopped   note
stopped   sentinel_seen  stopped   none
stopped   confirmed      stopped   none
stopped   survived       stopped   none
stopped   failed         stopped   none
stopped   timed_out      stopped   none
stopped   exhausted      stopped   none
stopped   resume         rearming  rearm
stopped   rearmed        stopped   none
stopped   found_over     armed     catch_up
rearming  trigger        stopping  stop
rearming  explained      rearming  none
rearming  sentinel_seen  rearming  none
rearming  confirmed      rearming  none
rearming  survived       rearming  none
rearming  failed         stopped   stay
rearming  timed_out      stopped   stay
rearming  exhausted      stopped   stay
rearming  resume         rearming  refuse
rearming  rearmed        armed     arm
rearming  found_over     armed     catch_up
`

test('the emergency machine is exactly its table', () => {
  const written = Object.entries(EMERGENCY).flatMap(([state, rows]) =>
    Object.entries(rows).map(([input, row]) => `${state} ${input} ${row.to} ${row.do}`),
  )
  const drawn = TABLE.trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))
  expect(written).toEqual(drawn)
})

test('only a person who resumes leads back to armed: by a confirmed re-arming, or before the daemon started', () => {
  const back = Object.entries(EMERGENCY).flatMap(([state, rows]) =>
    Object.entries(rows).flatMap(([input, row]) =>
      state !== 'armed' && row.to === 'armed' ? `${state} ${input}` : [],
    ),
  )
  expect(back).toEqual(['stopping found_over', 'stopped found_over', 'rearming rearmed', 'rearming found_over'])
})
