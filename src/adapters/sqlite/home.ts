/** The state directory: exists, belongs to this user, and nobody else may write in it. */
import { chmodSync, statSync, type Stats } from 'node:fs'
import { makeFolder } from '../process/make-folder.ts'
import { reasonOf } from './reason.ts'
import { diskRemedy } from './remedy.ts'

const ANOTHER = 'Set PANOPTICON_HOME to a folder of your own.'

export function prepareHome(home: string): void {
  const { uid, mode } = made(home)
  if (uid !== process.getuid?.()) {
    throw new Error(`Cannot use ${home} as home: it belongs to user ${uid}, not to you. ${ANOTHER}`)
  }
  if ((mode & 0o022) !== 0) {
    throw new Error(
      `Cannot use ${home} as home: other users may write in it (mode ${(mode & 0o777).toString(8)}). ` +
        `Check what is in it, then run: chmod 700 ${home}`,
    )
  }
  if ((mode & 0o077) !== 0) closeToOthers(home)
}

function made(home: string): Stats {
  try {
    makeFolder(home, 0o700)
    return statSync(home)
  } catch (error) {
    throw new Error(`Cannot use ${home} as home: ${reasonOf(error)}. ${ANOTHER}`, { cause: error })
  }
}

function closeToOthers(home: string): void {
  try {
    chmodSync(home, 0o700)
  } catch (error) {
    throw new Error(`Cannot use ${home} as home: ${reasonOf(error)}. ${diskRemedy(error, home) ?? ANOTHER}`, {
      cause: error,
    })
  }
}
