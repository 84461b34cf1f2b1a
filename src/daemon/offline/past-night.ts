/**
 * A session of the past, judged: what its hooks would have reported and what its transcript said are read by the same
 * readers as those of a living session. What nobody can know of the past is inferred: that its processes work while a
 * call is within the time that its program gives it, and rest between calls; that it lived until its last record. Whether
 * they rest behind an open call is not known where a person may have been asked for it, and is not said then. Nothing was
 * typed to it, whatever would have been decided: it goes on as it did.
 */
import { CLIENT_BOUNDS } from '../../adapters/claude-code/call-bounds.ts'
import { claudeDialect } from '../../adapters/claude-code/dialect.ts'
import { firstModelIn } from '../../adapters/claude-code/past/first-model.ts'
import { asksNobody } from '../../adapters/claude-code/past/asks-nobody.ts'
import { pastSession, type PastCounts, type PastMoment } from '../../adapters/claude-code/past/past-session.ts'
import { recogniseTestRun } from '../../adapters/test-runners/recognise-test-run.ts'
import { transcriptSaid } from '../../adapters/claude-code/insight.ts'
import type { SessionTail } from '../../adapters/claude-code/session-tail.ts'
import type { Effect, Outcome } from '../../contract/effects.ts'
import type { Sighting } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { HOUR, MINUTE } from '../../core/durations.ts'
import type { Input } from '../../core/inputs.ts'
import type { Said } from '../../core/runtime-port.ts'
import type { Result } from '../../core/step.ts'
import { BOOT_LOOKS, createWorld, type World } from '../../core/world.ts'
import { readableSighting } from '../readable.ts'
import { Retelling } from '../retelling.ts'

const RUNTIME = 'claude-code'
const RUN = 'past'
const GENERATION = 1
/** It can be poked and interrupted; it is not put to sleep or replaced, since a past session tells nothing of that. */
const CAN = {
  resume: false,
  interrupt: true,
  clear: false,
  softStop: false,
  ask: false,
  confirmsText: false,
  usage: false,
}
/** A change of the transcript is looked at a moment later. */
const GLANCE_MS = 250
/** So long a session is watched in which nothing is written: at rest, and in an open turn. */
const WATCHED_MS = { atRest: 12 * HOUR, inTurn: 7 * 24 * HOUR }
/** A call of which nobody knows how long it may take is taken to work for this long. */
const WORKS_MS = 2 * MINUTE

export interface PastNightGiven {
  path: string
  agent: string
  settings: Settings
  counts: PastCounts
  nowWallAt: number
  /** When gaps end over which its machine slept. */
  sleeps?: ReadonlySet<number> | undefined
  progress?: (readBytes: number) => void
  /** Called when the first record was read, before anything is judged. */
  begin: (world: World, wallAt: number) => void
  note: (input: Input, result: Result) => void
  /** Asked after each moment: whether to go on. */
  isEnough?: () => boolean
}

/** When its last record was written; undefined when there was nothing to judge. Throws when it cannot be opened. */
export function playPast(given: PastNightGiven): { toWallAt: number } | undefined {
  let night: Night | undefined
  let lastWallAt = Infinity
  for (const moment of pastSession(given)) {
    night ??= new Night(given, moment, firstModelIn(given.path))
    const slept = given.sleeps?.has(moment.wallAt) === true && moment.wallAt > lastWallAt
    lastWallAt = moment.wallAt
    if (slept) given.counts.slept += 1
    night.take(slept ? { ...moment, wasClosed: true } : moment)
    if (given.isEnough?.() === true) break
  }
  return night === undefined ? undefined : { toWallAt: night.end() }
}

class Night {
  readonly #world: World
  readonly #telling: Retelling
  readonly #agent: string
  readonly #dialect = claudeDialect(recogniseTestRun)
  /** What was last said of its processes and of its transcript. */
  readonly #last = new Map<string, string>()
  #tail: SessionTail | undefined
  /** What its entry in the client's registry would say, and since when. */
  #status: { says: 'work' | 'rest'; wallAt: number } | undefined
  #glanceWallAt: number | undefined
  #reports = 0

  constructor(
    { agent, settings, begin, note }: PastNightGiven,
    { wallAt, tail }: PastMoment,
    model: string | undefined,
  ) {
    this.#agent = agent
    this.#world = createWorld(
      settings,
      { agents: [pastAgent(agent, tail, model)] },
      { capabilities: new Map([[RUNTIME, CAN]]) },
    )
    begin(this.#world, wallAt)
    this.#telling = new Retelling({
      world: this.#world,
      ...{ wallAt, monoAt: 0, note },
      seen: () => this.#process(),
      outcome: outcomeOf,
    })
    this.#telling.tell({ type: 'boot', openEffects: 0 })
    // It is watched from its first record on: what a daemon owes itself after a start was paid before.
    for (let n = 0; n < BOOT_LOOKS; n += 1) this.#telling.tell({ type: 'look', sentinel: false, sightings: [] })
  }

  take({ wallAt, hooks, isOpen, tail, wasClosed }: PastMoment): void {
    if (wasClosed) {
      this.#passTo(Math.min(wallAt, this.#telling.wallAt + GLANCE_MS + 1))
      this.#telling.jumpTo(wallAt)
    } else this.#passTo(wallAt)
    for (const { kind, body } of hooks) this.#report(kind, body)
    const says = isOpen ? 'work' : 'rest'
    if (tail === undefined && this.#status?.says === says) return
    if (this.#status?.says !== says) this.#status = { says, wallAt }
    if (tail !== undefined) this.#tail = tail
    this.#glanceWallAt ??= wallAt + GLANCE_MS
  }

  end(): number {
    this.#passTo(this.#telling.wallAt + GLANCE_MS + 1)
    return this.#telling.wallAt
  }

  #passTo(wallAt: number): void {
    const due = this.#glanceWallAt
    if (due !== undefined && due <= wallAt) {
      this.#glanceWallAt = undefined
      this.#telling.passTo(due)
      this.#glance(due)
    }
    const watchedMs = this.#record?.lifecycle === 'active' ? WATCHED_MS.inTurn : WATCHED_MS.atRest
    const unwatchedMs = wallAt - this.#telling.wallAt - watchedMs
    if (unwatchedMs > MINUTE) {
      this.#telling.passTo(this.#telling.wallAt + watchedMs)
      this.#telling.jumpTo(wallAt - MINUTE)
    }
    this.#telling.passTo(wallAt)
  }

  #report(kind: string, body: object): void {
    this.#reports += 1
    const id = `past.${RUN}.${GENERATION}.${kind}.${this.#reports}-1-1`
    const { wallAt } = this.#telling
    const report = { id, run: RUN, generation: GENERATION, kind, body: JSON.stringify(body), wallAt }
    const said = quietly(() => this.#dialect.read(report, this.#record?.bounds))
    this.#tell(said, { ageMs: 0 })
  }

  #glance(wallAt: number): void {
    const agent = this.#record
    const tail = this.#tail
    if (this.#status !== undefined) this.#tell(registrySaid(this.#status, wallAt))
    if (agent === undefined || tail === undefined) return
    const ending = { tail, refused: undefined, zone: ZONE }
    this.#tell(quietly(() => transcriptSaid(agent, ending, wallAt)))
  }

  #tell(said: Said | undefined, given: Partial<Said> = {}): void {
    if (said === undefined) return
    const { generation = GENERATION } = this.#record ?? {}
    const sighting = readableSighting({ ...given, ...said, agent: this.#agent, generation })
    if (sighting !== undefined && this.#isNews(sighting)) this.#telling.tell({ type: 'report', sighting })
  }

  #isNews({ ageMs: _, ...rest }: Sighting): boolean {
    if (rest.witness === 'hook' || rest.busy === true) return true
    const said = JSON.stringify(rest)
    if (this.#last.get(rest.witness) === said) return false
    this.#last.set(rest.witness, said)
    return true
  }

  #process(): readonly Sighting[] {
    const agent = this.#record
    if (agent === undefined) return []
    const { generation, open, gauges } = agent
    const busy = busyOf(open?.calls ?? [], { now: this.#world.house.observedAt, mode: gauges?.permissionMode })
    const sighting: Sighting = {
      ...{ agent: this.#agent, generation, witness: 'process', alive: true },
      ...(busy === undefined ? {} : { busy }),
    }
    if (busy === true) this.#last.delete('process')
    return this.#isNews(sighting) ? [sighting] : []
  }

  get #record(): AgentRecord | undefined {
    return this.#world.agents.get(this.#agent)
  }
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

type Calls = NonNullable<AgentRecord['open']>['calls']

/** Undefined where nobody can know. */
function busyOf(calls: Calls, { now, mode }: { now: number; mode: string | undefined }): boolean | undefined {
  if (calls.length === 0) return false
  if (calls.some(({ at, boundMs = WORKS_MS }) => now - at <= boundMs)) return true
  return asksNobody(mode) && calls.every(({ boundMs }) => boundMs !== undefined) ? false : undefined
}

/** What would have been typed counts as typed. All else was not done, and nothing comes of it. */
function outcomeOf({ type }: Effect): Outcome {
  return TYPED.includes(type) ? { result: 'done' } : { result: 'not_done', detail: 'it is a session of the past' }
}

const TYPED: readonly string[] = ['session.type', 'session.interrupt', 'ask.close', 'task.keep', 'task.forget']

function pastAgent(id: string, tail: SessionTail | undefined, model = 'unknown'): AgentRecord {
  return {
    ...{ id, kind: 'project', workspace: tail?.cwd?.slice(0, 4096) ?? '/', runtime: RUNTIME, simulated: false },
    ...{ model, lifecycle: 'active', lifecycleAt: 0, wanted: 'run' },
    ...{ generation: GENERATION, startedAt: 0, run: RUN, bounds: CLIENT_BOUNDS, evidence: {}, activities: [] },
    ...{ needsYou: [], salvages: [], producedAt: 0, progressedAt: 0 },
  }
}

function registrySaid(status: { says: 'work' | 'rest'; wallAt: number }, wallAt: number): Said {
  const { says, wallAt: sinceWallAt } = status
  return {
    witness: 'registry',
    stamp: `${says} ${sinceWallAt}`,
    ageMs: Math.max(0, wallAt - sinceWallAt),
    seen: { status },
  }
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
