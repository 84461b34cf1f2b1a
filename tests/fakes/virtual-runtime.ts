/** The runtime of agents that exist only in memory: nothing to launch, nothing to translate. */
import type { Runtime, Sessions } from '../../src/core/runtime-port.ts'
import { CLEAR } from './virtual-agent.ts'
import type { VirtualFleet } from './virtual-fleet.ts'

export const virtualRuntime: Runtime = {
  name: 'virtual',
  capabilities: {
    resume: true,
    interrupt: true,
    clear: true,
    softStop: true,
    ask: true,
    confirmsText: false,
    usage: false,
  },
  check: async () => [],
  launch: async (agent, _, prompt) => ({
    argv: ['virtual', agent.id, ...(prompt === undefined ? [] : ['--', prompt])],
    cwd: agent.workspace,
    env: {},
  }),
  resume: async (agent, _, { session, prompt }) => ({
    argv: ['virtual', agent.id, '--resume', session, ...(prompt === undefined ? [] : ['--', prompt])],
    cwd: agent.workspace,
    env: {},
  }),
  read: () => undefined,
  answer: (_, answer) => answer,
  phrase: (text) => text,
  draft: (screen) => screen.slice(screen.lastIndexOf('\n> ') + 3).trim() || undefined,
  softStop: (reason) => reason,
  interruptKey: 'Escape',
  clearText: CLEAR,
}

/** One whose agents say which texts they took, and whose sessions can be asked. */
export function confirmingRuntime(fleet: VirtualFleet, lost: ReadonlySet<string> = new Set()): Runtime {
  const capabilities = { ...virtualRuntime.capabilities, confirmsText: true }
  return { ...virtualRuntime, capabilities, sessions: virtualSessions(fleet, lost) }
}

function virtualSessions(fleet: VirtualFleet, lost: ReadonlySet<string>): Sessions {
  const open = (session: string) => fleet.living().find((agent) => agent.session === session)
  return {
    unusable: async (session) => (lost.has(session) || lost.has('all') ? 'missing' : undefined),
    living: () => fleet.living().map(({ session, pid }) => ({ session, pid, startTime: pid })),
    model: async () => undefined,
    holder: async (session) => open(session)?.life.run,
    rests: async (session) => open(session)?.rests,
    took: async (session, { fingerprint, sinceWallAt }) => {
      const agent = open(session)
      if (agent === undefined) return undefined
      const isThere = agent.taken.some((each) => each.fingerprint === fingerprint && each.wallAt >= sinceWallAt)
      return isThere ? 'transcript' : 'no'
    },
    unanswered: async () => undefined,
    lastWords: async (session) => (open(session) === undefined ? undefined : []),
  }
}
