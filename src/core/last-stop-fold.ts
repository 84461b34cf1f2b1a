/** What the house keeps of its last emergency stop. One that comes while another is in force adds to it. */
import type { Event, EventOf } from '../contract/events.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import { STOP_DETAILS_KEPT, type LastStop, type StopDown } from '../contract/last-stop.ts'

export function withLastStop(house: HouseRecord, event: Event): HouseRecord {
  const lastStop = after(house, event)
  return lastStop === undefined || lastStop === house.lastStop ? house : { ...house, lastStop }
}

function after({ lastStop, emergency }: HouseRecord, event: Event): LastStop | undefined {
  if (event.type === 'emergency.triggered') {
    return emergency.state === 'armed' || lastStop === undefined ? begun(event, lastStop) : again(lastStop, event)
  }
  if (event.type === 'emergency.found') {
    return emergency.state === 'armed' || lastStop === undefined
      ? found(event, lastStop)
      : { ...withEnded(lastStop, event.stopped), ...withDown(lastStop, event) }
  }
  if (lastStop === undefined) return undefined
  switch (event.type) {
    case 'emergency.explained':
      return { ...lastStop, by: event.by, reason: event.reason }
    case 'emergency.ended': {
      const { stopped, survivors, confirmed, leftAlone } = event
      const left = leftAlone === undefined ? {} : { leftAlone }
      return { ...withEnded(lastStop, stopped), survivors, confirmed, ...left }
    }
    case 'emergency.rearmed':
      return { ...lastStop, resumedWallAt: event.at }
    case 'agent.salvaged': {
      const { agent, ref, unsaved } = event
      const how = { ...(ref === undefined ? {} : { ref }), ...(unsaved === undefined ? {} : { unsaved }) }
      return withSaved(lastStop, { agent, ...how }, emergency.state === 'armed')
    }
    case 'needs-you.raised': {
      const { kind, agent, sentence } = event.item
      if (kind !== 'salvage_failed' || agent === undefined) return lastStop
      return withSaved(lastStop, { agent, unsaved: sentence.slice(0, 1000) }, emergency.state === 'armed')
    }
    default:
      return lastStop
  }
}

function begun(event: EventOf<'emergency.triggered'>, before: LastStop | undefined): LastStop {
  const { person: by = event.by, reason, askedWallAt: wallAt = event.at, found: seen } = event
  const now = seen ?? { of: 0, questions: [], handoffs: [] }
  return { ...now, ...workOf(now, before), by, reason, wallAt, ended: [], survivors: [], saved: [] }
}

/** Who waits since a stop before this one, and was at work then, is to go on with it. */
function workOf({ atWork = [], earlier }: Pick<LastStop, 'atWork' | 'earlier'>, before: LastStop | undefined) {
  const worked = before?.atWork?.filter((id) => earlier?.includes(id)) ?? []
  return worked.length === 0 ? {} : { atWork: [...new Set([...atWork, ...worked])] }
}

/** The one that is in force keeps its reason, its instant and whoever asked for it. */
function again(before: LastStop, { found: now }: EventOf<'emergency.triggered'>): LastStop {
  if (now === undefined) return before
  return {
    ...before,
    of: before.ended.length + now.of,
    atWork: [...(before.atWork ?? []), ...(now.atWork ?? [])],
    questions: [...before.questions, ...now.questions].slice(-STOP_DETAILS_KEPT),
    handoffs: [...before.handoffs, ...now.handoffs].slice(-STOP_DETAILS_KEPT),
    ...withDown(before, now),
  }
}

function withDown(before: LastStop, now: StopDown): StopDown {
  const dead = [...new Set([...(before.dead ?? []), ...(now.dead ?? [])])]
  const asleep = [...new Set([...(before.asleep ?? []), ...(now.asleep ?? [])])]
  return { ...(dead.length === 0 ? {} : { dead }), ...(asleep.length === 0 ? {} : { asleep }) }
}

/** Whoever was not known to run when it came, and was ended all the same, counts. */
function withEnded(lastStop: LastStop, stopped: LastStop['ended']): LastStop {
  const ended = [...new Set([...lastStop.ended, ...stopped])]
  return { ...lastStop, ended, of: Math.max(lastStop.of, ended.length) }
}

/** Nobody saw it come. */
function found(event: EventOf<'emergency.found'>, before: LastStop | undefined): LastStop {
  const { type: _, seq: __, at, observedAt: ___, stopped: ended, reason, person, askedWallAt, ...seen } = event
  const { of = 0, questions = [], handoffs = [], ...rest } = seen
  return {
    ...{ ...rest, ...workOf(rest, before), questions, handoffs },
    ...{ by: person ?? 'a person', reason: reason ?? 'no reason given', wallAt: askedWallAt ?? at },
    ...{ ended, of: Math.max(of, ended.length), survivors: [], saved: [], resumedWallAt: at },
  }
}

/** What is saved of an agent later, of another life of it, is no longer of this stop. */
function withSaved(lastStop: LastStop, saved: LastStop['saved'][number], isOver: boolean): LastStop {
  const { ended, dead = [], asleep = [] } = lastStop
  const isKnown = lastStop.saved.some(({ agent }) => agent === saved.agent)
  if (![...ended, ...dead, ...asleep].includes(saved.agent) || (isKnown && isOver)) return lastStop
  const others = lastStop.saved.filter(({ agent }) => agent !== saved.agent)
  return { ...lastStop, saved: [...others, saved].slice(-STOP_DETAILS_KEPT) }
}
