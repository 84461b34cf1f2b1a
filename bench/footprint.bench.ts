/**
 * What watching costs when nothing happens: the CPU of a daemon with 100 quiet agents, in percent of one core, and its
 * memory. The peer asks tmux about each agent once in 10 s, one call per agent, as watchdogs of the usual kind do it;
 * the limit is a Node process that does nothing. All three run at the same time on the same panes, and what their
 * children used counts for them.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { openJournal } from '../src/adapters/sqlite/journal.ts'
import { TmuxTerminal } from '../src/adapters/tmux/tmux-terminal.ts'
import { openClient } from '../src/cli/client.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import type { Handle } from '../src/core/ports.ts'
import { homeId } from '../src/daemon/home-id.ts'
import { DAEMON_ENVIRONMENT, DAEMON_FLAGS } from '../src/daemon/offline/up-flags.ts'
import { rounded } from './measure.ts'

const AGENTS = 100
const SECONDS = 60
/** The first looks, which read everything for the first time, are not the footprint. */
const SETTLING_MS = 10_000
const STARTS_AT_ONCE = 8
const DAEMON = join(import.meta.dirname, '../dist/daemon/main.js')
const CLOCK_TICKS = 100

export async function run(): Promise<object> {
  if (!existsSync(DAEMON)) throw new Error(`${DAEMON} is missing. Build with \`npm run build\` first.`)
  const folder = mkdtempSync(join(tmpdir(), 'cloister-footprint-'))
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  const id = homeId(home)
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: folder,
    PANOPTICON_HOME: home,
    TMUX_TMPDIR: folder,
    LANG: 'C.UTF-8',
  }
  const terminal = new TmuxTerminal({ homeId: id, environment: env, timeoutMs: 60_000 })
  const started: ChildProcess[] = []
  try {
    const agents = await startAll({ terminal, folder, id })
    await seed(home, agents)
    const node = (args: string[], more: Readonly<Record<string, string>> = {}) => {
      const child = spawn(process.execPath, args, { env: { ...more, ...env }, stdio: 'ignore' })
      started.push(child)
      return child.pid ?? -1
    }
    const targets = agents.map((agent) => `${terminal.attachCommand(handleOf(agent)).at(-1)}:`)
    const pids = {
      ours: node([...DAEMON_FLAGS, DAEMON], DAEMON_ENVIRONMENT),
      peer: node(['--input-type=module', '--eval', PEER, `cloister-${id}`, ...targets]),
      limit: node(['--eval', 'setInterval(() => {}, 1e9)']),
    }
    return await measured(home, pids)
  } finally {
    await Promise.all(started.map(ended))
    await terminal.close()
    endServer(id, env)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
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

interface Place {
  terminal: TmuxTerminal
  folder: string
  id: string
}

/** Panes that sleep, tagged as a runtime tags them. */
async function startAll({ terminal, folder, id }: Place): Promise<AgentRecord[]> {
  const agents = Array.from({ length: AGENTS }, (_, n) => record(n, folder))
  for (let from = 0; from < AGENTS; from += STARTS_AT_ONCE) {
    const outcomes = await Promise.all(
      agents.slice(from, from + STARTS_AT_ONCE).map((agent) => {
        const handle = handleOf(agent)
        execFileSync('git', ['init', '--quiet', agent.workspace])
        const env = { CLOISTER_RUN: `${id}.${handle.run}`, PANOPTICON_AGENT_ID: agent.id }
        return terminal.start(handle, { argv: ['sleep', 'infinity'], cwd: agent.workspace, env })
      }),
    )
    const failed = outcomes.find(({ result }) => result !== 'done')
    if (failed !== undefined) throw new Error(`a pane did not start: ${failed.detail}`)
  }
  return agents
}

function record(n: number, folder: string): AgentRecord {
  return {
    id: `agent-${n}`,
    kind: 'project',
    project: 'bench',
    workspace: join(folder, `work-${n}`),
    runtime: 'understudy',
    model: 'steady',
    simulated: true,
    lifecycle: 'active',
    lifecycleAt: 0,
    wanted: 'run',
    generation: 1,
    startedAt: 0,
    run: `run-${n}`,
    needsYou: [],
    salvages: [],
    evidence: {},
    producedAt: 0,
    progressedAt: 0,
    activities: [],
  }
}

function handleOf({ id, generation, run: name = '' }: AgentRecord): Handle {
  return { agent: id, generation, run: name }
}

/** As if a daemon had started them and ended. */
async function seed(home: string, agents: readonly AgentRecord[]): Promise<void> {
  const journal = await openJournal({ home, onProblem: (problem) => void process.stderr.write(`${problem}\n`) })
  const house = {
    seq: 0,
    observedAt: 0,
    wallAt: Date.now(),
    monitoring: 'running' as const,
    emergency: { state: 'armed' as const, attempts: 0, survivors: [] },
    needsYou: [],
  }
  await journal.commit({ events: [], effects: [], settled: [], agents, forgotten: [], house, seen: [] })
  await journal.close()
}

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

function ended(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((resolve) => child.once('close', resolve))
  return child.kill('SIGTERM') ? gone : Promise.resolve()
}

/** Killed, not asked: it would wait for a client that hangs. The panes end with their terminals. */
function endServer(id: string, env: Record<string, string>): void {
  const args = ['-N', '-L', `cloister-${id}`, 'display-message', '-p', '#{pid}']
  const { stdout } = spawnSync('tmux', args, { env, encoding: 'utf8' })
  if (Number(stdout) > 1) process.kill(Number(stdout), 'SIGKILL')
}
