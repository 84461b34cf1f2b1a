import { expect, test } from 'vitest'
import { HANDOFF_RESULTS, HANDOFF_STATES, type HandoffState } from '../../contract/handoffs.ts'
import { HAND_OFF, type HandoffInput } from './hand-off.ts'
import { RETURN, UNDONE, WAKE } from './wake.ts'

const INPUTS = Object.keys(HAND_OFF.proposed) as HandoffInput[]
const STATES: readonly HandoffState[] = [...HANDOFF_STATES, ...HANDOFF_RESULTS]

/** Only what does something, as `state input → next (deed)`. */
function deeds(table: typeof WAKE): string[] {
  return STATES.flatMap((state) =>
    INPUTS.flatMap((input) => {
      const { to, do: deed } = table[state][input]
      return deed === 'none' ? [] : `${state} ${input} → ${to} (${deed})`
    }),
  )
}

test('the whole table of a hand-off to a specialist', () => {
  expect(deeds(WAKE)).toMatchInlineSnapshot(`
    [
      "proposed gated → awaiting_approval (ask)",
      "proposed free → resting (rest)",
      "proposed cancelled → cancelled (finish)",
      "awaiting_approval approved → resting (rest)",
      "awaiting_approval refused → refused (finish)",
      "awaiting_approval died → cancelled (finish)",
      "awaiting_approval cancelled → cancelled (finish)",
      "awaiting_approval timed_out → lapsed (finish)",
      "resting refused → cancelled (finish)",
      "resting rests → saving (save)",
      "resting failed → rolling_back (roll_back)",
      "resting died → rolling_back (roll_back)",
      "resting held → rolling_back (roll_back)",
      "resting cancelled → cancelled (finish)",
      "resting timed_out → rolling_back (roll_back)",
      "saving refused → cancelled (finish)",
      "saving saved → capturing (capture)",
      "saving failed → capturing (capture)",
      "saving died → rolling_back (roll_back)",
      "saving held → rolling_back (roll_back)",
      "saving cancelled → cancelled (finish)",
      "saving timed_out → rolling_back (roll_back)",
      "capturing refused → cancelled (finish)",
      "capturing captured → starting (start)",
      "capturing failed → rolling_back (roll_back)",
      "capturing died → rolling_back (roll_back)",
      "capturing held → rolling_back (roll_back)",
      "capturing cancelled → cancelled (finish)",
      "capturing timed_out → rolling_back (roll_back)",
      "starting started → proving (prove)",
      "starting failed → rolling_back (roll_back)",
      "starting died → rolling_back (roll_back)",
      "starting held → rolling_back (roll_back)",
      "starting cancelled → cancelled (finish)",
      "starting timed_out → rolling_back (roll_back)",
      "proving proved → done (finish)",
      "proving failed → rolling_back (roll_back)",
      "proving died → rolling_back (roll_back)",
      "proving held → rolling_back (roll_back)",
      "proving cancelled → cancelled (finish)",
      "proving timed_out → rolling_back (roll_back)",
      "rolling_back resumed → rolled_back (finish)",
      "rolling_back failed → needs_you (ask_person)",
      "rolling_back stranded → needs_you (ask_person)",
      "rolling_back held → needs_you (ask_person)",
      "rolling_back cancelled → cancelled (finish)",
      "rolling_back timed_out → needs_you (ask_person)",
    ]
  `)
})

test('the whole table of the way back', () => {
  expect(deeds(RETURN)).toMatchInlineSnapshot(`
    [
      "proposed gated → awaiting_approval (ask)",
      "proposed free → resting (rest)",
      "proposed cancelled → cancelled (finish)",
      "awaiting_approval approved → resting (rest)",
      "awaiting_approval refused → refused (finish)",
      "awaiting_approval died → cancelled (finish)",
      "awaiting_approval cancelled → cancelled (finish)",
      "awaiting_approval timed_out → lapsed (finish)",
      "resting rests → capturing (capture)",
      "resting failed → needs_you (ask_person)",
      "resting died → capturing (capture)",
      "resting held → needs_you (ask_person)",
      "resting cancelled → cancelled (finish)",
      "resting timed_out → needs_you (ask_person)",
      "capturing captured → starting (start)",
      "capturing failed → starting (start)",
      "capturing died → starting (start)",
      "capturing held → starting (start)",
      "capturing cancelled → cancelled (finish)",
      "capturing timed_out → starting (start)",
      "starting started → proving (prove)",
      "starting failed → needs_you (ask_person)",
      "starting died → needs_you (ask_person)",
      "starting held → needs_you (ask_person)",
      "starting cancelled → cancelled (finish)",
      "starting timed_out → needs_you (ask_person)",
      "proving proved → done (finish)",
      "proving failed → needs_you (ask_person)",
      "proving died → needs_you (ask_person)",
      "proving held → needs_you (ask_person)",
      "proving cancelled → cancelled (finish)",
      "proving timed_out → needs_you (ask_person)",
    ]
  `)
})

test('where the specialist did not do its part, nothing was done', () => {
  const expected = deeds(RETURN).map((each) => each.replace('proved → done', 'proved → rolled_back'))
  expect(deeds(UNDONE)).toEqual(expected)
})

test.each([
  ['to a specialist', WAKE],
  ['back', RETURN],
  ['back with nothing done', UNDONE],
])('%s: what does nothing stays where it is, and what is over stays over', (_, table) => {
  for (const state of STATES) {
    for (const input of INPUTS) {
      const { to, do: deed } = table[state][input]
      if (deed === 'none') expect([state, input, to]).toEqual([state, input, state])
    }
  }
  for (const result of HANDOFF_RESULTS) {
    expect(Object.values(table[result]).map(({ do: deed }) => deed)).toEqual(INPUTS.map(() => 'none'))
  }
})
