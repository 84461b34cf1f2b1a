/** What an agent's own program says of its session, where no hook does: is it open elsewhere, does it rest, was it told? */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import { fingerprint } from '../core/fingerprint.ts'
import type { Handle, Terminal } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

/** Two programs in one session would write over each other; the program itself does not prevent it. */
export async function openElsewhere(runtime: Runtime, session: string): Promise<Outcome | undefined> {
  const holder = await runtime.sessions?.holder(session)
  if (holder === undefined) return undefined
  return { result: 'not_done', detail: `its session ${session} is open in ${holder}; close that first` }
}

export async function checkRest({ sessions }: Runtime, session: string | undefined): Promise<Outcome> {
  const rests = session === undefined ? undefined : await sessions?.rests(session)
  if (rests === undefined) return { result: 'unknown', detail: 'nobody can tell whether it rests' }
  return rests ? { result: 'done', detail: 'its program waits at its prompt' } : { result: 'not_done' }
}

interface Place {
  terminal: Terminal
  handle: Handle
  runtime: Runtime
}

/** Where it still stands in the input line, only its Enter was lost. */
export async function checkText(
  { terminal, handle, runtime }: Place,
  effect: Extract<AgentEffect, { type: 'session.check-text' }>,
): Promise<Outcome> {
  const { session } = effect
  const took = session === undefined ? undefined : await runtime.sessions?.took(session, effect)
  if (took === 'transcript' || took === 'queue') return { result: 'done', found: took }
  const screen = await terminal.screen(handle)
  const draft = screen === undefined ? undefined : runtime.draft?.(screen)
  if (draft !== undefined && fingerprint(draft) === effect.fingerprint) {
    return { ...(await terminal.press(handle, 'Enter')), unconfirmed: true }
  }
  if (took === 'no') return { result: 'not_done', detail: 'its program has not taken it' }
  return { result: 'unknown', detail: 'its program keeps nothing by which it could be told' }
}
