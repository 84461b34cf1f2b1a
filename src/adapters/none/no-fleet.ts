/** What the daemon joins where no terminal adapter is there: sees nobody, starts nobody, and says so. */
import type { Outcome } from '../../contract/effects.ts'
import type { Git, Pane, Processes, Reports, Terminal } from '../../core/ports.ts'

const WHY = 'this version cannot run real agents yet'

export const noFleet: Terminal & Processes & Git & Reports = {
  list: async (): Promise<readonly Pane[]> => [],
  start: async (): Promise<Outcome> => ({ result: 'not_done', detail: WHY }),
  type: async (): Promise<Outcome> => ({ result: 'not_done', detail: WHY }),
  lookAt: () => Promise.reject(new Error(WHY)),
  end: () => Promise.reject(new Error(WHY)),
  stopFleet: async () => ({ stopped: [], survivors: [] }),
  rearm: async () => {},
  sentinel: async () => false,
  lookIn: async () => undefined,
  salvage: () => Promise.reject(new Error(WHY)),
  listen: () => () => {},
  taken: () => {},
  offer: () => {},
}
