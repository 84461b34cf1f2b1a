/** What a ribbon says of one minute, in words. */
import type { Ribbon, RibbonSegment } from '../../../../src/contract/ribbon.ts'
import type { CauseClass } from '../../../../src/contract/verdict.ts'
import { ago, clock } from '../words.ts'
import { MINUTE_MS, segmentAt } from './geometry.ts'

const CAUSES: Record<CauseClass, string> = {
  at_work: 'at work',
  starting: 'starting',
  startup_blocked: 'held at its start',
  waiting_permission: 'waiting for your permission',
  waiting_user: 'waiting for you',
  rate_limited: 'at its limit',
  api_error: "error of the model's API",
  auth_needed: 'must be signed in',
  looping: 'looping',
  hung: 'hung',
  dead: 'its program had ended',
  unknown: 'not seen well',
}

/** «At 23:14 (46 min ago) agent-pan-18 was stuck: the same failure 6 times. Poke 2 of agent-pan-18…» */
export function sayAt({ agent, segments, marks }: Ribbon, at: number, now: number): string {
  const segment = segmentAt(segments, at)
  const when = `At ${clock(at, now)} (${ago(at, now)})`
  const happened = marks.filter((mark) => isSameMinute(mark.at, at)).map(({ sentence }) => sentence)
  if (segment === undefined) return [`${when} ${agent} was not there yet.`, ...happened].join(' ')
  if (segment.shade === 'unwatched') return [`${when} nobody watched ${agent}.`, ...happened].join(' ')
  const because = becauseOf(segment)
  return [`${when} ${agent} was ${segment.shade}${because === undefined ? '' : `: ${ended(because)}`}`, ...happened]
    .map(ended)
    .join(' ')
}

/** The reason where there is one, else the cause's words. */
export function becauseOf({ reason, cause }: RibbonSegment): string | undefined {
  return reason ?? (cause === undefined ? undefined : CAUSES[cause])
}

/** The cause, where health is judged; else what else it was. */
export function causeOf({ cause, shade }: RibbonSegment): string {
  if (cause !== undefined) return CAUSES[cause]
  return shade === 'unwatched' ? 'nobody watched' : shade
}

function isSameMinute(a: number, b: number): boolean {
  return Math.abs(a - b) <= MINUTE_MS / 2
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}
