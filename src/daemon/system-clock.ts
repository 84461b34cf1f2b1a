/** The machine's clocks. The monotonic one stands still while the machine sleeps. */
import type { Clock } from '../core/ports.ts'

/** Longer timers overflow in Node and would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => ({ wallAt: Date.now(), monoAt: Math.floor(performance.now()) }),
  wakeAt: (monoAt, call) => {
    const waitMs = Math.min(LONGEST_MS, Math.max(0, Math.ceil(monoAt - performance.now())))
    const timer = setTimeout(call, waitMs)
    return () => clearTimeout(timer)
  },
}
