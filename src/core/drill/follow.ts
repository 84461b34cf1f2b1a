/** Follows a drill event by event, and says in the end whether it passed. Pure: whoever calls it has the clock. */
import type { DrillReport } from '../../contract/drill.ts'
import type { Event } from '../../contract/events.ts'
import { describe } from '../describe.ts'
import { exactly, SECOND } from '../durations.ts'
import { isDeed, type Deed, type DeedKind, type Plan, type Sight } from './plan.ts'

export interface Drill {
  plan: Plan
  /** When the fault was there, by the caller's clock. */
  injectedAt?: number
  detected?: { afterMs: number; as: string }
  /** Steps of the plan that are done. */
  met: ReadonlySet<Sight | Deed>
  deeds: readonly DeedKind[]
  /** Events since the fault. */
  seen: readonly Event[]
  done: DrillReport['done']
  /** What should not have happened, or could not be done. */
  wrong?: string
}

export function beginDrill(plan: Plan): Drill {
  return { plan, met: new Set(), deeds: [], seen: [], done: [] }
}

export function follow(drill: Drill, event: Event, at: number): Drill {
  const { plan, injectedAt } = drill
  if (injectedAt === undefined) return isInjection(plan, event) ? { ...drill, injectedAt: at } : drill
  const afterMs = Math.max(0, at - injectedAt)
  const wrong = drill.wrong ?? plan.wrong(event, { earlier: drill.seen, deeds: drill.deeds })
  const what = noteworthy(event, plan)
  const met = new Set(drill.met)
  let { detected } = drill
  for (const sight of awaited(drill)) {
    const as = sight.in(event)
    if (as === undefined) continue
    met.add(sight)
    if (sight === detection(plan)) detected = { afterMs, as }
    // One event is one sight: two jumps are two.
    break
  }
  return {
    ...drill,
    met,
    seen: [...drill.seen, event],
    done: what === undefined ? drill.done : [...drill.done, { afterMs, what, sentence: describe(event) }],
    ...(detected === undefined ? {} : { detected }),
    ...(wrong === undefined ? {} : { wrong }),
  }
}

/** The deed whose turn it is, when nothing has to be seen before it. */
export function nextDeed(drill: Drill): Deed | undefined {
  if (drill.injectedAt === undefined && !beginsWithDeed(drill.plan)) return undefined
  const first = drill.plan.steps.find((step) => !drill.met.has(step))
  return first !== undefined && isDeed(first) ? first : undefined
}

export function deedDone(drill: Drill, deed: Deed, given: { at: number; failed?: string | undefined }): Drill {
  const { injectedAt = given.at } = drill
  return {
    ...drill,
    injectedAt,
    met: new Set([...drill.met, deed]),
    deeds: [...drill.deeds, deed.deed],
    ...(given.failed === undefined ? {} : { wrong: given.failed }),
  }
}

export function isOver({ plan, met, wrong }: Drill): boolean {
  return wrong !== undefined || plan.steps.every((step) => met.has(step))
}

export function reportOf(drill: Drill, home: DrillReport['home'], cut?: string): DrillReport {
  const { plan, detected, done } = drill
  const failure = cut ?? failureOf(drill)
  return {
    fault: plan.fault,
    home,
    agents: [...new Set(plan.orders.map(({ agent }) => agent))],
    ...(detected === undefined ? {} : { seenAs: detected.as, detectedMs: detected.afterMs }),
    boundMs: plan.boundMs,
    done,
    passed: failure === undefined,
    outcome: failure ?? plan.outcome,
  }
}

function failureOf({ plan, injectedAt, detected, met, wrong }: Drill): string | undefined {
  if (wrong !== undefined) return wrong
  if (injectedAt === undefined) return 'the fault could not be injected: the order never reached the understudy'
  if (detected === undefined) return `not noticed in time: ${detection(plan).see} was not seen`
  if (detected.afterMs > plan.boundMs) {
    return `noticed too late: after ${seconds(detected.afterMs)}, and the bound is ${seconds(plan.boundMs)}`
  }
  const missing = plan.steps.find((step) => !met.has(step))
  if (missing === undefined) return undefined
  return isDeed(missing) ? `the drill did not come to this: ${missing.words}` : `not seen in time: ${missing.see}`
}

/** Half a minute is told exactly, a tenth of a second is not worth more than one digit. */
export function seconds(ms: number): string {
  return ms < 100 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : exactly(ms)
}

function detection({ steps }: Plan): Sight {
  const first = steps.find((step): step is Sight => !isDeed(step))
  if (first === undefined) throw new Error('A plan has at least one sight.')
  return first
}

/** Sights up to the next deed, in any order. */
function awaited({ plan, met }: Drill): Sight[] {
  const open = plan.steps.filter((step) => !met.has(step))
  const deedAt = open.findIndex(isDeed)
  return (deedAt < 0 ? open : open.slice(0, deedAt)).filter((step): step is Sight => !isDeed(step))
}

export function beginsWithDeed({ steps }: Plan): boolean {
  const [first] = steps
  return first !== undefined && isDeed(first)
}

/** Typed, or heard where nobody saw it being typed. */
function isInjection(plan: Plan, event: Event): boolean {
  if (event.type !== 'message.typed' && event.type !== 'message.heard') return false
  return !beginsWithDeed(plan) && plan.faulty.includes(event.agent)
}

/** What Cloister did or asked for, in a word or two; not what the drill or a person did. */
function noteworthy(event: Event, { faulty }: Plan): string | undefined {
  if ('agent' in event && !faulty.includes(event.agent)) return undefined
  switch (event.type) {
    case 'act.decided':
      return event.act.precedence === 'human' ? undefined : actWord(event.act)
    case 'act.held':
      return 'act held'
    case 'restart.planned':
      return 'restart planned'
    case 'limit.began':
      return 'held by its limit'
    case 'mass.began':
      return 'all acts held'
    case 'needs-you.raised':
      return event.item.agent === undefined || faulty.includes(event.item.agent) ? 'a person asked' : undefined
    case 'house.clock-jumped':
      return 'full time given again'
    default:
      return undefined
  }
}

/** The end before a new start takes nothing away from anybody: the program had died. */
function actWord({ kind, precedence }: { kind: string; precedence: string }): string {
  if (precedence !== 'crash') return kind
  return kind === 'kill' ? 'work saved' : 'started again'
}
