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
  if (current?.doing.kind === 'limited') {
    // Its program waits by itself, and goes on by itself; what is spent stays so until a person raises it.
    if (current.doing.waits === true || current.doing.spent === true) return undefined
    return { at: current.at, untilWallAt: current.doing.untilWallAt }
  }
  if (current?.doing.kind !== 'api_error' || current.doing.ended !== true) return undefined
  return { at: current.at, of: 'outage', untilWallAt: undefined }
}
