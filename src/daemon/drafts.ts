/** What stands in an agent's input line: a person may have begun to type, and our text would be sent together with his. */
import { fingerprint } from '../core/fingerprint.ts'
import type { Clock, Handle, Terminal } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

const LOOKS = 2
const PAUSE_MS = 300
/** Lines of a text that was put back, at most. */
const MAX_LINES = 200

interface Ports {
  terminal: Terminal
  clock: Clock
}

interface Wish {
  handle: Handle
  runtime: Runtime
  /** What is to be typed. */
  text: string
  session: string | undefined
}

/**
 * ours: our own text, whose Enter was lost. submitted: what it was told last, put back by its program. What was told and
 * answered before is not put back: a person who begins to type the same again has a draft.
 */
export type InBox = 'empty' | 'ours' | 'submitted' | 'draft'

export async function inBox({ terminal, clock }: Ports, { handle, runtime, text, session }: Wish): Promise<InBox> {
  for (let look = 1; ; look += 1) {
    const draft = await draftIn(terminal, handle, runtime)
    if (draft === undefined) return 'empty'
    if (look < LOOKS) {
      // What was sent just now may stand there for another moment.
      await pause(clock)
      continue
    }
    const found = fingerprint(draft)
    if (found === fingerprint(text)) return 'ours'
    if (session === undefined || runtime.emptyLineKey === undefined) return 'draft'
    return (await runtime.sessions?.unanswered(session, found)) === true ? 'submitted' : 'draft'
  }
}

/** Nothing is lost by it: what stands there stands in the transcript, too. */
export async function emptyBox({ terminal, clock }: Ports, handle: Handle, runtime: Runtime): Promise<boolean> {
  const { emptyLineKey } = runtime
  for (let line = 0; emptyLineKey !== undefined && line < MAX_LINES; line += 1) {
    if ((await draftIn(terminal, handle, runtime)) === undefined) return true
    const pressed = await terminal.press(handle, emptyLineKey)
    if (pressed.result !== 'done') return false
    await pause(clock, 50)
  }
  return false
}

async function draftIn(terminal: Terminal, handle: Handle, runtime: Runtime): Promise<string | undefined> {
  if (runtime.draft === undefined) return undefined
  const screen = await terminal.screen(handle)
  return screen === undefined ? undefined : runtime.draft(screen)
}

function pause(clock: Clock, ms = PAUSE_MS): Promise<void> {
  return new Promise<void>((resolve) => clock.wakeAt(clock.now().monoAt + ms, resolve))
}
