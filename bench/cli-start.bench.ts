/**
 * How long a person waits for `pan`: `pan --version`, and `pan status` answered by the daemon with 50 agents in real
 * panes, all from dist, against the limit: starting Node to do nothing (`node -e 0`).
 */
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../src/cli/client.ts'
import { inTurns, rounded } from './measure.ts'
import { PAN } from './product.ts'
import { QuietFleet } from './quiet-fleet.ts'

const ROUNDS = 21
const AGENTS = 50
/** For its first looks, after which it does nothing that would stand in the way. */
const SETTLING_MS = 5_000

export const built = true

export async function run(): Promise<object> {
  const fleet = new QuietFleet(AGENTS)
  try {
    await fleet.start()
    fleet.startDaemon()
    await sleep(SETTLING_MS)
    const { watching } = await openClient(fleet.home).call('GET /api/cloister/status')
    if (watching !== AGENTS) throw new Error(`the daemon watches ${watching} agents, not ${AGENTS}`)
    const times = inTurns(
      {
        node: { run: () => start(['-e', '0'], fleet) },
        version: { run: () => start([PAN, '--version'], fleet) },
        status: { run: () => start([PAN, 'status'], fleet) },
      },
      ROUNDS,
    )
    const worst = Math.max(times.version, times.status)
    return {
      bench: 'cli-start',
      ours: rounded(times.status),
      peer: rounded(times.node),
      limit: rounded(times.node),
      unit: 'ms, pan status (peer and limit: node -e 0)',
      ratio: rounded(times.node / worst),
      version: rounded(times.version),
      timesOfNode: { version: rounded(times.version / times.node), status: rounded(times.status / times.node) },
    }
  } finally {
    await fleet.remove()
  }
}

function start(args: readonly string[], { env }: QuietFleet): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
}
