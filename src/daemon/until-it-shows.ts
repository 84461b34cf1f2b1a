/**
 * Waits for a tree that has just been started to be found by its tag. Between its start and its first own instruction a
 * process does not carry it yet: whoever looks then finds nothing to end, and calls dead what is only coming to life.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/durations.ts'
import type { Processes, Terminal } from '../core/ports.ts'

const PATIENCE_MS = 5 * SECOND
const EVERY_MS = 20

export interface Shown {
  processes: Pick<Processes, 'lookAt'>
  terminal: Pick<Terminal, 'list'>
}

export async function untilItShows({ processes, terminal }: Shown, run: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(EVERY_MS)) {
    if ((await processes.lookAt(run)).alive) return
    if ((await terminal.list()).every((pane) => pane.run !== run || pane.dead)) return
  }
}
