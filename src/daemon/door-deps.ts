/** The keys of the home and the record of who used them, for the door of the API. */
import type { DoorDeps } from '../api/door-deps.ts'
import { createMetrics } from '../api/metrics.ts'
import type { World } from '../core/world.ts'
import { AuditLog } from './audit-log.ts'
import { homeId } from './home-id.ts'
import { BrowserLogins } from './login.ts'
import { runTokens } from './run-token.ts'
import { digestOf, homeToken, isSame } from './token.ts'

export interface DoorOptions {
  home: string
  world: Pick<World, 'agents'>
  problem: (error: unknown) => void
  /** Where browsers find the dashboard; undefined while nothing listens for them. */
  url?: () => string | undefined
  asset?: DoorDeps['asset']
}

export interface OpenDoor extends DoorDeps {
  closeDoor: () => void
}

/** Called with the home's lock held: it may make the token. */
export function doorDeps({ home, world, problem, url, asset }: DoorOptions): OpenDoor {
  const token = homeToken(home)
  const owner = digestOf(token)
  const runs = runTokens(token, homeId(home))
  const logins = new BrowserLogins({ home, now: Date.now, url: url ?? (() => undefined) })
  const log = new AuditLog({ home, now: Date.now, problem })
  return {
    callerOf: (given) => {
      const digest = digestOf(given)
      if (isSame(digest, owner)) return { kind: 'owner', via: 'cli' }
      const login = logins.find(digest)
      if (login !== undefined) return { kind: 'owner', via: 'dashboard', login }
      const handle = runs.handleOf(given, digest)
      if (handle === undefined) return { kind: 'stranger' }
      const agent = world.agents.get(handle.agent)
      const isCurrent = agent?.run === handle.run && agent.generation === handle.generation
      return isCurrent ? { kind: 'run', ...handle } : { kind: 'stranger' }
    },
    logins,
    audit: log.audit,
    metrics: createMetrics(),
    asset: asset ?? (() => undefined),
    closeDoor: () => log.close(),
  }
}
