/** What a simulated agent has around it. */
import type { Sighting } from '../../src/contract/evidence.ts'
import type { Clock } from '../../src/core/ports.ts'

/** What an agent is given, and whom it tells what happens to it. */
export interface Surroundings {
  pid: number
  clock: Clock
  workspace: string
  /** The conversation that it begins or goes on with. */
  session: string
  /** It says which texts it took. */
  confirms: boolean
  took: (fingerprint: string) => void
  report: (sighting: Sighting) => void
  progressed: (workspace: string) => void
  died: () => void
  wrote: (path: string, text: string) => void
}
