/** Items that only a person can settle: at most one of a kind per agent. */
import type { Question } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { NeedsYou, NeedsYouKind } from '../contract/needs-you.ts'
import { record, type Turn } from './turn.ts'

export interface Request {
  kind: NeedsYouKind
  agent?: AgentId
  agents?: AgentId[]
  sentence: string
  hint: string
  options?: string[]
  questions?: Question[]
  ask?: string
  answerable?: boolean
  message?: string
  handoff?: string
}

export function raise(turn: Turn, request: Request): void {
  if (find(turn, request.kind, request.agent) !== undefined) return
  const id = `n-${turn.world.house.seq + 1}`
  record(turn, { type: 'needs-you.raised', item: { id, ...request, raisedWallAt: turn.input.wallAt } })
}

export function settle(turn: Turn, item: NeedsYou, by: string): void {
  record(turn, { type: 'needs-you.settled', item, by })
}

/** Raises the item while it is wanted and settles it when it no longer is. */
export function keep(turn: Turn, wanted: boolean, request: Request): void {
  const item = find(turn, request.kind, request.agent)
  const isMoot = item !== undefined && (!wanted || item.sentence !== request.sentence || item.ask !== request.ask)
  if (isMoot) settle(turn, item, 'cloister')
  if (wanted && (item === undefined || isMoot)) raise(turn, request)
}

function find(turn: Turn, kind: NeedsYouKind, agent: AgentId | undefined): NeedsYou | undefined {
  const { world } = turn
  const items = agent === undefined ? world.house.needsYou : (world.agents.get(agent)?.needsYou ?? [])
  return items.find((item) => item.kind === kind)
}
