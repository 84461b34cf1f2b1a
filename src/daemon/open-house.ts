/** Brings a home up: lock, then what it is joined with, then the loop; and down again in the opposite order. */
import type { Prices } from '../core/costs/price.ts'
import type { Journal } from '../core/ports.ts'
import type { TaskSource } from '../core/tasks-port.ts'
import { CostWatch } from './cost-watch.ts'
import { costView } from './cost-view.ts'
import type { Finders } from './find-session.ts'
import { Loop, type LoopOptions } from './loop.ts'
import { publishStatus } from './publish-status.ts'
import { TaskDesk } from './task-desk.ts'
import { TaskWatch } from './task-watch.ts'

/** All that a house is made of; the adapters in it are named by main.ts alone. */
export interface Joined extends Omit<LoopOptions, 'bootId' | 'show' | 'settings'>, Finders {
  /** The same for every figure that is shown. */
  prices: Prices
  /** Where agents' tasks are kept, in the order in which they count. */
  taskSources: readonly TaskSource[]
  close: () => Promise<void>
}

export interface HouseParts extends Pick<LoopOptions, 'show' | 'settings'> {
  lock: () => { release: () => void }
  /** Called with the lock held. */
  join: () => Promise<Joined>
}

export interface OpenHouse {
  loop: Loop
  journal: Journal
  joined: Joined
  tasks: TaskDesk
  close: () => Promise<void>
}

export async function openHouse(parts: HouseParts): Promise<OpenHouse> {
  const lock = parts.lock()
  try {
    const joined = await parts.join()
    const loop = await startLoop(parts, joined).catch(async (error: unknown) => {
      await joined.close()
      throw error
    })
    const { clock, taskSources: sources } = joined
    const tasks = new TaskDesk({ sources, clock })
    const watch = new TaskWatch({ desk: tasks, clock, loop })
    watch.begin()
    const costs = new CostWatch({
      ...{ loop, clock, journal: joined.journal },
      costOf: (agent) => costView(joined, agent, loop.world.house),
    })
    costs.begin()
    const lastWord = publishStatus({ loop, journal: joined.journal })
    const close = async () => {
      watch.stop()
      costs.stop()
      loop.stop()
      lastWord()
      await joined.close()
      lock.release()
    }
    return { loop, joined, tasks, journal: joined.journal, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** With auto_start off the house comes up paused, and with it on again that pause ends; a person's pause stays. */
async function startLoop({ settings, show }: HouseParts, joined: Joined): Promise<Loop> {
  const loop = await Loop.start({
    ...joined,
    settings,
    ...(show === undefined ? {} : { show }),
    bootId: `b${Date.now().toString(36)}-${process.pid.toString(36)}`,
  })
  const by = 'startup.auto_start'
  const { monitoring, pausedBy } = loop.world.house
  const command = settings.autoStart ? 'cloister.start' : 'cloister.stop'
  const isOwnPause = monitoring === 'paused' && pausedBy === by
  if (settings.autoStart ? isOwnPause : monitoring === 'running') {
    await loop.submit({ id: `auto-start-${Date.now()}`, by, command: { type: command } })
  }
  return loop
}

/** Whether processes of an agent live, by what the machine says now. */
export async function lives({ loop, joined }: OpenHouse, id: string): Promise<boolean> {
  const { run, adopted } = loop.world.agents.get(id) ?? {}
  // An adopted one is released and lives on.
  return run !== undefined && adopted === undefined && (await joined.processes.lookAt(run)).alive
}
