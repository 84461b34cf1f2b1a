/**
 * What can be seen of a running client without being told: its entry in the registry and the end of its transcript.
 * Both are watched, and a change leads to a look at that one agent, a moment later, so that hooks come first.
 * Nothing of the client's is ever written.
 */
import { existsSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Gauges } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Insight, Said } from '../../core/runtime-port.ts'
import { windowOf } from './context-window.ts'
import { localZone } from './dialect.ts'
import { Registry, type RegistryEntry } from './registry.ts'
import { followRetries, type RetryPlace } from './retry-log.ts'
import { statusSeen, tailSeen, type Ending } from './second-witness.ts'
import { followTail, type SessionTail, type TailPlace } from './session-tail.ts'

export interface InsightOptions {
  /** The user's folder of the client. */
  config: string
  homeId: string
  now?: () => number
  /** Where the client of a run notes how it runs; left out, nobody knows. */
  notesOf?: (run: string) => string
  /** Time zone of the machine, by which its program tells times of day. */
  zone?: string
}

/** Much may change in a moment, and the hook that tells of it shall come first. */
const LOOK_AFTER_MS = 250

interface Followed {
  pid?: number
  place?: TailPlace
  retries?: RetryPlace
  noteWatcher?: FSWatcher
  watcher?: FSWatcher
  watched?: string
  timer?: NodeJS.Timeout
}

export class ClaudeInsight implements Insight {
  readonly #options: InsightOptions
  readonly #now: () => number
  readonly #zone: string
  readonly #registry: Registry
  readonly #followed = new Map<string, Followed>()
  #folder: FSWatcher | undefined
  #call: ((run: string) => void) | undefined

  constructor(options: InsightOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#zone = options.zone ?? localZone()
    this.#registry = new Registry(options.config, options.homeId)
  }

  look(agent: AgentRecord): readonly Said[] {
    const { run } = agent
    if (run === undefined) return []
    const followed = this.#followed.get(run) ?? {}
    this.#followed.set(run, followed)
    if (agent.adopted !== undefined) this.#registry.adopt(run, agent.adopted.leader)
    const registry = this.#registry.ofRun(run, followed.pid ?? agent.pid)
    if (registry !== undefined) followed.pid = registry.pid
    const path = this.#transcriptOf(agent, run, registry)
    const place = path === undefined ? undefined : followTail(path, followed.place)
    if (place !== undefined) followed.place = place
    this.#followNotes(run, followed)
    this.#watchFor(run, path)
    const wallAt = this.#now()
    return [
      ...(registry === undefined ? [] : [registrySaid(registry, wallAt)]),
      ...(place === undefined
        ? []
        : [transcriptSaid(agent, { tail: place.tail, refused: followed.retries?.last, zone: this.#zone }, wallAt)]),
    ]
  }

  watch(call: (run: string) => void): () => void {
    this.#call = call
    return () => {
      this.#call = undefined
      this.#folder?.close()
      this.#folder = undefined
      this.retain(new Set())
    }
  }

  heard(run: string): void {
    this.#soon(run)
  }

  retain(runs: ReadonlySet<string>): void {
    for (const [run, { watcher, noteWatcher, timer }] of this.#followed) {
      if (runs.has(run)) continue
      watcher?.close()
      noteWatcher?.close()
      clearTimeout(timer)
      this.#registry.adopt(run, undefined)
      this.#followed.delete(run)
    }
  }

  /** By the session's id; in which folder it lies is looked for once. */
  #transcriptOf(agent: AgentRecord, run: string, registry: RegistryEntry | undefined): string | undefined {
    const session = registry?.sessionId ?? agent.sessionId
    const known = this.#followed.get(run)?.place?.path
    if (session === undefined || !/^[A-Za-z0-9_-]+$/.test(session)) return known
    if (known !== undefined && basename(known) === `${session}.jsonl`) return known
    const projects = join(this.#options.config, 'projects')
    // Nearly always the one that is called like the workspace.
    return [agent.workspace.replaceAll(/[^A-Za-z0-9]/g, '-'), ...folders(projects)]
      .map((folder) => join(projects, folder, `${session}.jsonl`))
      .find((file) => existsSync(file))
  }

  /** Much is noted there that is told by hooks, too; only of a request that waits is nothing else heard. */
  #followNotes(run: string, followed: Followed): boolean {
    const path = this.#options.notesOf?.(run)
    if (path === undefined) return false
    if (this.#call !== undefined && followed.noteWatcher === undefined) {
      // The file is there only when its client is up.
      const watcher = watched(dirname(path), () => {
        if (this.#followNotes(run, followed)) this.#soon(run)
      })
      if (watcher !== undefined) followed.noteWatcher = watcher
    }
    const before = followed.retries
    const now = followRetries(path, before)
    if (now !== undefined) followed.retries = now
    return now?.last !== undefined && now.last.at !== before?.last?.at
  }

  #watchFor(run: string, transcript: string | undefined): void {
    if (this.#call === undefined) return
    this.#folder ??= watched(this.#registry.folder, (name) => {
      const owner = name === null ? undefined : this.#registry.runOfFile(name)
      if (owner !== undefined) this.#soon(owner)
    })
    const followed = this.#followed.get(run)
    if (followed === undefined || transcript === undefined || followed.watched === transcript) return
    followed.watcher?.close()
    const watcher = watched(transcript, () => this.#soon(run))
    // It is written a second after the session began; the next look finds it.
    if (watcher === undefined) return
    followed.watcher = watcher
    followed.watched = transcript
  }

  /** Once, however much happens until then. */
  #soon(run: string, afterMs = LOOK_AFTER_MS): void {
    const followed = this.#followed.get(run) ?? {}
    this.#followed.set(run, followed)
    if (followed.timer !== undefined || this.#call === undefined) return
    followed.timer = setTimeout(() => {
      delete followed.timer
      this.#call?.(run)
    }, afterMs)
    followed.timer.unref()
  }
}

function registrySaid(entry: RegistryEntry, wallAt: number): Said {
  const { sessionId, status = 'starting', statusWallAt, pid } = entry
  const seen = statusSeen(entry)
  return {
    witness: 'registry',
    stamp: `${sessionId} ${status} ${statusWallAt}`.slice(0, 200),
    ageMs: Math.max(0, wallAt - statusWallAt),
    pid,
    ...(seen === undefined ? {} : { seen: { status: seen } }),
  }
}

export function transcriptSaid(agent: AgentRecord, ending: Ending, wallAt: number): Said {
  const { tail } = ending
  const context = contextOf(agent, tail)
  return {
    witness: 'transcript',
    ...(tail.workAt === undefined ? {} : { stamp: `${tail.session ?? ''} ${tail.workAt}`.slice(0, 200) }),
    ...(tail.workAt === undefined ? {} : { ageMs: Math.max(0, wallAt - tail.workAt) }),
    seen: { tail: tailSeen(ending) },
    ...(context === undefined ? {} : { gauges: { context } }),
    ...(tail.echo === undefined || tail.echo.nonce === agent.echo?.nonce ? {} : { echo: tail.echo }),
  }
}

/** The status line tells it better, once it has spoken for a session. */
function contextOf({ gauges }: AgentRecord, { contextTokens, model }: SessionTail): Gauges['context'] {
  if (contextTokens === undefined || gauges?.context?.source === 'status_line') return undefined
  const window = gauges?.context?.window ?? windowOf(model ?? '')
  return { tokens: contextTokens, ...(window === undefined ? {} : { window }), source: 'transcript' }
}

function folders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Undefined when there is nothing to watch yet, or the system has no watches left: the looks carry on without. */
function watched(path: string, call: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, (_, name) => call(name))
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
