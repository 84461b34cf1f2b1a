/** What people want of an agent beside acts: that it is held, frozen or released, and that it does some work. */
import type { Command, Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { Hold } from '../contract/standing.ts'
import { desiredOf, isLimited, isOver } from './desired.ts'
import { HOUR, MINUTE } from './durations.ts'
import { markSeen } from './finished-steps.ts'
import { isoTime } from './iso-time.ts'
import { noAgent } from './session-commands.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** A hold without an end of its own: nobody should find an agent idle in spring because of a word said in autumn. */
const HOLD_MS = 8 * HOUR
const LONGEST_HOLD_MS = 30 * 24 * HOUR

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

export function onStanding(
  turn: Turn,
  by: string,
  command: CommandOf<'agent.hold' | 'agent.release' | 'agent.seen' | 'agent.assign'>,
): Refusal | undefined {
  switch (command.type) {
    case 'agent.hold':
      return holdAgent(turn, by, command)
    case 'agent.release':
      return releaseAgent(turn, by, command.agent)
    case 'agent.seen':
      return markSeen(turn, by, command.agent)
    case 'agent.assign':
      return assignWork(turn, by, command)
  }
}

function holdAgent(turn: Turn, by: string, command: CommandOf<'agent.hold'>): Refusal | undefined {
  const { agent: id, state, reason = 'no reason given' } = command
  const { now, input, world } = turn
  const agent = world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const refusal = state === 'hold' ? notToHold(agent, world.house) : undefined
  if (refusal !== undefined) return refusal
  const untilWallAt = command.untilWallAt ?? (state === 'hold' ? input.wallAt + HOLD_MS : undefined)
  const waitMs = (untilWallAt ?? input.wallAt) - input.wallAt
  if (untilWallAt !== undefined && (waitMs <= 0 || waitMs > LONGEST_HOLD_MS)) {
    const sentence = `${id} cannot be held until ${isoTime(Math.max(0, untilWallAt))}`
    return { code: 'invalid', sentence, hint: 'Name an instant within the next 30 days.' }
  }
  const until = untilWallAt === undefined ? {} : { untilWallAt, untilAt: now + waitMs }
  const hold: Hold = { state, by, reason, sinceWallAt: input.wallAt, ...until }
  record(turn, { type: 'agent.held', agent: id, generation: agent.generation, hold })
  turn.toJudge.add(id)
  return undefined
}

function notToHold(agent: AgentRecord, house: HouseRecord): Refusal | undefined {
  const { id } = agent
  const { state, by } = desiredOf(agent, house)
  if (state === 'frozen') {
    const hint = `Release it first: \`pan agents release ${id}\`.`
    return { code: 'conflict', sentence: `${id} is frozen by ${by}, which is more than held`, hint }
  }
  if (state !== 'stop') return undefined
  const hint = `No rule starts it. That no person does either: \`pan agents freeze ${id}\`.`
  return { code: 'conflict', sentence: `${id} is stopped, and there is nothing to hold back`, hint }
}

/** A usage limit can be released, too: the agent is then told to go on now. */
function releaseAgent(turn: Turn, by: string, id: AgentId): Refusal | undefined {
  const { now, input, world } = turn
  const agent = world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const { generation, hold, limit } = agent
  if (hold !== undefined) {
    record(turn, { type: 'agent.released', agent: id, generation, by, why: 'a person asked for it' })
  } else if (limit !== undefined && isLimited(limit, world.house)) {
    const over = { ...limit, untilAt: now, untilWallAt: input.wallAt }
    record(turn, { type: 'limit.began', agent: id, generation, limit: over })
  } else {
    const hint = `See what is wanted of it with \`pan agents show ${id}\`.`
    return { code: 'conflict', sentence: `${id} is neither held nor frozen`, hint }
  }
  turn.toJudge.add(id)
  return undefined
}

/** The hold ends with its time. When to come back: the wall clock may jump, so that it is asked now and then. */
export function endHold(turn: Turn, id: AgentId): number | undefined {
  const { generation, hold } = agentOf(turn, id)
  if (hold?.untilAt === undefined) return undefined
  if (!isOver(hold, { observedAt: turn.now, wallAt: turn.input.wallAt }))
    return Math.min(hold.untilAt, turn.now + MINUTE)
  record(turn, { type: 'agent.released', agent: id, generation, by: 'cloister', why: 'its time is over' })
  return undefined
}

/** What waits is told of once; whoever gives other work replaces it. */
function assignWork(turn: Turn, by: string, command: CommandOf<'agent.assign'>): Refusal | undefined {
  const { agent: id, what } = command
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const assignment = { what, by, at: turn.now, nudges: 0 }
  record(turn, { type: 'work.assigned', agent: id, generation: agent.generation, assignment })
  turn.toJudge.add(id)
  return undefined
}
