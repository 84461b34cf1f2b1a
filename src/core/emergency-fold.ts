/** What becomes of the house's emergency when something of it happened. */
import type { EventOf, HouseEvent } from '../contract/events.ts'
import type { HouseRecord } from '../contract/house-record.ts'

export function foldEmergency(emergency: HouseRecord['emergency'], event: HouseEvent): HouseRecord['emergency'] {
  switch (event.type) {
    case 'emergency.triggered':
      return {
        state: 'stopping',
        by: event.by,
        ...(event.adopted === undefined ? {} : { adopted: event.adopted }),
        effect: event.effect,
        deadlineAt: event.deadlineAt,
        ...(event.sinceAt === undefined ? {} : { sinceAt: event.sinceAt }),
        attempts: 1,
        survivors: [],
      }
    case 'emergency.explained':
      return { ...emergency, by: event.by }
    case 'emergency.retried':
      return { ...emergency, effect: event.effect, deadlineAt: event.deadlineAt, attempts: event.attempt }
    case 'emergency.ended':
      return { ...over(emergency), survivors: event.survivors }
    case 'emergency.rearming':
      return { ...emergency, state: 'rearming', effect: event.effect, deadlineAt: event.deadlineAt, ...startOf(event) }
    case 'emergency.rearm-failed': {
      const { start: _, ...rest } = emergency
      return over(rest)
    }
    case 'emergency.rearmed':
      return { state: 'armed', attempts: 0, survivors: [] }
    default:
      return emergency
  }
}

function startOf({ by, start: agents }: EventOf<'emergency.rearming'>): Pick<HouseRecord['emergency'], 'start'> {
  return agents === undefined ? {} : { start: { by, agents } }
}

/** Nothing of it is under way any more. */
function over({ effect: _, deadlineAt: __, ...rest }: HouseRecord['emergency']): HouseRecord['emergency'] {
  return { ...rest, state: 'stopped' }
}
