/** What the API shows as it happens, and as it was in the last hours. */
import { randomUUID } from 'node:crypto'
import type { ApiDeps } from '../api/deps.ts'
import { HOUR } from '../core/durations.ts'
import type { Clock, Journal } from '../core/ports.ts'
import { agentView, statusView } from '../core/views.ts'
import { distrust, type World } from '../core/world.ts'
import { localTime } from './local-time.ts'
import type { Loop } from './loop.ts'
import { StreamHub } from './stream-hub.ts'

export interface LiveOptions {
  loop: Pick<Loop, 'world' | 'durable'>
  journal: Pick<Journal, 'ribbons'>
  clock: Clock
  /** The world with its ages as of now. */
  now: () => World
}

export interface OpenStream {
  /** Tells everybody that the daemon stops. */
  closeStream: () => void
}

export function liveDeps({ loop, journal, clock, now }: LiveOptions): Pick<ApiDeps, 'stream' | 'ribbons'> & OpenStream {
  const { world, durable } = loop
  const stream = new StreamHub({
    clock,
    boot: randomUUID(),
    seq: durable.seq,
    status: () => statusView(now(), localTime),
    ids: () => [...world.agents.keys()].toSorted(),
    agent: (id) => agentView(now(), id),
    light: () => lightOf(world),
  })
  const unfollow = durable.follow((events, agents) => stream.take(events, agents))
  return {
    stream,
    ribbons: askedTogether(
      ({ hours, agent = '' }) => `${durable.seq} ${hours} ${agent}`,
      ({ hours, ...whose }) => {
        const to = clock.now().wallAt
        return journal.ribbons({ from: to - hours * HOUR, to, ...whose })
      },
    ),
    closeStream: () => {
      unfollow()
      stream.close()
    },
  }
}

/** After a restart every tab asks at the same moment: the same question is answered once while it is open. */
function askedTogether<Wish, View>(keyOf: (wish: Wish) => string, ask: (wish: Wish) => Promise<View>) {
  const open = new Map<string, Promise<View>>()
  return (wish: Wish): Promise<View> => {
    const key = keyOf(wish)
    const answer = open.get(key) ?? ask(wish).finally(() => open.delete(key))
    open.set(key, answer)
    return answer
  }
}

/** Doubts of the watchdog about itself, a pause and other thresholds change how every agent is seen. */
function lightOf({ observer, house, settings }: World): string {
  const { staleMs, warningMs, stuckMs } = settings.thresholds
  return [house.monitoring, distrust(observer), observer.graceAt, staleMs, warningMs, stuckMs].join(' ')
}
