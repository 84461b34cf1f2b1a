/** Outcomes of effects in words: what stood against them. */
import type { Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Found } from '../core/git-port.ts'
import type { Runtime } from '../core/runtime-port.ts'

export const neverCameUp: Outcome = { result: 'not_done', detail: 'it never came up' }
export const noHandoffs: Outcome = { result: 'not_done', detail: 'nothing is written down here' }
export const latched: Outcome = { result: 'not_done', detail: 'an emergency stop is in force' }
export const lost: Outcome = { result: 'not_done', detail: 'its process lives but has no terminal' }

/** Said when it starts, not when it is too late. */
export function withGround({ workspace }: AgentRecord, found: Found, outcome: Outcome): Outcome {
  if (outcome.result !== 'done') return outcome
  if (found.repository !== 'none') return { ...outcome, ...found }
  const how = 'its work is saved as plain files, 1 GB at most, since its workspace is in no git repository'
  return { ...outcome, ...found, detail: `${how}: ${workspace}` }
}

export function unwritten(handoff = 'none'): Outcome {
  return { result: 'not_done', detail: `the prompt of hand-off ${handoff} is gone` }
}

export function typedIn(agent: AgentId): Outcome {
  const hint = `try again when its input line is empty, or attach with \`pan agents attach ${agent}\``
  return { result: 'not_done', held: true, detail: `somebody is typing in its terminal; ${hint}` }
}

export function unable({ name }: Runtime, what: keyof Runtime['capabilities']): Outcome {
  return { result: 'not_done', detail: `${name} cannot do that (${what})` }
}

/** How long the program of an agent lets its calls run; what cannot be read is not known. */
export async function boundsOf(agent: AgentRecord, runtime: Runtime): Promise<Pick<Outcome, 'bounds'>> {
  const bounds = await runtime.bounds?.(agent).catch(() => undefined)
  return bounds === undefined ? {} : { bounds }
}

/** Saving that failed did not happen; of the rest nobody can be sure. */
export function failed(effect: Effect, error: unknown): Outcome {
  const isSaving = /^work\.(?:salvage|rescue)$|^handoff\.(?!deliver)/.test(effect.type)
  return { result: isSaving ? 'not_done' : 'unknown', detail: messageOf(error) }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
