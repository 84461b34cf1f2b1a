/** The end of an emergency stop, for whoever asked for one and waits to hear who was killed. */
import { SECOND } from '../core/durations.ts'
import type { Clock } from '../core/ports.ts'
import type { Loop } from './loop.ts'

const WAIT_MS = 10 * SECOND

export async function emergencyEnd(
  { world, durable }: Pick<Loop, 'world' | 'durable'>,
  clock: Clock,
): Promise<{ ended: boolean; survivors: readonly string[] }> {
  const isStopping = () => world.house.emergency.state === 'stopping'
  if (isStopping()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.wakeAt(clock.now().monoAt + WAIT_MS, resolve)
    const unfollow = durable.follow(() => isStopping() || resolve())
    await promise
    cancel()
    unfollow()
  }
  return { ended: !isStopping(), survivors: world.house.emergency.survivors }
}
