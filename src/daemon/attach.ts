/** What a person runs to see an agent's terminal. A pane whose program has ended still shows how; one that is gone, nothing. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { handleOf } from '../core/handle.ts'
import type { Terminal } from '../core/ports.ts'

export async function attachCommand(
  terminal: Pick<Terminal, 'list' | 'attachCommand'>,
  id: AgentId,
  agent: AgentRecord | undefined,
): Promise<readonly string[] | Refusal> {
  const handle = agent === undefined ? undefined : handleOf(agent)
  const panes = handle === undefined ? [] : await terminal.list(handle.adopted === undefined ? [] : [handle])
  const pane = panes.find(({ run }) => run === agent?.run)
  if (pane !== undefined) return terminal.attachCommand(pane)
  if (agent?.adopted !== undefined) {
    const hint = 'It is where you started it; only a session in tmux can be attached to.'
    return { code: 'conflict', sentence: `${id} was adopted and is in no tmux pane`, hint }
  }
  const hint = `See why with \`pan explain ${id}\`; start it with \`pan agents spawn ${id}\`.`
  return { code: 'conflict', sentence: `${id} has no terminal to attach to`, hint }
}
