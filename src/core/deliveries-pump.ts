/** Sees to the messages that wait: the oldest is typed as soon as the way is free; what waited too long is given up. */
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { MessageRecord } from '../contract/messages.ts'
import type { ActKind } from '../contract/acts.ts'
import { dropMessages, giveUp, hold, HOLD_MS, isOpen, messagesOf } from './deliveries.ts'
import { MINUTE, SECOND } from './durations.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import { currentDoing, deadWitness } from './health/judge.ts'
import { citationsOf } from './health/words.ts'
import { typedForm } from './letters.ts'
import { summaryText } from './prompts.ts'
import { propose } from './propose.ts'
import type { Proposal } from './proposals.ts'
import { agentOf, type Turn } from './turn.ts'
import { can } from './world.ts'

/** A message that waits longer than this is given up, and a person is told. */
const PATIENCE_MS = 30 * MINUTE
/** What is typed right after the start is lost. */
const READY_MS = 2 * SECOND

/** When to come back; undefined when nothing waits, or an act says when. */
export function deliver(turn: Turn, id: AgentId): number | undefined {
  expire(turn, id)
  const agent = agentOf(turn, id)
  const next = messagesOf(agent).find(isOpen)
  if (next === undefined) return undefined
  if (agent.act?.message === next.id) return undefined
  // They are for whoever goes on with the work.
  const state = handoffUnderWay(agent)?.state
  if (state !== undefined && state !== 'proving') return turn.now + HOLD_MS
  if (agent.lent !== undefined) return turn.now + HOLD_MS
  // What becomes of them is known when it has ended: one that is put to sleep is woken by them.
  if (agent.act?.step === 'ending' || agent.act?.step === 'saving') return turn.now + HOLD_MS
  if (deadWitness(agent) !== undefined && agent.lifecycle !== 'suspended') {
    dropMessages(turn, id, { why: 'its process has ended', keepQueued: false })
    return undefined
  }
  if (next.notBeforeAt > turn.now) return next.notBeforeAt
  const readyAt = (agent.startedAt ?? 0) + READY_MS
  const isNew = agent.lifecycle !== 'suspended' && can(turn.world, agent, 'confirmsText') && turn.now < readyAt
  if (isNew) return readyAt
  const why = isStarting(turn, agent) ? 'it is starting' : tryNow(turn, agent, next)
  if (why === undefined) return undefined
  if (next.state === 'queued' && next.why !== why) hold(turn, id, { row: next, why, notBeforeAt: next.notBeforeAt })
  return turn.now + HOLD_MS
}

function expire(turn: Turn, id: AgentId): void {
  const { act } = agentOf(turn, id)
  for (const row of messagesOf(agentOf(turn, id))) {
    const isLate = isOpen(row) && row.id !== act?.message && turn.now - row.queuedAt >= PATIENCE_MS
    if (isLate) giveUp(turn, id, { row, why: `it waited too long: ${row.why ?? 'it was never its turn'}` })
  }
}

/** A program that says when it is ready is waited for. */
function isStarting(turn: Turn, agent: AgentRecord): boolean {
  if (agent.lifecycle === 'suspended' || !can(turn.world, agent, 'confirmsText')) return false
  // An adopted one was there before, and has hooks only where the person installed them.
  const isUnheard = agent.adopted === undefined && agent.evidence.hook === undefined
  return isUnheard || currentDoing(agent)?.doing.kind === 'starting'
}

/** Why not, in words. */
function tryNow(turn: Turn, agent: AgentRecord, row: MessageRecord): string | undefined {
  const kind = agent.lifecycle === 'suspended' ? 'resume' : 'message'
  return propose(turn, agent.id, proposalFor(turn, agent, { kind, by: row.by, row }))?.sentence
}

interface Wish {
  kind: ActKind
  by?: string
  /** The message that it is about. */
  row?: MessageRecord
}

/** What a person wants of an agent's conversation, with all that is needed to go on with it. */
export function proposalFor(turn: Turn, agent: AgentRecord, { kind, by = 'you', row }: Wish): Proposal {
  const { id, sessionId } = agent
  return {
    kind,
    precedence: 'human',
    by,
    reason: row === undefined ? 'a person asked for it' : `message ${row.id}`,
    citations: citationsOf(agent, turn.now),
    ...(sessionId === undefined ? {} : { session: { id: sessionId, summary: summaryText(agent) } }),
    ...(row === undefined ? {} : told(turn, id, row)),
  }
}

function told({ world, input }: Turn, id: AgentId, row: MessageRecord): Pick<Proposal, 'text' | 'message'> {
  const { text, letter } = typedForm(world.letters, id, row)
  const sinceWallAt = row.typedWallAt ?? input.wallAt
  const message = { id: row.id, isTyped: row.state === 'typed', sinceWallAt }
  return { text, message: letter === undefined ? message : { ...message, letter } }
}
