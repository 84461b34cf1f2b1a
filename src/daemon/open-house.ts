/** Brings a home up: lock, then journal, then loop; and down again in the opposite order. Names no adapter. */
import type { Settings } from '../contract/settings.ts'
import type { Clock, Git, Journal, Processes, Reports, Terminal } from '../core/ports.ts'
import { Loop, type LoopOptions } from './loop.ts'

export interface HouseParts {
  clock: Clock
  fleet: Terminal & Processes & Git & Reports
  settings: Settings
  lock: () => { release: () => void }
  openJournal: () => Promise<Journal>
  show: NonNullable<LoopOptions['show']>
}

export interface OpenHouse {
  loop: Loop
  close: () => Promise<void>
}

export async function openHouse(parts: HouseParts): Promise<OpenHouse> {
  const lock = parts.lock()
  try {
    const journal = await parts.openJournal()
    const loop = await startLoop(parts, journal).catch(async (error: unknown) => {
      await journal.close()
      throw error
    })
    return {
      loop,
      close: async () => {
        loop.stop()
        await journal.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** With auto_start off the house comes up paused, and with it on again that pause ends; a person's pause stays. */
async function startLoop({ clock, fleet, settings, show }: HouseParts, journal: Journal): Promise<Loop> {
  const loop = await Loop.start({
    clock,
    journal,
    terminal: fleet,
    processes: fleet,
    git: fleet,
    reports: fleet,
    settings,
    show,
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
