/**
 * What watching costs when nothing happens: the CPU of the built daemon with 100 quiet agents, in percent of one core, and its
 * memory. The peer asks tmux about each agent once in 10 s, one call per agent, as watchdogs of the usual kind do it;
 * the limit is a Node process that does nothing. All three run at the same time on the same panes, and what their
 * children used counts for them.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { openClient } from '../src/cli/client.ts'
import { rounded } from './measure.ts'
import { handleOf, QuietFleet } from './quiet-fleet.ts'

const AGENTS = 100
const SECONDS = 45
/** The first looks, which read everything for the first time, are not the footprint. */
const SETTLING_MS = 10_000
const CLOCK_TICKS = 100

export const built = true

export async function run(): Promise<object> {
  const fleet = new QuietFleet(AGENTS)
  try {
    await fleet.start()
    const targets = fleet.agents.map((agent) => `${fleet.terminal.attachCommand(handleOf(agent)).at(-1)}:`)
    return await measured(fleet.home, {
      ours: fleet.startDaemon(),
      peer: fleet.startNode(['--input-type=module', '--eval', PEER, `cloister-${fleet.id}`, ...targets]),
      limit: fleet.startNode(['--eval', 'setInterval(() => {}, 1e9)']),
    })
  } finally {
    await fleet.remove()
  }
}

/** One call per agent, one after the other, every 10 s. */
const PEER = `
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
const [socket, ...targets] = process.argv.slice(1)
const ask = (target) => promisify(execFile)('tmux', ['-N', '-L', socket, 'display-message', '-p', '-t', target, '#{window_activity} #{pane_dead}'])
const look = async () => { for (const target of targets) await ask(target) }
await look()
setInterval(look, 10_000)
`

async function measured(home: string, pids: { ours: number; peer: number; limit: number }): Promise<object> {
  const ask = () => openClient(home).call('GET /api/cloister/status')
  await after(SETTLING_MS)
  const before = { ours: cpuTicks(pids.ours), peer: cpuTicks(pids.peer), limit: cpuTicks(pids.limit) }
  const beganAt = performance.now()
  let rssMb = 0
  for (let second = 0; second < SECONDS; second += 1) {
    await after(1_000)
    rssMb = Math.max(rssMb, rss(pids.ours))
  }
  const seconds = (performance.now() - beganAt) / 1_000
  const share = (name: keyof typeof pids) => ((cpuTicks(pids[name]) - before[name]) / CLOCK_TICKS / seconds) * 100
  const shares = { ours: share('ours'), peer: share('peer'), limit: share('limit') }
  const status = await ask()
  if (status.watching !== AGENTS || status.summary.active !== AGENTS || status.needsYou.length > 0) {
    throw new Error(`the daemon does not see ${AGENTS} quiet agents: ${JSON.stringify(status)}`)
  }
  return {
    bench: 'footprint',
    ours: rounded(shares.ours),
    peer: rounded(shares.peer),
    limit: rounded(shares.limit),
    unit: `% of one core, ${AGENTS} quiet agents, ${SECONDS} s`,
    ratio: rounded(shares.peer / shares.ours),
    rssMb: rounded(rssMb),
    limitRssMb: rounded(rss(pids.limit)),
    target: '≤ 1 % of a core, RSS ≤ 120 MB',
    reference: 'published for the original daemon, not measured here: 35 % of a core, stalls of 1.1 s',
  }
}

/** Its own threads, and the children that it waited for. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
}

function rss(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}
