/** The ref of a salvage that must have saved something. */
import type { Saved } from '../../src/core/git-port.ts'

export function refOf(saved: Saved): string {
  if (typeof saved === 'object' && 'ref' in saved) return saved.ref
  throw new Error(`nothing was saved: ${JSON.stringify(saved)}`)
}
