/**
 * All that is known now. `house` and `agents` are stored; `observer`, `deadlines` and the indexes are
 * rebuilt at boot. Records are replaced, never changed in place, so that a batch may hold on to them.
 */
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import { SESSIONS_KEPT, type AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { Settings } from '../contract/settings.ts'
import type { CauseKind } from '../contract/verdict.ts'
import { Deadlines } from './deadlines.ts'
import type { Prices } from './costs/price.ts'
import type { Capabilities } from './runtime-port.ts'
import { SECOND } from './durations.ts'
import type { Trouble } from './inputs.ts'

export const BOOT_LOOKS = 2
export const EMERGENCY_KEY = '/emergency'

/** The daemon's doubt about itself. Lives as long as the process. */
export interface Observer {
  wallAt: number
  monoAt: number
  /** Silence counts from here: boot, a clock jump or a late look gives everybody the full time again. */
  graceAt: number
  /** The last good look, and the last one that was tried. */
  lastLookAt: number
  lastTriedAt: number
  lastLookWallAt: number | undefined
  /** Good looks so far, and how many are still owed before verdicts are trusted. */
  looks: number
  looksOwed: number
  blind: string | undefined
  late: boolean
  /** A doubt was recorded and its end has not been yet. */
  doubted: boolean
  /** What is wrong with the house itself, besides. */
  troubles?: Partial<Record<Trouble, string>>
}

export interface World {
  settings: Settings
  house: HouseRecord
  agents: Map<AgentId, AgentRecord>
  observer: Observer
  deadlines: Deadlines
  /** Agents in trouble now, and the newest turns into it: what a mass event is told by. */
  troubled: Set<AgentId>
  turns: { agent: AgentId; at: number }[]
  /** Whose run it is or was, so that a report finds its agent. */
  runs: Map<string, AgentId>
  /** Agents that a person started. */
  adopted: Set<AgentId>
  /** Whose work a specialist has, by the specialist. */
  lent: Map<AgentId, AgentId>
  /** Agents with something under way. */
  acting: Set<AgentId>
  /** How many agents have an active lifecycle, and how many live at all: those that rest at their prompt, too. */
  watched: number
  living: number
  /** What the runtimes can do, by name. */
  capabilities: ReadonlyMap<string, Capabilities>
  /** Where texts go that are too long to be typed. */
  letters: string | undefined
  prices: Prices
}

export interface Restored {
  house?: HouseRecord | undefined
  agents?: readonly AgentRecord[]
}

/** What does not change while the daemon runs. */
export interface Surroundings {
  capabilities?: ReadonlyMap<string, Capabilities>
  letters?: string | undefined
  /** Left out: no model has a known price. */
  prices?: Prices | undefined
}

export function createWorld(settings: Settings, restored: Restored = {}, surroundings: Surroundings = {}): World {
  const house = restored.house ?? newHouse()
  const world: World = {
    settings,
    house,
    agents: new Map(),
    observer: newObserver(house.observedAt),
    deadlines: new Deadlines(),
    troubled: new Set(),
    turns: [],
    runs: new Map(),
    adopted: new Set(),
    lent: new Map(),
    acting: new Set(),
    watched: 0,
    living: 0,
    capabilities: surroundings.capabilities ?? new Map(),
    letters: surroundings.letters,
    prices: surroundings.prices ?? UNPRICED,
  }
  for (const agent of restored.agents ?? []) setAgent(world, reopened(agent))
  for (const agent of world.agents.values()) world.deadlines.set(agent.id, house.observedAt)
  const { deadlineAt } = house.emergency
  if (deadlineAt !== undefined) world.deadlines.set(EMERGENCY_KEY, deadlineAt)
  return world
}

const UNPRICED: Prices = { ratesOf: () => undefined }

/** The only way to change an agent: keeps the indexes true. */
export function setAgent(world: World, agent: AgentRecord): void {
  const before = world.agents.get(agent.id)
  world.watched += Number(isWatched(agent)) - Number(before !== undefined && isWatched(before))
  world.living += Number(isAlive(agent)) - Number(before !== undefined && isAlive(before))
  if (agent.run !== undefined && agent.run !== before?.run) world.runs.set(agent.run, agent.id)
  if (agent.adopted !== undefined) world.adopted.add(agent.id)
  if (before?.lent !== undefined && before.lent.to !== agent.lent?.to) world.lent.delete(before.lent.to)
  if (agent.lent !== undefined) world.lent.set(agent.lent.to, agent.id)
  if (agent.act === undefined) world.acting.delete(agent.id)
  else world.acting.add(agent.id)
  if (isTroubled(agent)) world.troubled.add(agent.id)
  else world.troubled.delete(agent.id)
  world.agents.set(agent.id, withSessions(agent))
}

/** As far as the last look knows: one whose death is not certain yet is no longer counted among the living. */
function isAlive(agent: AgentRecord): boolean {
  const { process, terminal } = agent.evidence
  return lives(agent) && process?.alive !== false && terminal?.alive !== false
}

function withSessions(agent: AgentRecord): AgentRecord {
  const { sessionId, sessions = [] } = agent
  if (sessionId === undefined || sessions.at(-1) === sessionId) return agent
  const others = sessions.filter((session) => session !== sessionId)
  return { ...agent, sessions: [...others, sessionId].slice(-SESSIONS_KEPT) }
}

/** Nothing of it is left, so that what an earlier life still reports finds nobody. */
export function dropAgent(world: World, id: AgentId): void {
  const agent = world.agents.get(id)
  if (agent === undefined) return
  world.watched -= Number(isWatched(agent))
  world.living -= Number(isAlive(agent))
  for (const [run, owner] of world.runs) if (owner === id) world.runs.delete(run)
  if (agent.lent !== undefined) world.lent.delete(agent.lent.to)
  world.acting.delete(id)
  world.adopted.delete(id)
  world.troubled.delete(id)
  world.deadlines.clear(id)
  world.agents.delete(id)
}

/** Verdicts and automatic acts need an observer that sees, is on time, and has looked often enough. */
export function distrust(observer: Observer): string | undefined {
  if (observer.blind !== undefined) return `cannot see the agents: ${observer.blind}`
  if (observer.late) return 'was late itself and is catching up'
  if (observer.looksOwed > 0)
    return `has to look ${observer.looksOwed} more time${observer.looksOwed > 1 ? 's' : ''} first`
  return undefined
}

export function can(world: World, agent: AgentRecord, what: keyof Capabilities): boolean {
  return world.capabilities.get(agent.runtime)?.[what] === true
}

export function isWatched(agent: AgentRecord): boolean {
  return agent.lifecycle === 'active'
}

const TROUBLE: readonly CauseKind[] = ['thinking', 'compacting', 'api_error', 'looping', 'hung', 'dead']

/**
 * Bad in a way that an outage could explain. Waiting for a person is not trouble; one that an outage holds is seen to,
 * since it goes on by itself.
 */
export function isTroubled({ verdict, limit }: AgentRecord): boolean {
  return (
    verdict !== undefined &&
    limit?.of !== 'outage' &&
    (verdict.health === 'warning' || verdict.health === 'stuck') &&
    TROUBLE.includes(verdict.cause.kind)
  )
}

function newHouse(): HouseRecord {
  return {
    seq: 0,
    observedAt: 0,
    wallAt: 0,
    monitoring: 'running',
    emergency: { state: 'armed', attempts: 0, survivors: [] },
    needsYou: [],
  }
}

function newObserver(observedAt: number): Observer {
  return {
    wallAt: 0,
    monoAt: 0,
    graceAt: observedAt,
    lastLookAt: observedAt,
    lastTriedAt: observedAt,
    lastLookWallAt: undefined,
    looks: 0,
    looksOwed: BOOT_LOOKS,
    blind: undefined,
    late: false,
    doubted: false,
  }
}

/** Wall and monotonic time may differ by this much before it is called a jump. */
export const CLOCK_SLACK_MS = 30 * SECOND

/** Looks are counted from this boot on, and what a program's registry said before it is not what it says now. */
function reopened(agent: AgentRecord): AgentRecord {
  const { verdict, open } = agent
  const { status: _, ...seen } = open?.seen ?? {}
  return {
    ...agent,
    ...(verdict === undefined ? {} : { verdict: { ...verdict, sinceLook: 0 } }),
    ...(open?.seen === undefined ? {} : { open: { ...open, seen } }),
  }
}
