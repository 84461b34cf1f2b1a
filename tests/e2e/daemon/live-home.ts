/** A real daemon in a temporary home, with its own terminal server; everything it started is ended with it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { openReader } from '../../../src/adapters/sqlite/reader.ts'
import type { Event } from '../../../src/contract/events.ts'
import type { AgentView } from '../../../src/contract/views.ts'
import { pathClient, type PathClient } from './path-client.ts'
import { COMPILE_CACHE, built } from '../../programs.ts'

export class LiveHome {
  readonly root = mkdtempSync(join(tmpdir(), 'cloister-live-'))
  readonly home = join(this.root, 'home')
  readonly client: PathClient = pathClient(this.home)
  readonly events: Event[] = []
  #daemon: ChildProcess | undefined
  #errors = ''
  #waiting: (() => void)[] = []
  readonly #env: Record<string, string>
  readonly #argv: readonly string[]

  /** With other flags it is named by what node is started with. */
  constructor(env: Record<string, string> = {}, argv: readonly string[] = [built('daemon/main')]) {
    this.#argv = argv
    this.#env = {
      ...COMPILE_CACHE,
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      PANOPTICON_HOME: this.home,
      TMPDIR: this.root,
      TMUX_TMPDIR: this.root,
      LANG: 'C.UTF-8',
      CLOISTER_UNDERSTUDY_SPEED: '10',
      PANOPTICON_PORT: '0',
      ...env,
    }
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env
  }

  get pid(): number {
    return this.#daemon?.pid ?? -1
  }

  get id(): string {
    return readFileSync(join(this.home, 'home.id'), 'utf8').trim()
  }

  async up(): Promise<void> {
    const seen = this.events.length
    const daemon = spawn(process.execPath, [...this.#argv, '--json'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#daemon = daemon
    let rest = ''
    daemon.stdout.on('data', (data: Buffer) => {
      const lines = (rest + data.toString()).split('\n')
      rest = lines.pop() ?? ''
      this.events.push(...lines.map((line) => JSON.parse(line) as Event))
      for (const check of this.#waiting) check()
    })
    daemon.stderr.on('data', (data: Buffer) => (this.#errors += data.toString()))
    await this.until(() => this.events.slice(seen).some(({ type }) => type === 'house.booted'), 'the daemon is up')
    await this.until(() => existsSync(join(this.home, 'daemon.sock')), 'the socket is there', 50)
  }

  /** As by kill -9 at this very moment. */
  async crash(): Promise<void> {
    const daemon = this.#daemon
    const gone = new Promise((resolve) => daemon?.once('close', resolve))
    daemon?.kill('SIGKILL')
    await gone
    this.#takeUntold()
    rmSync(join(this.home, 'daemon.sock'), { force: true })
  }

  /** What was written and not told any more happened all the same. */
  #takeUntold(): void {
    const reader = openReader(this.home)
    this.events.push(...(reader?.events({ afterSeq: this.events.at(-1)?.seq ?? 0, limit: 1000 }) ?? []))
    reader?.close()
  }

  async down(): Promise<number | null> {
    const daemon = this.#daemon
    const gone = new Promise<number | null>((resolve) => daemon?.once('close', resolve))
    daemon?.kill('SIGTERM')
    return gone
  }

  /** Ends whatever lives, and removes everything. */
  async remove(): Promise<void> {
    this.#daemon?.kill('SIGKILL')
    if (existsSync(join(this.home, 'home.id'))) {
      await new ProcessTrees({ homeId: this.id, home: this.home }).stopFleet()
      const server = Number(this.tmux('display-message', '-p', '#{pid}'))
      this.tmux('kill-server')
      // A server whose control client lost its reader never ends by itself.
      if (server > 1) endProcess(server)
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  /** A git repository with one commit. */
  workspace(name: string): string {
    const folder = join(this.root, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'README.md'), '# work\n')
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { env: this.#env, stdio: 'ignore' })
    git('init', '--quiet')
    appendFileSync(join(folder, '.git/config'), '[user]\n\tname = Test\n\temail = test@localhost\n')
    git('add', '-A')
    git('commit', '--quiet', '-m', 'begin')
    return folder
  }

  async spawn(id: string, script: string, prompt?: string): Promise<string> {
    const workspace = this.workspace(`work-${id}`)
    const body = { id, project: 'live', workspace, runtime: 'understudy', model: script }
    await this.client.post('/api/agents', { ...body, ...(prompt === undefined ? {} : { prompt }) })
    await this.event('agent.started', id)
    return workspace
  }

  agent(id: string): Promise<AgentView> {
    return this.client.get(`/api/agents/${id}`)
  }

  /** Resolves with the first such event after the last one that was waited for. */
  async event<T extends Event['type']>(type: T, agent?: string, since = 0): Promise<Extract<Event, { type: T }>> {
    const find = () =>
      this.events
        .slice(since)
        .find((each) => each.type === type && (agent === undefined || ('agent' in each && each.agent === agent)))
    await this.until(() => find() !== undefined, `${type} of ${agent ?? 'the house'}`)
    return find() as Extract<Event, { type: T }>
  }

  /** Checks at every event, and now and then in between. */
  async until(holds: () => boolean | Promise<boolean>, what: string, everyMs = 200): Promise<void> {
    const deadline = Date.now() + 90_000
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}\n${this.#errors}\n${this.story()}`)
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer)
          this.#waiting = this.#waiting.filter((each) => each !== go)
          resolve()
        }
        const timer = setTimeout(go, everyMs)
        this.#waiting.push(go)
      })
    }
  }

  tmux(...args: string[]): string {
    try {
      return execFileSync('tmux', ['-L', `cloister-${this.id}`, ...args], {
        env: this.#env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } catch {
      return ''
    }
  }

  story(): string {
    return this.events
      .slice(-25)
      .map((event) => JSON.stringify(event).slice(0, 300))
      .join('\n')
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
