/** What can be seen of the agents from outside at a look: process, terminal, git and registry; only what changed. */
import type { Doing, Sighting } from '../../src/contract/evidence.ts'
import type { Seen } from './timeline.ts'

interface State {
  busy: boolean
  ticking: boolean
  drawn: number
  drawnAt: number
  alive: boolean
  exitCode: number | undefined
  lost: boolean
  git: string | undefined
  registry: { doing: Doing; at: number } | undefined
  own: NonNullable<Seen['own']>
  /** Its children used CPU since the last look. */
  worked: boolean
}

type Sight = Omit<Sighting, 'generation'>

export class Outside {
  blind = false
  readonly #states: State[]
  readonly #last = new Map<string, string>()

  constructor(agents: number) {
    this.#states = Array.from({ length: agents }, () => ({
      busy: false,
      ticking: false,
      drawn: 0,
      drawnAt: 0,
      alive: true,
      exitCode: undefined,
      lost: false,
      git: undefined,
      registry: undefined,
      own: {},
      worked: false,
    }))
  }

  happens(agent: number, seen: Seen, at: number): void {
    const state = this.#states[agent]
    if (state === undefined) return
    // It drew until now.
    if (state.ticking || seen.drawn === true) {
      state.drawn += 1
      state.drawnAt = at
    }
    const { drawn: _, registry, own, ...rest } = seen
    Object.assign(state, rest)
    state.own = { ...state.own, ...own }
    if (registry !== undefined) state.registry = { doing: registry, at }
    state.worked ||= state.busy
  }

  /** The daemon that looked before is gone, and what it had seen with it. */
  forget(): void {
    this.#last.clear()
  }

  /** `wallAt` is what the clock on the wall shows at the beginning of the session. */
  look(at: number, wallAt: number): { blind: boolean; sightings: Sight[] } {
    if (this.blind) return { blind: true, sightings: [] }
    const sightings = this.#states.flatMap((state, n) => [
      ...this.#sightings(state, `agent-${n}`, at),
      ...ownFiles(state.own, `agent-${n}`, { at, wallAt }),
    ])
    return { blind: false, sightings: sightings.filter((each) => this.#isNews(each)) }
  }

  #sightings(state: State, agent: string, at: number): Sight[] {
    if (state.ticking) {
      state.drawn += 1
      state.drawnAt = at
    }
    const busy = state.busy || state.worked
    state.worked = false
    const exit = state.exitCode === undefined ? {} : { exitCode: state.exitCode }
    const ageMs = at - state.drawnAt
    const stamp = `d${state.drawn}`
    const { registry } = state
    return [
      { agent, witness: 'process', alive: state.alive, ...(state.alive ? { busy } : {}) },
      state.lost
        ? { agent, witness: 'terminal', lost: true }
        : { agent, witness: 'terminal', stamp, ageMs, alive: state.alive, ...exit },
      ...(state.git === undefined ? [] : [{ agent, witness: 'git' as const, stamp: state.git, progress: state.git }]),
      ...(registry === undefined ? [] : [this.#objection(agent, registry, at)]),
    ]
  }

  /** Said once: what comes after it is younger. */
  #objection(agent: string, { doing, at: since }: { doing: Doing; at: number }, at: number): Sight {
    return { agent, witness: 'registry', stamp: `${since}`, ageMs: at - since, doing }
  }

  #isNews({ ageMs: _, ...rest }: Sight): boolean {
    const key = `${rest.agent} ${rest.witness}`
    const said = JSON.stringify(rest)
    const last = this.#last.get(key)
    const isAgain = rest.alive === false && last === said
    if (rest.busy !== true && !isAgain && (last === said || last === `${said} again`)) return false
    this.#last.set(key, isAgain ? `${said} again` : said)
    return true
  }
}

/** Registry and transcript as the daemon reads them. */
function ownFiles(own: State['own'], agent: string, { at, wallAt }: { at: number; wallAt: number }): Sight[] {
  const { status, tail } = inWallTime(own, wallAt)
  const statusAt = status === undefined ? 0 : status.wallAt - wallAt
  return [
    ...(status === undefined
      ? []
      : [{ agent, witness: 'registry' as const, stamp: `${statusAt}`, ageMs: at - statusAt, seen: { status } }]),
    ...(tail === undefined ? [] : [{ agent, witness: 'transcript' as const, seen: { tail } }]),
  ]
}

function inWallTime<T>(value: T, wallAt: number): T {
  const text = JSON.stringify(value, (key, part: unknown) =>
    typeof part === 'number' && /wallAt$/i.test(key) ? part + wallAt : part,
  )
  return JSON.parse(text) as T
}
