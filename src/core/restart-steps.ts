/** Starts an agent again that ended without a person wanting it: with its session where that can be, else anew with its task. */
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Act } from '../contract/acts.ts'
import { chanceFor } from './chance.ts'
import { MINUTE } from './durations.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import { deathOf } from './health/judge.ts'
import { causeInWords, citationsOf } from './health/words.ts'
import { hasFailed } from './policies/crash.ts'
import { nudgeText, restartText, summaryText } from './prompts.ts'
import type { Proposal } from './proposals.ts'
import { nextRestart } from './restarts.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { can, type World } from './world.ts'

/** A restart must show within this time that it lives. */
export const JUDGED_AFTER_MS = 10 * MINUTE

/** A kill by a rule: done, the restart is planned where that is wanted; not done, none happens. */
export function planAfterKill(turn: Turn, id: AgentId, { precedence, kind, handoff }: Act): void {
  const agent = agentOf(turn, id)
  if (precedence === 'human' || handoff !== undefined || kind !== 'kill' || agent.act !== undefined) return
  const isPlanned = agent.restarts?.dueAt !== undefined
  if (agent.lifecycle !== 'stopped') {
    const { generation } = agent
    const why = 'what is left of it could not be cleared away'
    if (isPlanned) record(turn, { type: 'restart.dropped', agent: id, generation, why })
    return
  }
  if (precedence !== 'stuck' || isPlanned || !turn.world.settings.restartOnKill) return
  const chance = chanceFor(turn.input.chance, id)
  record(turn, nextRestart(agent, { now: turn.now, chance, why: 'it was stuck and was ended' }))
}

/** Its program failed while it rested: that matters only when something waits for it. Else a person is told, no more. */
export function planForWork(turn: Turn, agent: AgentRecord): void {
  const { id, assignment, messages = [], restarts, adopted, wanted } = agent
  const isDue = assignment !== undefined || messages.some(({ state }) => state === 'queued')
  const isSeenTo = handoffUnderWay(agent) !== undefined
  const isBarred = isSeenTo || adopted !== undefined || wanted === 'stop' || restarts?.exhausted === true
  if (!isDue || isBarred || restarts?.dueAt !== undefined || !hasFailed(agent, turn.world.settings)) return
  const why = `${causeInWords(deathOf(agent))}, and work waits for it`
  record(turn, nextRestart(agentOf(turn, id), { now: turn.now, chance: chanceFor(turn.input.chance, id), why }))
}

/** A restart that verifiably did not happen is one more failure, with the next wait and within the same budget. */
export function planAnew(turn: Turn, { id, act }: AgentRecord, why = 'it could not be started'): boolean {
  if (act?.precedence !== 'crash') return false
  const chance = chanceFor(turn.input.chance, id)
  record(turn, nextRestart(agentOf(turn, id), { now: turn.now, chance, why: why.slice(0, 400) }))
  turn.toJudge.add(id)
  return true
}

/** What is proposed when the time of a planned restart has come. */
export function restartOf(world: World, agent: AgentRecord, now: number): Proposal {
  const { sessionId, restarts } = agent
  const common = {
    precedence: 'crash',
    by: 'restart',
    reason: `${restarts?.why ?? 'it ended'}; start ${restarts?.inARow ?? 1} in a row`,
    experiment: { judgeAt: now + JUDGED_AFTER_MS },
  } as const
  const citations = citationsOf(agent, now)
  if (sessionId === undefined || !can(world, agent, 'resume')) {
    return { ...common, kind: 'spawn', citations, text: summaryText(agent), anew: true }
  }
  const session = { id: sessionId, summary: summaryText(agent) }
  const text = restartText(restarts?.why ?? 'your program ended')
  const { assignment } = agent
  // It counts as told of what waits, and going to work again as having begun with it.
  const told = assignment === undefined ? text : `${text}\n${nudgeText(assignment.what)}`
  return { ...common, kind: 'resume', citations, session, text: told }
}
