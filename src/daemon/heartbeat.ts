/** An agent's word that came over the API instead of the spool: a report like any other, durable before the answer. */
import type { Heartbeat } from '../api/deps.ts'
import type { Refusal } from '../contract/commands.ts'
import type { Activity, Doing, Sighting } from '../contract/evidence.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HeartbeatBody, HeartbeatTaken } from '../contract/bodies.ts'
import { MINUTE } from '../core/durations.ts'
import { redactTo } from '../core/redact.ts'
import type { Loop } from './loop.ts'
import { readableSighting } from './readable.ts'

/** How long a tool may take when nobody says which it is: the longest that agents' programs allow a command. */
const TOOL_MS = 10 * MINUTE

/** By which it is known that a word came over the API. */
const BY_API = 'api '

const SAID_LIMIT = 1000
const ACTION_LIMIT = 100

export async function takeHeartbeat(
  loop: Pick<Loop, 'report' | 'world'>,
  wallAt: number,
  { agent: id, generation: given, id: stamp, said }: Heartbeat,
): Promise<HeartbeatTaken | Refusal> {
  const agent = loop.world.agents.get(id)
  if (agent === undefined) return unknown(id)
  if (!isRunning(agent)) return notRunning(id)
  const generation = given ?? agent.generation
  const wrong = contradiction(agent, said)
  if (wrong !== undefined) return wrong
  const saidAt = said.timestamp === undefined ? wallAt : Math.min(wallAt, Date.parse(said.timestamp))
  if (isOld(loop.world.house.observedAt - (wallAt - saidAt), agent)) return { agent: id, generation, taken: false }
  const sighting: Sighting = {
    agent: id,
    generation,
    witness: 'hook',
    stamp: `${BY_API}${stamp}`,
    ageMs: wallAt - saidAt,
    doing: doingOf(said),
    activity: activityOf(said, saidAt),
    ...(said.sessionId === undefined ? {} : { sessionId: said.sessionId }),
  }
  const readable = readableSighting(sighting)
  if (readable === undefined) throw new Error(`a heartbeat of ${id} passed its check and cannot be read`)
  const reply = await loop.report(readable)
  if (!reply.ok) return reply.refusal
  const { startedAt, generation: current } = loop.world.agents.get(id) ?? agent
  return { agent: id, generation, taken: startedAt !== undefined && generation === current }
}

/** What it said later counts, in whichever order the two arrive. */
function isOld(at: number, { evidence }: AgentRecord): boolean {
  return at < (evidence.hook?.changedAt ?? -Infinity)
}

/** Its hooks know its session and its calls better than whoever has its token. */
function contradiction({ id, sessionId, evidence }: AgentRecord, said: HeartbeatBody): Refusal | undefined {
  const hint = 'A hook of its program says so when that changes; leave it out of the heartbeat.'
  if (said.sessionId !== undefined && sessionId !== undefined && said.sessionId !== sessionId) {
    return { code: 'conflict', sentence: `${id} is in session ${sessionId}, not in ${said.sessionId}`, hint }
  }
  const { doing, stamp } = evidence.hook ?? {}
  if (said.state !== 'idle' || doing?.kind !== 'tool' || stamp?.startsWith(BY_API) === true) return undefined
  return { code: 'conflict', sentence: `${id} is not idle: its call of ${doing.name} has not ended`, hint }
}

/** One that is being started speaks before its start is confirmed. */
function isRunning(agent: AgentRecord): boolean {
  return lives(agent) || agent.act?.kind === 'spawn'
}

function doingOf({ state, tool }: HeartbeatBody): Doing {
  if (state === 'idle') return { kind: 'idle' }
  return tool === undefined ? { kind: 'thinking' } : { kind: 'tool', name: tool, boundMs: TOOL_MS }
}

function activityOf({ state, tool, action, summary }: HeartbeatBody, saidAt: number): Activity {
  const text = action ?? summary
  const what =
    text === undefined ? undefined : redactTo(text, SAID_LIMIT).replaceAll(/\s+/g, ' ').slice(0, ACTION_LIMIT)
  return {
    ts: new Date(saidAt).toISOString(),
    ...(tool === undefined ? {} : { tool }),
    ...(what === undefined ? {} : { action: what }),
    state,
  }
}

function notRunning(id: string): Refusal {
  return { code: 'conflict', sentence: `${id} is not running`, hint: `Start it with \`pan agents spawn ${id}\`.` }
}

function unknown(id: string): Refusal {
  return { code: 'not_found', sentence: `There is no agent ${id}`, hint: 'List them with `pan agents list`.' }
}
