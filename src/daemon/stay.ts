/** The daemon while it is up: answers on the home's socket and the dashboard's port. */
import { attachCommand } from './attach.ts'
import { findSession } from './find-session.ts'
import { lives, type OpenHouse } from './open-house.ts'
import { problemLog } from './problem-log.ts'
import { quietConsole } from './quiet-console.ts'
import { serve, type ServeOptions } from './serve.ts'
import { systemClock } from './system-clock.ts'

type FromSettings = 'config' | 'changeConfig' | 'doctor' | 'dashboard' | 'spawnDefaults'

export interface Stay extends Required<Pick<ServeOptions, FromSettings>> {
  home: string
  leaving: Promise<void>
  /** Somebody reads what is said here; a link to sign in with is not for a log. */
  isWatched: boolean
  say: (sentence: string) => void
}

/** Until a person wants to leave or the journal fails. */
export async function stay(house: OpenHouse, { leaving, isWatched, ...given }: Stay): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const problem = problemLog(given.say)
  quietConsole(problem)
  const serving = await serve({
    ...given,
    loop: house.loop,
    journal: house.journal,
    clock: systemClock,
    stop,
    problem,
    attach: (id) => attachCommand(house.joined.terminal, id, house.loop.world.agents.get(id)),
    lives: (id) => lives(house, id),
    findSession: (where) => findSession(house.joined, where),
    git: house.joined.git,
    runtimes: house.joined.runtimes,
    costs: { runtimes: house.joined.runtimes, prices: house.joined.prices },
    terminal: house.joined.terminal,
    ...(house.joined.keyboards === undefined ? {} : { keyboards: house.joined.keyboards }),
    tasks: house.tasks,
  })
  const link = isWatched ? serving.invite() : undefined
  if (link !== undefined) given.say(`Sign in once, within a minute: ${link}`)
  try {
    await Promise.race([leaving, stopped, house.loop.ended])
  } finally {
    await serving.close()
  }
}
