/**
 * What a sighting says that its agent does, and what it leaves open. Facts are told by what they lead to; the word of a
 * program that reports no facts is taken as it is.
 */
import type { Doing, Sighting } from '../../contract/evidence.ts'
import type { OpenWork } from '../../contract/open-work.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE } from '../durations.ts'
import { afterFacts, afterObjection, afterSeen, atRest, NOTHING_OPEN, shownWork, type Instant } from './open-work.ts'
import { withLimitEnd } from './weigh.ts'

export interface Told {
  doing?: Doing | undefined
  /** When that began, where it was said of something that had begun before. */
  beganAt?: number | undefined
  open?: OpenWork
  /** It is younger than what was believed, whatever the clocks say. */
  objects?: true | undefined
}

export function tell(agent: AgentRecord, sighting: Sighting, instant: Instant): Told {
  const { witness, facts, seen, objects } = sighting
  const doing = sighting.doing && ending(agent, sighting.doing, instant)
  if (witness === 'hook') return facts === undefined ? plain(agent, doing, instant) : byFacts(agent, sighting, instant)
  if (seen !== undefined) return bySeen(agent, sighting, instant)
  if (doing === undefined || agent.open === undefined || !SECOND_WITNESSES.includes(witness)) return { doing, objects }
  const open = afterObjection(agent.open, doing, instant)
  const shown = shownWork(open)
  return { doing, objects, open, ...(shown?.at === undefined || doing.kind !== 'tool' ? {} : { beganAt: shown.at }) }
}

const SECOND_WITNESSES: readonly string[] = ['registry', 'transcript']

/** A report without facts still says that its program spoke. */
function plain({ open }: AgentRecord, doing: Doing | undefined, { wallAt }: Instant): Told {
  return open === undefined
    ? { doing }
    : { doing, open: { ...resting(open, doing), heardWallAt: latest(open, wallAt) } }
}

const OPEN_KINDS: readonly Doing['kind'][] = ['tool', 'permission', 'question']

function resting(open: OpenWork, doing: Doing | undefined): OpenWork {
  if (doing === undefined || OPEN_KINDS.includes(doing.kind)) return open
  return doing.kind === 'idle' ? atRest(open) : { ...open, rest: doing }
}

function byFacts(agent: AgentRecord, { facts = [] }: Sighting, instant: Instant): Told {
  const before = agent.open ?? knownBefore(agent)
  const after = afterFacts(before, facts, instant)
  const open = { ...limited(after, agent, instant), heardWallAt: latest(before, instant.wallAt) }
  const shown = after === before ? undefined : shownWork(open)
  const isTold = shown === undefined || (shown.key !== undefined && shown.key === shownWork(before)?.key)
  return isTold ? { open } : { open, doing: shown.doing, beganAt: shown.at }
}

/** Reports overtake each other by moments; by more, the clock was set back since. */
function latest({ heardWallAt = -Infinity }: OpenWork, wallAt: number): number {
  return heardWallAt > wallAt + MINUTE ? wallAt : Math.max(heardWallAt, wallAt)
}

function limited(open: OpenWork, agent: AgentRecord, instant: Instant): OpenWork {
  return open.rest?.kind === 'limited' ? { ...open, rest: ending(agent, open.rest, instant) } : open
}

function ending({ gauges }: AgentRecord, doing: Doing, { wallAt }: Instant): Doing {
  return withLimitEnd(doing, gauges?.limits ?? [], wallAt)
}

function bySeen({ open = NOTHING_OPEN }: AgentRecord, { seen = {}, doing, objects }: Sighting, instant: Instant): Told {
  const after = afterSeen(open, seen, instant)
  if (after.calls === open.calls) return { doing, objects, open: after }
  const shown = shownWork(after)
  return { open: after, doing: shown?.doing, beganAt: shown?.at, objects: true }
}

/** Of one that was watched before facts were told: what it was last heard to do. */
function knownBefore({ evidence: { hook } }: AgentRecord): OpenWork {
  const { doing, doingAt: at = 0 } = hook ?? {}
  switch (doing?.kind) {
    case undefined:
      return NOTHING_OPEN
    case 'tool': {
      const bound = doing.boundMs === undefined ? {} : { boundMs: doing.boundMs }
      return {
        ...NOTHING_OPEN,
        calls: [{ id: '', actor: '', tool: doing.name, identity: '', at, wallAt: 0, ...bound }],
      }
    }
    case 'permission':
    case 'question':
      return { ...NOTHING_OPEN, waits: [{ key: '', actor: '', doing, at }] }
    default:
      return { ...NOTHING_OPEN, rest: doing }
  }
}
