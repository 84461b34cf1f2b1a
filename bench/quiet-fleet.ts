/** Agents that rest in real panes, and a home whose journal knows them, as if a daemon had started them and ended. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../src/adapters/sqlite/journal.ts'
import { TmuxTerminal } from '../src/adapters/tmux/tmux-terminal.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import type { Handle } from '../src/core/ports.ts'
import { homeId } from '../src/daemon/home-id.ts'
import { agentRecord } from '../tests/samples/agents.ts'
import { DAEMON } from './product.ts'

const STARTS_AT_ONCE = 8

export class QuietFleet {
  readonly folder = mkdtempSync(join(tmpdir(), 'cloister-quiet-'))
  readonly home = join(this.folder, 'home')
  readonly id: string
  readonly env: Record<string, string>
  readonly terminal: TmuxTerminal
  readonly agents: readonly AgentRecord[]
  readonly #started: ChildProcess[] = []

  constructor(count: number) {
    mkdirSync(this.home, { mode: 0o700 })
    this.id = homeId(this.home)
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: this.folder,
      PANOPTICON_HOME: this.home,
      PANOPTICON_PORT: '0',
      TMUX_TMPDIR: this.folder,
      LANG: 'C.UTF-8',
    }
    this.terminal = new TmuxTerminal({ homeId: this.id, environment: this.env, timeoutMs: 60_000 })
    this.agents = Array.from({ length: count }, (_, n) => record(n, this.folder))
  }

  async start(): Promise<void> {
    for (let from = 0; from < this.agents.length; from += STARTS_AT_ONCE) {
      const some = this.agents.slice(from, from + STARTS_AT_ONCE)
      const outcomes = await Promise.all(some.map((agent) => this.#startPane(agent)))
      const failed = outcomes.find(({ result }) => result !== 'done')
      if (failed !== undefined) throw new Error(`a pane did not start: ${failed.detail}`)
    }
    await seed(this.home, this.agents)
  }

  /** The built daemon, as `pan up` starts it. */
  startDaemon(): number {
    return this.startNode(DAEMON.argv, DAEMON.env)
  }

  startNode(argv: readonly string[], more: Readonly<Record<string, string>> = {}): number {
    const child = spawn(process.execPath, argv, { env: { ...more, ...this.env }, stdio: 'ignore' })
    this.#started.push(child)
    return child.pid ?? -1
  }

  async remove(): Promise<void> {
    await Promise.all(this.#started.map(ended))
    await this.terminal.close()
    this.#endServer()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  /** A pane that sleeps, tagged as a runtime tags it. */
  #startPane(agent: AgentRecord) {
    const handle = handleOf(agent)
    execFileSync('git', ['init', '--quiet', agent.workspace])
    const env = { CLOISTER_RUN: `${this.id}.${handle.run}`, PANOPTICON_AGENT_ID: agent.id }
    return this.terminal.start(handle, { argv: ['sleep', 'infinity'], cwd: agent.workspace, env })
  }

  /** Killed, not asked: it would wait for a client that hangs. The panes end with their terminals. */
  #endServer(): void {
    const args = ['-N', '-L', `cloister-${this.id}`, 'display-message', '-p', '#{pid}']
    const { stdout } = spawnSync('tmux', args, { env: this.env, encoding: 'utf8' })
    if (Number(stdout) > 1) process.kill(Number(stdout), 'SIGKILL')
  }
}

export function handleOf({ id, generation, run: name = '' }: AgentRecord): Handle {
  return { agent: id, generation, run: name }
}

function record(n: number, folder: string): AgentRecord {
  const { issue: _, ...sample } = agentRecord({ id: `agent-${n}`, run: `run-${n}` })
  const workspace = join(folder, `work-${n}`)
  return { ...sample, kind: 'project', project: 'bench', workspace, runtime: 'understudy', model: 'steady' }
}

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

function ended(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((resolve) => child.once('close', resolve))
  return child.kill('SIGTERM') ? gone : Promise.resolve()
}
