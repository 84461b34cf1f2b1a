/** What comes from adapters is checked before the core sees it: what is stored once must be readable for ever. */
import { outcome as outcomeSchema, type Outcome } from '../contract/effects.ts'
import { sighting as sightingSchema, type Sighting } from '../contract/evidence.ts'
import type { Look } from './observe.ts'

const LONGEST = 400

export function isReadable(sighting: Sighting): boolean {
  return sightingSchema.safeParse(sighting).success
}

export function readableLook({ sightings, blind, sentinel }: Look): Look {
  const readable = sightings.filter(isReadable)
  return { sightings: readable, sentinel, ...(blind === undefined ? {} : { blind: blind.slice(0, LONGEST) }) }
}

/** An answer that cannot be read is no answer: nobody knows what became of the effect. */
export function readableOutcome(outcome: Outcome): Outcome {
  const { detail } = outcome
  const short = detail === undefined ? outcome : { ...outcome, detail: detail.slice(0, LONGEST) }
  const { success } = outcomeSchema.safeParse(short)
  return success ? short : { result: 'unknown', detail: 'its outcome could not be read' }
}
