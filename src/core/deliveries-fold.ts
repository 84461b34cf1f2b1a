/** The delivery ledger in an agent's record: rows change only by events. */
import type { AgentEvent } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { MESSAGES_KEPT, type MessageRecord } from '../contract/messages.ts'
import { SECOND } from './durations.ts'

type MessageEvent = Extract<AgentEvent, { type: `message.${string}` }>

/** What is kept here of a text that the agent has. */
const EXCERPT = 200
/** How much text the ledger of one agent may hold; the oldest that nobody waits for lose theirs first. */
const KEPT_CHARS = 500_000
/** How long a typed text may wait until the agent says that it took it, before that is looked into. */
export const HEARING_MS = 15 * SECOND

export function foldMessage(agent: AgentRecord, event: MessageEvent): AgentRecord {
  const rows = agent.messages ?? []
  if (event.type === 'message.queued') return { ...agent, messages: bounded([...rows, event.message]) }
  return { ...agent, messages: rows.map((row) => (row.id === event.message ? changed(row, event) : row)) }
}

/** Its whole text lies elsewhere by now. */
export function withShortRow(agent: AgentRecord, id: string): AgentRecord {
  const { messages } = agent
  if (messages === undefined) return agent
  return { ...agent, messages: messages.map((row) => (row.id === id && row.state === 'heard' ? shortened(row) : row)) }
}

function changed(row: MessageRecord, event: Exclude<MessageEvent, { type: 'message.queued' }>): MessageRecord {
  const { why: _, settledWallAt: __, settledAt: ___, insisted: ____, ...plain } = row
  switch (event.type) {
    case 'message.held':
      return { ...row, state: 'queued', why: event.why, notBeforeAt: event.notBeforeAt }
    case 'message.typed': {
      const isFirst = row.typedWallAt === undefined || row.generation !== event.generation
      return {
        ...plain,
        state: 'typed',
        generation: event.generation,
        attempts: event.attempts,
        typedWallAt: isFirst ? event.at : row.typedWallAt,
        notBeforeAt: event.observedAt + HEARING_MS,
      }
    }
    case 'message.heard': {
      // It may be heard before the terminal has said that it was typed.
      const attempts = Math.max(1, row.attempts)
      const settled = { settledWallAt: event.at, settledAt: event.observedAt }
      return { ...plain, state: 'heard', attempts, evidence: event.evidence, ...settled }
    }
    case 'message.undelivered':
      return { ...plain, state: 'undelivered', why: event.why, settledWallAt: event.at }
    case 'message.recalled':
      return { ...plain, state: 'recalled', settledWallAt: event.at }
    case 'message.retried': {
      // Typed to this very generation it may have arrived after all, which is looked into first.
      const mayBeThere = row.attempts > 0 && row.generation === event.generation
      const times = { queuedAt: event.observedAt, notBeforeAt: event.observedAt }
      return {
        ...plain,
        ...times,
        state: mayBeThere ? 'typed' : 'queued',
        attempts: mayBeThere ? 1 : 0,
        insisted: true,
      }
    }
  }
}

/** The newest are kept, what is under way always. */
function bounded(rows: MessageRecord[]): MessageRecord[] {
  let over = rows.length - MESSAGES_KEPT
  const kept = rows.filter(({ state }) => {
    const goes = over > 0 && state !== 'queued' && state !== 'typed'
    over -= Number(goes)
    return !goes
  })
  let chars = kept.reduce((sum, { text }) => sum + text.length, 0)
  return kept.map((row) => {
    if (chars <= KEPT_CHARS || (row.state !== 'undelivered' && row.state !== 'heard')) return row
    const short = shortened(row)
    chars -= row.text.length - short.text.length
    return short
  })
}

function shortened(row: MessageRecord): MessageRecord {
  return row.text.length <= EXCERPT ? row : { ...row, text: row.text.slice(0, EXCERPT), cut: true }
}
