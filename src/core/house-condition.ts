/**
 * One sentence for the whole house: the worst condition wins, and whatever is not normal comes with its remedy.
 *   stopped > blind > degraded > acts held > paused > watching N
 */
import type { HouseView, Remedy, StatusFile } from '../contract/house-view.ts'
import type { LastStop } from '../contract/last-stop.ts'
import { ended } from './durations.ts'
import { SENTINEL } from './emergency-steps.ts'
import { isoTime } from './iso-time.ts'
import type { World } from './world.ts'

/** How an instant of the wall clock is said. */
export type SayAt = (wallAt: number) => string

/** Why nobody sees the agents when no daemon does. */
export const NO_DAEMON = 'no daemon watches'

export function houseView(world: World, sayAt: SayAt = isoTime): HouseView {
  for (const find of WORST_FIRST) {
    const found = find(world, sayAt)
    if (found !== undefined) return found
  }
  return watching(world)
}

/** What is published of it. Of a daemon that has ended it is the last word, and has to stay true. */
export function statusFile(world: World, sayAt: SayAt): StatusFile {
  const { lastLookWallAt, blind: why } = world.observer
  const lastCheck = lastLookWallAt === undefined ? {} : { lastCheck: isoTime(lastLookWallAt) }
  return { ...houseView(world, sayAt), watching: why === NO_DAEMON ? 0 : world.living, ...lastCheck }
}

/** The same house when nobody watches it: what was stopped is stopped, and nothing else is known. */
export function unwatched(world: World): World {
  return { ...world, observer: { ...world.observer, blind: NO_DAEMON } }
}

type Find = (world: World, sayAt: SayAt) => HouseView | undefined
const WORST_FIRST: readonly Find[] = [stopped, blind, pausedToo(degraded), pausedToo(held), paused]

function stopped(world: World, sayAt: SayAt): HouseView | undefined {
  const { emergency, lastStop } = world.house
  const { state } = emergency
  if (state === 'armed') return undefined
  const who = lastStop?.by ?? emergency.by
  const by = who === undefined || who === SENTINEL ? '' : ` by ${who}`
  const at = lastStop === undefined ? undefined : sayAt(lastStop.wallAt)
  const of = lastStop?.of ?? world.living
  const sentence = {
    stopping: `Stopping${at === undefined ? '' : ` since ${at}`}${by}: ${agents(of)} ${of === 1 ? 'is' : 'are'} being ended`,
    stopped: `Stopped${at === undefined ? '' : ` at ${at}`}${by}: ${endOf(lastStop, emergency.survivors.length)}`,
    rearming: `Resuming: the stop${at === undefined ? '' : ` at ${at}`}${by} is being taken back`,
  }[state]
  return { condition: 'stopped', sentence, remedy: afterStop(world) }
}

function endOf(lastStop: LastStop | undefined, survivors: number): string {
  const alive = survivors === 0 ? '' : `, ${plural(survivors, 'process', 'es')} survived`
  if (lastStop === undefined) return `the agents were ended${alive}`
  if (lastStop.confirmed === false) return `nobody confirmed that the agents ended${alive}`
  return `${lastStop.ended.length} of ${lastStop.of} ended${alive}`
}

/** Without a daemon a person may have resumed since, and still nothing is started. */
function afterStop({ house: { emergency }, observer }: World): Remedy {
  if (emergency.state !== 'stopped') {
    return { sentence: 'That takes some seconds. Nothing is started or typed meanwhile.' }
  }
  const first = emergency.survivors.length === 0 ? '' : 'End what survived by hand. '
  const then = observer.blind === NO_DAEMON ? ' and a daemon runs' : ''
  return {
    sentence: `${first}Nothing is started or typed until you resume${then}.`,
    command: 'pan cloister resume',
    act: 'resume',
  }
}

function blind({ observer }: World): HouseView | undefined {
  if (observer.blind === undefined) return undefined
  const remedy =
    observer.blind === NO_DAEMON
      ? { sentence: 'Nobody is judged, helped or stopped by a rule until one is started.', command: 'pan up' }
      : { sentence: 'Nobody is judged until it sees again. See what is wrong.', command: 'pan doctor' }
  return { condition: 'blind', sentence: `Cannot see the agents: ${observer.blind}`, remedy }
}

/** It works, but not as it should. */
function degraded({ observer }: World): HouseView | undefined {
  const { late, doubted, looksOwed, troubles = {} } = observer
  const wrong: { what: string; remedy: Remedy }[] = []
  if (late) wrong.push({ what: 'Cloister was late itself and catches up', remedy: CATCHES_UP })
  else if (doubted && looksOwed > 0) {
    wrong.push({ what: `it sees again, and judges nobody before ${looks(looksOwed)}`, remedy: CATCHES_UP })
  }
  if (troubles.journal !== undefined) {
    const sentence = `${ended(troubles.journal)} See what is wrong.`
    wrong.push({ what: 'files cannot be written', remedy: { sentence, command: 'pan doctor' } })
  }
  if (troubles.settings !== undefined) {
    const sentence = `The last good ones stay in force. ${ended(troubles.settings)}`
    wrong.push({ what: 'settings are broken', remedy: { sentence, command: 'pan config validate' } })
  }
  const [first] = wrong
  if (first === undefined) return undefined
  return {
    condition: 'degraded',
    sentence: `Degraded: ${wrong.map(({ what }) => what).join('; ')}`,
    remedy: first.remedy,
  }
}

const CATCHES_UP: Remedy = {
  sentence: 'Nobody is judged until it has looked again. If it stays so, see what is wrong.',
  command: 'pan doctor',
}

function held({ house }: World): HouseView | undefined {
  const { mass, needsYou } = house
  if (mass === undefined) return undefined
  const item = needsYou.find(({ kind }) => kind === 'mass')
  const sentence = `Acts are held: ${agents(mass.agents.length)} ${mass.what ?? 'turned bad'} at once`
  if (item === undefined) return { condition: 'held', sentence, remedy: { sentence: 'That is over in a moment.' } }
  const remedy = { sentence: item.hint, command: `pan inbox settle ${item.id}`, act: 'settle' as const, item: item.id }
  return { condition: 'held', sentence, remedy }
}

function paused({ house: { monitoring, pausedBy } }: World): HouseView | undefined {
  if (monitoring === 'running') return undefined
  return {
    condition: 'paused',
    sentence: `Paused${pausedBy === undefined ? '' : ` by ${pausedBy}`}`,
    remedy: {
      sentence: 'Agents go on; nobody is judged or poked until it is started.',
      command: 'pan cloister start',
      act: 'start',
    },
  }
}

/** Whoever mends the worse one must know that nobody is watched afterwards either. */
function pausedToo(find: Find): Find {
  return (world, sayAt) => {
    const found = find(world, sayAt)
    const { monitoring, pausedBy } = world.house
    if (found === undefined || monitoring === 'running') return found
    const sentence = `${found.sentence}; paused${pausedBy === undefined ? '' : ` by ${pausedBy}`}`
    if (found.remedy === undefined) return { ...found, sentence }
    const remedy = { ...found.remedy, sentence: `${found.remedy.sentence} ${START_TOO}` }
    return { ...found, sentence, remedy }
  }
}

const START_TOO = 'Nobody is judged or poked before `pan cloister start` either.'

/** Two looks after a start, or after the machine slept, are normal, and said. */
function watching({ living, observer: { looksOwed } }: World): HouseView {
  const soon = looksOwed > 0 && living > 0 ? `; nobody is judged before ${looks(looksOwed)}` : ''
  return { condition: 'watching', sentence: `Watching ${agents(living)}${soon}` }
}

function looks(owed: number): string {
  return `${owed} more look${owed === 1 ? '' : 's'}`
}

function agents(n: number): string {
  return plural(n, 'agent', 's')
}

function plural(n: number, noun: string, ending: string): string {
  return `${n} ${noun}${n === 1 ? '' : ending}`
}
