/**
 * The watchdog watches itself first: its clock, its own lateness and its sight.
 *   trusted ──jump──▶ owes 2 looks      trusted ──no look in time──▶ late ──look──▶ owes 1 look
 *   trusted ──look failed──▶ blind ──look──▶ owes 1 look      boot ──▶ owes 2 looks
 * While not trusted nothing is judged and no rule acts; what people ask for still happens.
 */
import { duration, SECOND } from './durations.ts'
import type { InputOf } from './inputs.ts'
import { record, type Turn } from './turn.ts'
import { BOOT_LOOKS, CLOCK_SLACK_MS, distrust } from './world.ts'

/** Advances observed time to this input. */
export function advance(turn: Turn): void {
  const { world, input } = turn
  const { observer } = world
  if (input.type === 'boot') return boot(turn, input)
  const monoMs = Math.max(0, input.monoAt - observer.monoAt)
  const wallMs = input.wallAt - observer.wallAt
  setTime(turn, world.house.observedAt + monoMs)
  if (Math.abs(wallMs - monoMs) > CLOCK_SLACK_MS) {
    record(turn, { type: 'house.clock-jumped', wallMs, monoMs })
    doubt(turn, BOOT_LOOKS)
  }
  if (input.type !== 'look') noticeLateness(turn, input.type === 'tick' ? input.lateMs : 0)
}

export function look(turn: Turn, input: InputOf<'look'>): void {
  const { observer, settings } = turn.world
  observer.lastTriedAt = turn.now
  if (input.blind !== undefined) {
    if (observer.blind === undefined) record(turn, { type: 'house.blinded', why: input.blind })
    observer.blind = input.blind
    return
  }
  const before = distrust(observer)
  const unseenMs = turn.now - observer.lastLookAt
  if (observer.late || unseenMs > lateAfterMs(settings.lookEveryMs)) doubt(turn, BOOT_LOOKS)
  else if (observer.blind !== undefined) observer.looksOwed = BOOT_LOOKS
  const wasDoubted = observer.late || observer.blind !== undefined
  observer.late = false
  observer.blind = undefined
  observer.looks += 1
  observer.lastLookAt = turn.now
  observer.lastLookWallAt = turn.input.wallAt
  observer.looksOwed = Math.max(0, observer.looksOwed - 1)
  observer.doubted ||= wasDoubted
  if (before !== undefined && distrust(observer) === undefined && observer.doubted) {
    observer.doubted = false
    record(turn, { type: 'house.sighted' })
  }
}

/** It hinders no look and no verdict: people are told, and nothing else becomes of it. */
export function noteTrouble({ world: { observer } }: Turn, { of, what }: InputOf<'trouble'>): void {
  const { [of]: _, ...others } = observer.troubles ?? {}
  observer.troubles = what === undefined ? others : { ...others, [of]: what }
}

/** Monitoring begins anew after a pause: nobody is judged by what happened meanwhile. */
export function doubt(turn: Turn, looks: number): void {
  const { observer } = turn.world
  observer.graceAt = turn.now
  observer.looksOwed = Math.max(observer.looksOwed, looks)
}

function boot(turn: Turn, input: InputOf<'boot'>): void {
  const { house, observer } = turn.world
  const downMs = house.wallAt === 0 ? 0 : Math.max(0, input.wallAt - house.wallAt)
  setTime(turn, house.observedAt)
  observer.lastTriedAt = turn.now
  observer.lastLookAt = turn.now
  record(turn, { type: 'house.booted', downMs, openEffects: input.openEffects })
  doubt(turn, BOOT_LOOKS)
}

function setTime(turn: Turn, now: number): void {
  const { world, input } = turn
  turn.now = now
  world.house = { ...world.house, observedAt: now, wallAt: input.wallAt }
  world.observer.wallAt = input.wallAt
  world.observer.monoAt = Math.max(world.observer.monoAt, input.monoAt)
}

function noticeLateness(turn: Turn, lateMs: number): void {
  const { observer, settings, house } = turn.world
  if (observer.late || house.monitoring === 'paused') return
  const unseenMs = turn.now - observer.lastTriedAt
  const limitMs = lateAfterMs(settings.lookEveryMs)
  if (unseenMs <= limitMs && lateMs <= settings.lookEveryMs) return
  observer.late = true
  observer.doubted = true
  doubt(turn, BOOT_LOOKS)
  const why =
    unseenMs > limitMs ? `the last look was ${duration(unseenMs)} ago` : `a timer fired ${duration(lateMs)} late`
  record(turn, { type: 'house.degraded', lateMs: Math.max(lateMs, unseenMs - settings.lookEveryMs), why })
}

function lateAfterMs(lookEveryMs: number): number {
  return 2 * lookEveryMs + 15 * SECOND
}
