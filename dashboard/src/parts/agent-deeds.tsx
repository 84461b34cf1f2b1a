/** What can be done to one agent from anywhere: poke, kill, start again, forget. */
import { useMemo } from 'react'
import { call, type LiveAgent } from '../live/store.ts'
import { useDeed } from './deed.tsx'

export interface AgentDeeds {
  poke: () => Promise<boolean>
  kill: () => Promise<boolean>
  start: () => Promise<boolean>
  forget: () => Promise<boolean>
}

export function useAgentDeeds(id: string): AgentDeeds {
  const deed = useDeed()
  return useMemo(
    () => ({
      poke: () =>
        deed({
          run: () => call('POST /api/agents/:id/poke', { id }),
          done: `${id} is being poked`,
          act: { agent: id, kind: 'poke' },
        }),
      kill: () =>
        deed({
          ask: {
            title: `Kill ${id}?`,
            text: 'What it has not committed is saved first and can be restored. Its program and all that it started is ended.',
            verb: 'Kill',
            isDanger: true,
          },
          run: () => call('POST /api/agents/:id/kill', { id, body: {} }),
          done: `${id} is being killed`,
          act: { agent: id, kind: 'kill' },
        }),
      start: () =>
        deed({
          run: () => call('POST /api/agents', { body: { id } }),
          done: `${id} is being started`,
          act: { agent: id, kind: 'spawn' },
        }),
      forget: () =>
        deed({
          ask: {
            title: `Forget ${id}?`,
            text: 'It is taken off the list. Its workspace and the log stay, and so do its salvages, if there are any.',
            verb: 'Forget',
            isDanger: true,
          },
          run: () => call('POST /api/agents/:id/forget', { id }),
          done: `${id} is forgotten`,
        }),
    }),
    [deed, id],
  )
}

/** Whether it runs now, so that it can be poked and killed rather than started. */
export function isRunning({ lifecycle }: Pick<LiveAgent, 'lifecycle'>): boolean {
  return lifecycle === 'active' || lifecycle === 'idle'
}
