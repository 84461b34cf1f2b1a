/** The live terminals as the API opens them, over the world's agents. */
import type { ApiDeps } from '../api/deps.ts'
import type { Clock, Terminal } from '../core/ports.ts'
import type { World } from '../core/world.ts'
import { Keyboards } from './keyboards.ts'
import { TerminalRoom } from './terminal-view.ts'

export interface TerminalOptions {
  terminal: Pick<Terminal, 'view'>
  /** Those that the acts type on. */
  keyboards?: Keyboards
  clock: Clock
  world: World
}

export interface OpenTerminals {
  /** Tells everybody that the daemon stops. */
  closeTerminals: () => void
}

export function terminalDeps(options: TerminalOptions): Pick<ApiDeps, 'terminal'> & OpenTerminals {
  const { terminal, keyboards = new Keyboards(), clock, world } = options
  const room = new TerminalRoom({
    ...{ terminal, keyboards, clock },
    handleOf: (id) => {
      const agent = world.agents.get(id)
      return agent?.run === undefined ? undefined : { agent: id, generation: agent.generation, run: agent.run }
    },
  })
  return { terminal: room, closeTerminals: () => room.close() }
}
