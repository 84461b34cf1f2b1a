/** The journal, read as `pan agents list` reads it without a daemon. Not checked page by page: that takes long. */
import { existsSync } from 'node:fs'
import { databasePath, JournalError, whatToDo } from '../../adapters/sqlite/database.ts'
import { openReader } from '../../adapters/sqlite/reader.ts'
import { fail, well, type Check, type Patient } from './doctor-check.ts'

export function journal({ home }: Patient): Check {
  const path = databasePath(home)
  try {
    const reader = openReader(home)
    if (reader === undefined) {
      if (!existsSync(`${path}-wal`)) return well('journal', 'not there yet; `pan up` makes it')
      return fail('journal', `${path} is missing, but its log ${path}-wal is there`, whatToDo(path))
    }
    try {
      reader.state()
      const older = reader.isOlder ? '; the next `pan up` brings it to the format of this version' : ''
      return well('journal', `${path}, format ${reader.format}${older}`)
    } finally {
      reader.close()
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return fail('journal', error.found, error.remedy)
  }
}
