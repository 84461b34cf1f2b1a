/** The runtime of agents that exist only in memory: nothing to launch, nothing to translate. */
import type { Runtime } from '../../core/ports.ts'

export const virtualRuntime: Runtime = {
  name: 'virtual',
  capabilities: { resume: false, interrupt: true, clear: false, ask: true, confirmsText: false, usage: false },
  check: async () => [],
  launch: async (agent) => ({ argv: ['virtual', agent.id], cwd: agent.workspace, env: {} }),
  read: () => undefined,
  answer: (_, answer) => answer,
  phrase: (text) => text,
  draft: (screen) => screen.slice(screen.lastIndexOf('\n> ') + 3).trim() || undefined,
  interruptKey: 'Escape',
  clearText: undefined,
}
