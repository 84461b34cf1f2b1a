/**
 * The daemon as a program: `pan up`. Joins clock, journal, lock, settings and adapters, and owns their lifetime.
 * It is the only file that names every adapter.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSettings } from '../adapters/config-file/load-settings.ts'
import { homeFolder } from '../adapters/config-file/location.ts'
import { noFleet } from '../adapters/none/no-fleet.ts'
import { openJournal } from '../adapters/sqlite/journal.ts'
import { acquireLock } from '../adapters/sqlite/lock.ts'
import { tellDemoStory, type Stage } from '../adapters/virtual/demo-story.ts'
import { VirtualClock } from '../adapters/virtual/virtual-clock.ts'
import { VirtualFleet } from '../adapters/virtual/virtual-fleet.ts'
import type { Event } from '../contract/events.ts'
import type { Settings } from '../contract/settings.ts'
import { SECOND } from '../core/durations.ts'
import type { World } from '../core/world.ts'
import { followSettings } from './follow-settings.ts'
import { openHouse, type HouseParts, type OpenHouse } from './open-house.ts'
import { eventLine, morningLines } from './printed.ts'
import { systemClock } from './system-clock.ts'

const SETTINGS_EVERY_MS = 2 * SECOND
const DEMO_SPEED = 120
/** Virtual time between two breaths of the demo, short enough for every look to be on time. */
const DEMO_STEP_MS = 10 * SECOND

interface Options {
  json: boolean
  speed: number
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args,
      options: { demo: { type: 'boolean' }, json: { type: 'boolean' }, speed: { type: 'string' } },
    })
    const options = { json: values.json === true, speed: Number(values.speed ?? DEMO_SPEED) }
    return values.demo === true ? await demo(options) : await up(options)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

async function up(options: Options): Promise<number> {
  const leaving = asked()
  const home = homeFolder(process.env)
  const { settings, file } = await startSettings()
  const house = await openHouse(parts({ home, clock: systemClock, fleet: noFleet, settings, show: printer(options) }))
  say(`Cloister watches ${home}, settings from ${file}. This version cannot start real agents yet. Ctrl-C ends.`)
  const { monitoring, pausedBy } = house.loop.world.house
  if (monitoring === 'paused') say(`Monitoring is paused (by ${pausedBy}); nothing is judged until it is started.`)
  const unfollow = follow(house, settings)
  try {
    await Promise.race([leaving, house.loop.ended])
  } finally {
    unfollow()
    await house.close()
  }
  say('Cloister stopped. Agents were left alone.')
  return 0
}

/** A home of its own in a temporary folder, with simulated agents on a quick clock; nothing is left behind. */
async function demo(options: Options): Promise<number> {
  const leaving = asked()
  const { settings, file } = await startSettings()
  const home = mkdtempSync(join(tmpdir(), 'cloister-demo-'))
  const clock = new VirtualClock(Date.now())
  const fleet = new VirtualFleet(clock)
  say(`Demo: simulated agents in memory, time ×${options.speed}, settings from ${file}, home ${home}. Ctrl-C ends.`)
  try {
    const house = await openHouse(parts({ home, clock, fleet, settings, show: printer(options) }))
    const unfollow = follow(house, settings)
    try {
      await tellDemoStory(stage({ house, clock, fleet, leaving, speed: options.speed }))
      if (!options.json) process.stdout.write(`${morningLines(house.loop.world).join('\n')}\n`)
    } finally {
      unfollow()
      await house.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
    say(`Demo over; ${home} was removed.`)
  }
  return 0
}

interface Set {
  house: OpenHouse
  clock: VirtualClock
  fleet: VirtualFleet
  speed: number
  leaving: Promise<void>
}

/** Lets virtual time pass at its pace, and stops when a person wants to leave or the journal fails. */
function stage({ house, clock, fleet, speed, leaving }: Set): Stage {
  let left = false
  let commands = 0
  void leaving.then(() => (left = true))
  return {
    fleet,
    submit: (command) => {
      commands += 1
      return house.loop.submit({ id: `demo-${commands}`, by: 'demo', command })
    },
    pass: async (ms) => {
      for (let passedMs = 0; passedMs < ms && !left; passedMs += DEMO_STEP_MS) {
        await clock.advance(DEMO_STEP_MS)
        await Promise.race([house.loop.settled(), house.loop.ended])
        await Promise.race([pause(DEMO_STEP_MS / speed), leaving])
      }
      return !left
    },
  }
}

function parts(given: Omit<HouseParts, 'lock' | 'openJournal'> & { home: string }): HouseParts {
  const { home, ...rest } = given
  return {
    ...rest,
    lock: () => acquireLock(home, Date.now()),
    openJournal: () => openJournal({ home, onProblem: say }),
  }
}

async function startSettings(): Promise<{ settings: Settings; file: string }> {
  const { settings, file, problems } = await loadSettings(process.env)
  if (settings !== undefined && problems.length === 0) return { settings, file }
  throw new Error(
    `${problems.join('\n')}\nNothing was started. Correct the settings; \`pan config validate\` checks them.`,
  )
}

/** Reads the settings again now and then; returns how to stop that. */
function follow(house: OpenHouse, settings: Settings): () => void {
  const look = followSettings(settings, {
    load: () => loadSettings(process.env),
    change: (changed, names) => house.loop.setSettings(changed, names),
    complain: (problems) => say(`${problems.join('\n')}\nThe last good settings stay in force.`),
  })
  const timer = setInterval(() => void look(), SETTINGS_EVERY_MS)
  return () => clearInterval(timer)
}

function printer({ json }: Options): (events: readonly Event[], world: World) => void {
  return (events) => {
    for (const event of events) process.stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`)
  }
}

/** A person wants it to end. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    // Nobody reads any more, as behind `| head`.
    process.stdout.on('error', () => resolve())
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Sentences of the program go to stderr, events to stdout. */
function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
