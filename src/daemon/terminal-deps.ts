/** The live terminals as the API opens them, over the world's agents. */
import { randomUUID } from 'node:crypto'
import type { ApiDeps } from '../api/deps.ts'
import type { Clock, Terminal } from '../core/ports.ts'
import type { Loop } from './loop.ts'
import { Keyboards } from './keyboards.ts'
import { TerminalRoom } from './terminal-view.ts'

export interface TerminalOptions {
  terminal: Pick<Terminal, 'view'>
  /** Those that the acts type on. */
  keyboards?: Keyboards
  clock: Clock
  loop: Pick<Loop, 'submit' | 'world'>
  problem: (error: unknown) => void
}

export interface OpenTerminals {
  /** Tells everybody that the daemon stops. */
  closeTerminals: () => void
}

export function terminalDeps(options: TerminalOptions): Pick<ApiDeps, 'terminal'> & OpenTerminals {
  const { terminal, keyboards = new Keyboards(), clock, loop, problem } = options
  const room = new TerminalRoom({
    ...{ terminal, keyboards, clock },
    handleOf: (id) => {
      const agent = loop.world.agents.get(id)
      return agent?.run === undefined ? undefined : { agent: id, generation: agent.generation, run: agent.run }
    },
    givenBack: (agent) => {
      const command = { type: 'agent.give-back', agent } as const
      loop.submit({ id: randomUUID(), by: 'you', command }).catch(problem)
    },
  })
  return { terminal: room, closeTerminals: () => room.close() }
}
