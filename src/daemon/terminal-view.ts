/**
 * The live terminals of all who watch: how many may, who of them types, and who is too slow. A person's keys go to the
 * pane without the journal (law 2 exempts them); what the audit keeps is who took a terminal over and gave it back.
 */
import type { TerminalSession, TerminalSource, TerminalViewer } from '../api/terminal.ts'
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { MINUTE } from '../core/durations.ts'
import type { Clock, Handle, Terminal } from '../core/ports.ts'
import type { Keyboards } from './keyboards.ts'
import { TerminalVisit } from './terminal-visit.ts'

export interface TerminalRoomOptions {
  terminal: Pick<Terminal, 'view'>
  keyboards: Keyboards
  clock: Clock
  /** The run of the agent that lives now or lived last. */
  handleOf: (id: AgentId) => Handle | undefined
  /** What waited for the keyboard may be typed. */
  givenBack: (id: AgentId) => void
}

export const MOST_VIEWERS_OF_ONE = 8
export const MOST_VIEWERS = 32
/** A person who went to bed must not keep Cloister from caring for the agent. */
const IDLE_WRITER_MS = 10 * MINUTE

export class TerminalRoom implements TerminalSource {
  readonly #options: TerminalRoomOptions
  readonly #visits = new Set<TerminalVisit>()
  #isClosed = false

  constructor(options: TerminalRoomOptions) {
    this.#options = options
  }

  async open(id: AgentId, viewer: TerminalViewer): Promise<TerminalSession | Refusal> {
    const { terminal, keyboards, clock, handleOf, givenBack } = this.#options
    const handle = handleOf(id)
    if (handle === undefined) return noTerminal(id)
    if (handle.adopted !== undefined) return yours(id)
    const refusal = this.#full(id)
    if (refusal !== undefined) return refusal
    const visit: TerminalVisit = new TerminalVisit({
      ...{ agent: id, viewer, keyboards, clock, idleMs: IDLE_WRITER_MS },
      left: () => this.#visits.delete(visit),
      givenBack: () => givenBack(id),
      writerChanged: () => this.#tellWriter(id),
    })
    // Counted before anything is waited for, so that many who come at once are not too many.
    this.#visits.add(visit)
    try {
      if (await visit.begin((watching) => terminal.view(handle, watching))) return visit
    } catch (error) {
      visit.close()
      throw error
    }
    visit.close()
    return noTerminal(id)
  }

  /** Tells everybody that the daemon stops. */
  close(): void {
    this.#isClosed = true
    for (const visit of [...this.#visits]) visit.dismiss('the daemon stops')
  }

  #full(id: AgentId): Refusal | undefined {
    if (this.#isClosed) return STOPPING
    const ofAgent = [...this.#visits].filter(({ agent }) => agent === id).length
    if (ofAgent < MOST_VIEWERS_OF_ONE && this.#visits.size < MOST_VIEWERS) return undefined
    const sentence =
      ofAgent < MOST_VIEWERS_OF_ONE
        ? `${MOST_VIEWERS} terminals are open already, and more are not shown at once`
        : `${MOST_VIEWERS_OF_ONE} people watch the terminal of ${id} already`
    return { code: 'busy', sentence, hint: 'Close one, or use the attach command in a terminal of your own.' }
  }

  #tellWriter(id: AgentId): void {
    const visits = [...this.#visits].filter(({ agent }) => agent === id)
    const taken = visits.some(({ isWriter }) => isWriter)
    for (const visit of visits) visit.tellWriter(taken)
  }
}

const STOPPING: Refusal = {
  code: 'busy',
  sentence: 'The daemon stops',
  hint: 'Agents go on. Start it again with `pan up`.',
}

function noTerminal(id: AgentId): Refusal {
  return {
    code: 'not_found',
    sentence: `${id} has no terminal`,
    hint: 'It is stopped, or was never started. List agents with `pan agents list`.',
  }
}

/** A client of ours on a person's own server would be seen there. */
function yours(id: AgentId): Refusal {
  const hint = `It is where you started it; \`pan agents attach ${id}\` goes there when that is tmux.`
  return { code: 'conflict', sentence: `${id} was adopted: its terminal is your own`, hint }
}
