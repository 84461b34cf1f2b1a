/**
 * What can be seen of a running client without being told: its entry in the registry and the end of its transcript.
 * Both are watched, and a change leads to a look at that one agent, a moment later, so that hooks come first.
 * Nothing of the client's is ever written.
 */
import { existsSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, join } from 'node:path'
import type { Gauges } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { currentDoing } from '../../core/health/judge.ts'
import type { Insight, Said } from '../../core/runtime-port.ts'
import { windowOf } from './context-window.ts'
import type { Dialect } from './dialect.ts'
import { Registry, type RegistryEntry } from './registry.ts'
import { objection, type Objection } from './second-witness.ts'
import { followTail, type SessionTail, type TailPlace } from './session-tail.ts'

export interface InsightOptions {
  /** The user's folder of the client. */
  config: string
  homeId: string
  dialect: Dialect
  now?: () => number
}

/** Much may change in a moment, and the hook that tells of it shall come first. */
const LOOK_AFTER_MS = 250

interface Followed {
  pid?: number
  place?: TailPlace
  watcher?: FSWatcher
  watched?: string
  timer?: NodeJS.Timeout
}

export class ClaudeInsight implements Insight {
  readonly #options: InsightOptions
  readonly #now: () => number
  readonly #registry: Registry
  readonly #followed = new Map<string, Followed>()
  #folder: FSWatcher | undefined
  #call: ((run: string) => void) | undefined

  constructor(options: InsightOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
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
    this.#watchFor(run, path)
    const wallAt = this.#now()
    const hearing = this.#options.dialect.hearing(run)
    const found = objection(
      {
        doing: currentDoing(agent)?.doing,
        beyondWaits: hearing.work.beyondWaits(),
        limits: hearing.limits,
        zone: hearing.zone,
        heardWallAt: hearing.heardWallAt,
        promptDue: hearing.promptDue,
      },
      { registry, tail: place?.tail },
      wallAt,
    )
    if (found !== undefined && 'againMs' in found) this.#soon(run, found.againMs)
    const objected = found !== undefined && 'doing' in found ? found : undefined
    return [
      ...(registry === undefined ? [] : [registrySaid(registry, wallAt, objected)]),
      ...(place === undefined ? [] : [transcriptSaid(agent, place.tail, { wallAt, objected, spoken: hearing.status })]),
    ]
  }

  watch(call: (run: string) => void): () => void {
    this.#call = call
    const unhear = this.#options.dialect.onTurn((run) => this.#soon(run))
    return () => {
      unhear()
      this.#call = undefined
      this.#folder?.close()
      this.#folder = undefined
      this.retain(new Set())
    }
  }

  retain(runs: ReadonlySet<string>): void {
    for (const [run, { watcher, timer }] of this.#followed) {
      if (runs.has(run)) continue
      watcher?.close()
      clearTimeout(timer)
      this.#registry.adopt(run, undefined)
      this.#followed.delete(run)
    }
  }

  /** By the last report; after a restart, before one came, by the session's id. */
  #transcriptOf(agent: AgentRecord, run: string, registry: RegistryEntry | undefined): string | undefined {
    const session = registry?.sessionId ?? agent.sessionId
    const { transcript } = this.#options.dialect.hearing(run)
    const projects = join(this.#options.config, 'projects')
    const isOurs = transcript?.startsWith(`${projects}/`) === true && !transcript.includes('/../')
    if (isOurs && (session === undefined || basename(transcript) === `${session}.jsonl`)) return transcript
    const known = this.#followed.get(run)?.place?.path
    if (session === undefined || !/^[A-Za-z0-9_-]+$/.test(session)) return known
    if (known !== undefined && basename(known) === `${session}.jsonl`) return known
    return folders(projects)
      .map((folder) => join(projects, folder, `${session}.jsonl`))
      .find((file) => existsSync(file))
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

function registrySaid(entry: RegistryEntry, wallAt: number, objected: Objection | undefined): Said {
  const { sessionId, status = 'starting', statusWallAt, pid } = entry
  return {
    witness: 'registry',
    stamp: `${sessionId} ${status} ${statusWallAt}`.slice(0, 200),
    ageMs: Math.max(0, wallAt - statusWallAt),
    pid,
    ...(objected?.witness === 'registry' ? { doing: objected.doing, objects: true } : {}),
  }
}

interface Telling {
  wallAt: number
  objected: Objection | undefined
  /** The status line has spoken for this session. */
  spoken: string | undefined
}

function transcriptSaid(agent: AgentRecord, tail: SessionTail, { wallAt, objected, spoken }: Telling): Said {
  const context = spoken === undefined ? contextOf(agent, tail) : undefined
  const doing = objected?.witness === 'transcript' ? objected : undefined
  const at = doing?.wallAt ?? tail.workAt
  return {
    witness: 'transcript',
    ...(tail.workAt === undefined ? {} : { stamp: `${tail.session ?? ''} ${tail.workAt}`.slice(0, 200) }),
    ...(at === undefined ? {} : { ageMs: Math.max(0, wallAt - at) }),
    ...(doing === undefined ? {} : { doing: doing.doing, objects: true }),
    ...(context === undefined ? {} : { gauges: { context } }),
    ...(tail.echo === undefined || tail.echo.nonce === agent.echo?.nonce ? {} : { echo: tail.echo }),
  }
}

function contextOf({ gauges }: AgentRecord, { contextTokens, model }: SessionTail): Gauges['context'] {
  if (contextTokens === undefined) return undefined
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
