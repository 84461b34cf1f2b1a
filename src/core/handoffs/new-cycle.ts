/** Whether an agent can go on in an empty context now, and the cycle that it then begins. */
import type { Refusal } from '../../contract/commands.ts'
import type { Cycle } from '../../contract/context-cycle.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { desiredOf } from '../desired.ts'
import { fingerprint } from '../fingerprint.ts'
import { documentPath } from './orders.ts'
import { openDialog } from '../health/judge.ts'
import { contextFill, percentOf } from '../policies/context.ts'
import type { Turn } from '../turn.ts'
import { can, type World } from '../world.ts'

/** Why not, in words. */
export function uncycled(world: World, agent: AgentRecord, to: Handoff['to']): Refusal | undefined {
  const { id, model, runtime, sessionId } = agent
  if (to.specialist !== undefined) {
    const hint = 'Ask for one of the two.'
    return { code: 'invalid', sentence: 'a context cycle and a specialist exclude each other', hint }
  }
  if (to.model !== model || to.runtime !== runtime) {
    const hint = `Leave out the model, or hand it over: \`pan handoff start ${id} --to ${to.model}\`.`
    return { code: 'invalid', sentence: `a context cycle keeps ${id} with ${model} in ${runtime}`, hint }
  }
  if (!can(world, agent, 'clear')) {
    const hint = `Hand it to a new session instead: \`pan handoff start ${id} --to <model>\`.`
    return { code: 'conflict', sentence: `${runtime} cannot clear the context of ${id}`, hint }
  }
  const held = heldFrom(world, agent, false)
  if (held !== undefined) return held
  const dialog = openDialog(agent)
  if (dialog !== undefined) {
    return { code: 'conflict', sentence: `${id} waits for a person (${dialog})`, hint: 'Answer it first.' }
  }
  if (sessionId !== undefined) return undefined
  const hint = 'Wait until it has reported one.'
  return {
    code: 'conflict',
    sentence: `no session id of ${id} is known, so that its clear could not be verified`,
    hint,
  }
}

/** Frozen, nobody's hand-off begins; held, no rule's does. */
export function heldFrom({ house }: World, agent: AgentRecord, isAsked: boolean): Refusal | undefined {
  const { state, by, reason } = desiredOf(agent, house)
  if (state !== 'frozen' && (state !== 'hold' || isAsked)) return undefined
  const sentence = `${agent.id} is ${state === 'hold' ? 'held' : 'frozen'} by ${by}: ${reason}`
  return { code: 'conflict', sentence, hint: `Release it: \`pan agents release ${agent.id}\`.` }
}

/** The mark of the document is another than that of the hand-off: whoever writes the document knows it. */
export function newCycle({ input }: Turn, agent: AgentRecord, handoff: string): Cycle {
  const nonce = fingerprint(`document ${input.id} ${handoff}`)
  const fill = contextFill(agent)
  return {
    document: documentPath(input.wallAt, nonce),
    nonce,
    ...(fill === undefined ? {} : { percent: percentOf(fill) }),
    tries: {},
  }
}
