import { VirtualClock } from '../../src/adapters/virtual/virtual-clock.ts'
import { VirtualFleet } from '../../src/adapters/virtual/virtual-fleet.ts'
import type { Handle } from '../../src/core/ports.ts'
import { TmuxPlace } from '../e2e/tmux/tmux-place.ts'
import { terminalSuite } from './terminal-suite.ts'

terminalSuite('tmux', () => new TmuxPlace())

terminalSuite('in memory', () => {
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
})
