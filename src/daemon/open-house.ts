/** Brings a home up: lock, then what it is joined with, then the loop; and down again in the opposite order. */
import type { Journal } from '../core/ports.ts'
import type { Finders } from './find-session.ts'
import { Loop, type LoopOptions } from './loop.ts'

/** All that a house is made of; the adapters in it are named by main.ts alone. */
export interface Joined extends Omit<LoopOptions, 'bootId' | 'show' | 'settings'>, Finders {
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
    const close = async () => {
      loop.stop()
      await joined.close()
      lock.release()
    }
    return { loop, joined, journal: joined.journal, close }
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
