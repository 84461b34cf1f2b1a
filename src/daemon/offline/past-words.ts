/** What an inferred recording is, and what of its transcript could not be read, in words. */
import { LINE_MOST_BYTES } from '../../adapters/claude-code/past/lines-in.ts'
import type { PastCounts } from '../../adapters/claude-code/past/past-session.ts'

/** What nobody saw: stands in the first line of the recording. */
export const INFERRED: readonly string[] = [
  'hook reports: told from the records of the transcript, at their times',
  "registry of the client: at work while a turn is open, at rest after its end or a person's interrupt",
  'processes: at work while a call is within its time, at rest between calls, alive until the last record',
  'looks and ticks: at the rhythm of a daemon that had been there',
  'acts: decided as if it had been started by Cloister; nothing was typed, and the session went on as it did',
]

export const INFERRED_SENTENCE =
  'It was inferred from a transcript: hooks, processes and looks were told afterwards, and what Cloister would have ' +
  'typed was not. Whether a program waited for a permission, hung or slept with its machine, a transcript does not say.'

/** A line for each thing that was left out or guessed; none when all was read. */
export function unreadLines(counts: PastCounts): string[] {
  const { unreadable, tooLong, untimed, disordered, filesLeftOut, closed, slept } = counts
  const said: [string, number][] = [
    ['Lines without a record, left out', unreadable],
    [`Lines of more than ${LINE_MOST_BYTES / 1024 / 1024} MB, left out`, tooLong],
    ['Records without a time that can be believed, taken as of the record before', untimed],
    ['Records that were written late, taken as of the record before', disordered],
    ['Files of subagents, left out since there are more than 64', filesLeftOut],
    ['Times that it was closed in a turn and gone on with later, when nobody is judged', closed],
    ['Times that it stood still together with other sessions, when its machine slept', slept],
  ]
  return said.flatMap(([words, count]) => (count === 0 ? [] : `${words}: ${count}.`))
}
