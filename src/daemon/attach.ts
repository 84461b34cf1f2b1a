/** What a person runs to see an agent's terminal. A pane whose program has ended still shows how; one that is gone, nothing. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Terminal } from '../core/ports.ts'

export async function attachCommand(
  terminal: Pick<Terminal, 'list' | 'attachCommand'>,
  id: AgentId,
  agent: Pick<AgentRecord, 'run'> | undefined,
): Promise<readonly string[] | Refusal> {
  const panes = agent?.run === undefined ? [] : await terminal.list()
  const pane = panes.find(({ run }) => run === agent?.run)
  if (pane !== undefined) return terminal.attachCommand(pane)
  const hint = `See why with \`pan explain ${id}\`; start it with \`pan agents spawn ${id}\`.`
  return { code: 'conflict', sentence: `${id} has no terminal to attach to`, hint }
}
