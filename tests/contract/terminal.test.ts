import { VirtualClock } from '../fakes/virtual-clock.ts'
import { VirtualFleet } from '../fakes/virtual-fleet.ts'
import type { Handle } from '../../src/core/ports.ts'
import { TmuxPlace } from '../e2e/tmux/tmux-place.ts'
import { terminalSuite, type TerminalPlace } from './terminal-suite.ts'
import { viewSuite } from './view-suite.ts'

const inMemory = (): TerminalPlace => {
  const fleet = new VirtualFleet(new VirtualClock(0))
  fleet.faults.hintsLost = false
  return {
    open: async () => fleet,
    launch: ({ agent }) => ({ argv: ['virtual', agent], cwd: `/workspaces/${agent}`, env: {} }),
    ready: async () => {},
    received: async ({ agent }: Handle) => (fleet.agent(agent)?.typed ?? []).map((text) => `${text}\n`).join(''),
    crash: async ({ agent }) => {
      fleet.agent(agent)?.dies(137)
      return 137
    },
    remove: async () => {},
  }
}

terminalSuite('tmux', () => new TmuxPlace())
viewSuite('tmux', () => new TmuxPlace())
terminalSuite('in memory', inMemory)
viewSuite('in memory', inMemory)
