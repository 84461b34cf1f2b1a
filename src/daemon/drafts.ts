/** Whether a person has begun to type: our text would be sent together with his. */
import type { Clock, Handle, Terminal } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

const LOOKS = 2
const PAUSE_MS = 300

export async function isBeingTypedIn(
  { terminal, clock }: { terminal: Terminal; clock: Clock },
  handle: Handle,
  runtime: Runtime,
): Promise<boolean> {
  if (runtime.draft === undefined) return false
  for (let look = 1; ; look += 1) {
    const screen = await terminal.screen(handle)
    if (screen === undefined || runtime.draft(screen) === undefined) return false
    if (look === LOOKS) return true
    // What was sent just now may stand there for another moment.
    await new Promise<void>((resolve) => clock.wakeAt(clock.now().monoAt + PAUSE_MS, resolve))
  }
}
