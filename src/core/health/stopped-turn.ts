/** What ended an agent's turn from outside, so that it goes on by itself when that is over: a usage limit, an outage. */
import type { AgentRecord } from '../../contract/records.ts'
import { currentDoing } from './judge.ts'

export interface StoppedTurn {
  at: number
  /** Left out: a usage limit. */
  of?: 'outage'
  untilWallAt: number | undefined
}

export function stoppedTurn(agent: AgentRecord): StoppedTurn | undefined {
  const current = currentDoing(agent)
  // Its program waits by itself, and goes on by itself.
  if (current?.doing.kind === 'limited' && current.doing.waits === true) return undefined
  if (current?.doing.kind === 'limited') return { at: current.at, untilWallAt: current.doing.untilWallAt }
  if (current?.doing.kind !== 'api_error' || current.doing.ended !== true) return undefined
  return { at: current.at, of: 'outage', untilWallAt: undefined }
}
