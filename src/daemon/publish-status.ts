/** Keeps status.json in the home true: what is to be said of the house, for scripts and for people without a daemon. */
import type { Journal } from '../core/ports.ts'
import { statusFile, unwatched } from '../core/house-condition.ts'
import { localTime } from './local-time.ts'
import type { Loop } from './loop.ts'

interface Publishing {
  loop: Pick<Loop, 'world' | 'durable' | 'setTrouble'>
  journal: Pick<Journal, 'publish' | 'trouble'>
}

/** The returned function says, as the last word, that nobody watches any more. */
export function publishStatus({ loop, journal }: Publishing): () => void {
  const { world, durable } = loop
  let last = ''
  const publish = () => {
    const trouble = journal.trouble()
    if (trouble !== world.observer.troubles?.journal) loop.setTrouble('journal', trouble)
    const status = statusFile(world, localTime)
    const text = JSON.stringify(status)
    if (text !== last) journal.publish(status)
    last = text
  }
  const unfollow = durable.follow(publish)
  return () => {
    unfollow()
    journal.publish(statusFile(unwatched(world), localTime))
  }
}
