/** The first effect of each kind of act, and how long its step may take. */
import type { AgentEffect } from '../contract/effects.ts'
import type { Act, ActKind } from '../contract/acts.ts'
import type { TaskText } from '../contract/task-texts.ts'
import { MINUTE, SECOND } from './durations.ts'
import { fingerprint } from './fingerprint.ts'
import { typedForm } from './letters.ts'
import type { Proposal } from './proposals.ts'

export const DEADLINE_MS: Record<ActKind, number> = {
  spawn: 2 * MINUTE,
  poke: MINUTE,
  message: MINUTE,
  answer: MINUTE,
  kill: MINUTE,
  /** Longer than bringing back a great worktree may take. */
  restore: 11 * MINUTE,
  resume: 2 * MINUTE,
  suspend: MINUTE,
  switch: MINUTE,
  interrupt: 30 * SECOND,
  rest: 30 * SECOND,
  clear: 30 * SECOND,
  continue: MINUTE,
  nudge: MINUTE,
}

/** These begin a generation of their own. */
export const STARTING: readonly ActKind[] = ['spawn', 'resume']

type Base = Pick<AgentEffect, 'id' | 'agent' | 'generation'>

interface Place {
  run: string
  /** The folder of the texts that are too long to be typed. */
  letters: string | undefined
  /** What a session that begins anew is told of its task. */
  task: TaskText[]
  /** Of the session that is gone on with: its transcript was there once. */
  wasSeen: boolean
}

export function firstEffect(proposal: Proposal, base: Base, place: Place): AgentEffect {
  switch (proposal.kind) {
    case 'spawn':
      return spawnEffect(proposal, base, place)
    case 'resume':
      return resumeEffect(proposal, base, place)
    case 'answer': {
      const { id: ask, request } = proposal.ask ?? { id: 'none', request: '' }
      return { type: 'ask.answer', ...base, ask, request, answer: proposal.text ?? '' }
    }
    case 'kill':
    case 'suspend':
    case 'switch':
      return { type: 'work.salvage', ...base }
    case 'restore':
      return { type: 'work.restore', ...base, ...(proposal.restore ?? { ref: '' }) }
    case 'interrupt':
      return { type: 'session.interrupt', ...base }
    case 'rest':
      return { type: 'order.leave', ...base }
    case 'clear':
      return { type: 'session.clear', ...base }
    case 'nudge':
    case 'poke':
    case 'continue':
    case 'message':
      return textEffect(proposal, base)
  }
}

function spawnEffect({ text, handoff, anew }: Proposal, base: Base, { run, letters, task }: Place): AgentEffect {
  if (handoff !== undefined && text === undefined) return { type: 'session.spawn', ...base, run, handoff }
  if (text === undefined) return { type: 'session.spawn', ...base, run }
  if (anew === true) return { type: 'session.spawn', ...base, run, prompt: text, task }
  const { text: prompt, letter } = typedForm(letters, base.agent, { id: run, text })
  return { type: 'session.spawn', ...base, run, prompt, ...(letter === undefined ? {} : { letter }) }
}

function resumeEffect({ text, session, message, handoff, handed }: Proposal, base: Base, place: Place): AgentEffect {
  const { run, task, wasSeen } = place
  const { id, summary } = session ?? { id: 'none', summary: '' }
  return {
    type: 'session.resume',
    ...base,
    run,
    session: id,
    summary,
    ...(task.length === 0 ? {} : { task }),
    ...(wasSeen ? { seen: true } : {}),
    ...(text === undefined ? {} : { prompt: text }),
    ...(handed === undefined || handoff === undefined ? {} : { handoff }),
    ...(message?.letter === undefined ? {} : { letter: message.letter }),
  }
}

/** A text that was typed before is not typed again until it is known that it did not arrive. */
function textEffect(proposal: Proposal, base: Base): AgentEffect {
  const { text = '', message, session, handoff, handed } = proposal
  if (handed !== undefined && handoff !== undefined) {
    return { type: 'session.type', ...base, text: `hand-off ${handoff}`, nonce: base.id, handoff }
  }
  if (message?.isTyped === true) return checkText(base, { text, session: session?.id, ...message })
  return {
    type: 'session.type',
    ...base,
    text,
    nonce: base.id,
    ...(message?.letter === undefined ? {} : { letter: message.letter }),
  }
}

function checkText(
  base: Base,
  { text, session, sinceWallAt }: { text: string; session: string | undefined; sinceWallAt: number },
): AgentEffect {
  return {
    type: 'session.check-text',
    ...base,
    fingerprint: fingerprint(text),
    sinceWallAt,
    ...(session === undefined ? {} : { session }),
  }
}

export function firstStep({ kind, message }: Proposal): Act['step'] {
  if (kind === 'kill' || kind === 'suspend' || kind === 'switch') return 'salvaging'
  return kind === 'message' && message?.isTyped === true ? 'checking' : 'doing'
}
