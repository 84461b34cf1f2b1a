/**
 * The same request twice gets the same answer, a refusal too. The loop itself only knows that an id was there before;
 * after a restart of the daemon that is what a repeated request is told.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CommandEnvelope, Reply } from '../contract/commands.ts'

const KEPT = 1_000

interface Answered {
  command: CommandEnvelope['command']
  reply: Promise<Reply>
}

export function answerOnce(
  submit: (envelope: CommandEnvelope) => Promise<Reply>,
): (envelope: CommandEnvelope) => Promise<Reply> {
  const answers = new Map<string, Answered>()
  return (envelope) => {
    const { id, command } = envelope
    const before = answers.get(id)
    if (before !== undefined) return isDeepStrictEqual(before.command, command) ? before.reply : Promise.resolve(OTHER)
    const reply = submit(envelope)
    answers.set(id, { command, reply })
    // «Try again later» must not stick; a map remembers the order, so the first is the oldest.
    void reply.then((answer) => !answer.ok && answer.refusal.code === 'busy' && answers.delete(id))
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT) break
      answers.delete(oldest)
    }
    return reply
  }
}

const OTHER: Reply = {
  ok: false,
  refusal: {
    code: 'conflict',
    sentence: 'Another command was sent with this x-request-id before',
    hint: 'Use a new id for a new command.',
  },
}
