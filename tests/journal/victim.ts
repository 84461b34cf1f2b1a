/**
 * A process to be killed: goes on with the history of journal-samples.ts where the journal stands, and says each
 * commit that was confirmed. `node victim.ts <home> <batches> [together]`: commits are waited for in groups.
 */
import { writeSync } from 'node:fs'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { historyBatch } from '../contract/journal-samples.ts'

const [home = '', batches = '1', together = '1'] = process.argv.slice(2)
try {
  const journal = await openJournal({ home })
  const { house } = await journal.recover()
  const first = (house?.seq ?? 0) / 2 + 1
  const last = first + Number(batches) - 1
  for (let k = first; k <= last; k += Number(together)) {
    const group = Array.from({ length: Math.min(Number(together), last - k + 1) }, (_, index) => k + index)
    await Promise.all(
      group.map(async (each) => {
        await journal.commit(historyBatch(each))
        writeSync(1, `${each}\n`)
      }),
    )
  }
  await journal.close()
  writeSync(1, 'closed\n')
} catch (error) {
  writeSync(2, `${String(error)}\n`)
  process.exitCode = 1
}
