/**
 * The one place where foreign text comes in: what adapters say is checked before the core sees it, since what is stored
 * once must be readable for ever, and secrets are taken out of it, since what is stored is shown.
 */
import { outcome as outcomeSchema, type Outcome } from '../contract/effects.ts'
import { sighting as sightingSchema, type Doing, type Sighting } from '../contract/evidence.ts'
import { redact } from '../core/redact.ts'
import type { Look } from './observe.ts'

const LONGEST = 400
const LONGEST_ACTION = 100
const LONGEST_OPTION = 200

/** Undefined when it says nothing that could be kept. */
export function readableSighting(sighting: Sighting): Sighting | undefined {
  if (!sightingSchema.safeParse(sighting).success) return undefined
  const { activity, doing } = sighting
  return {
    ...sighting,
    ...(activity?.action === undefined
      ? {}
      : { activity: { ...activity, action: cleaned(activity.action, LONGEST_ACTION) } }),
    ...(doing === undefined ? {} : { doing: cleanDoing(doing) }),
  }
}

export function readableLook({ sightings, blind, sentinel }: Look): Look {
  const readable = sightings.flatMap((sighting) => readableSighting(sighting) ?? [])
  return { sightings: readable, sentinel, ...(blind === undefined ? {} : { blind: cleaned(blind, LONGEST) }) }
}

/** An answer that cannot be read is no answer: nobody knows what became of the effect. */
export function readableOutcome(outcome: Outcome): Outcome {
  const { detail } = outcome
  const short = detail === undefined ? outcome : { ...outcome, detail: cleaned(detail, LONGEST) }
  const { success } = outcomeSchema.safeParse(short)
  return success ? short : { result: 'unknown', detail: 'its outcome could not be read' }
}

/** A question's own request stays as it is: its answer goes back inside it, and it is shown to nobody. */
function cleanDoing(doing: Doing): Doing {
  if (!('what' in doing)) return doing
  const what = cleaned(doing.what, LONGEST)
  if (doing.kind !== 'question' || doing.options === undefined) return { ...doing, what }
  return { ...doing, what, options: doing.options.map((option) => cleaned(option, LONGEST_OPTION)) }
}

/** Cut before, so that the work stays small, and after, since what stands for a secret may be longer than it. */
function cleaned(text: string, longest: number): string {
  return redact(text.slice(0, 2 * longest)).slice(0, longest)
}
