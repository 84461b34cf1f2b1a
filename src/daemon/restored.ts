/** What became of a restore, as an outcome. */
import type { Outcome } from '../contract/effects.ts'
import type { Restored } from '../core/git-port.ts'

/** Either everything that was asked for is back, byte for byte, or nothing was written. */
export function restored({ written, same, refused, deleted, savedFirst }: Restored): Outcome {
  const [first] = refused
  if (first !== undefined) {
    const others = refused.length === 1 ? '' : `, and ${refused.length - 1} more`
    const detail = `nothing was written: ${first.path}: ${first.why}${others}`
    return { result: 'not_done', detail }
  }
  const gone = deleted.length === 0 ? '' : `, ${deleted.length} deleted`
  const saved = savedFirst === undefined ? '' : `; what was replaced is saved as ${savedFirst}`
  const detail = `${written.length} written, ${same.length} already there${gone}, all compared${saved}`
  return { result: 'done', detail, ...(savedFirst === undefined ? {} : { salvageRef: savedFirst }) }
}
