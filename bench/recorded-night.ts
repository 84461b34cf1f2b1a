/**
 * What a fleet of simulated agents shows in a night, recorded once with its instants, and played back to whoever is
 * measured. Playing back is a look into a list: what it costs to simulate agents is in nobody's figure.
 */
import { quiet } from '../tests/fakes/virtual-clock.ts'
import { VirtualFleet } from '../tests/fakes/virtual-fleet.ts'
import type { Sighting } from '../src/contract/evidence.ts'
import { MINUTE } from '../src/core/durations.ts'
import type { GitState } from '../src/core/git-port.ts'
import type { Clock, Pane, Processes, Recovered } from '../src/core/ports.ts'
import { House } from '../tests/nights/house.ts'

type ProcessState = Awaited<ReturnType<Processes['lookAt']>>

/** What one look finds, by run and by workspace. */
interface Found {
  at: number
  panes: readonly Pane[]
  processes: Map<string, ProcessState>
  git: Map<string, GitState | undefined>
}

export interface Recording {
  /** As the journal has it when the night begins. */
  begin: Recovered
  wallAt: number
  monoAt: number
  endAt: number
  looks: readonly Found[]
  reports: readonly { at: number; sighting: Sighting }[]
}

export async function recordNight(agents: number, nightMs: number): Promise<Recording> {
  const house = new House()
  await house.boot()
  for (let n = 0; n < agents; n += 1) {
    await house.spawn(`agent-${n}`)
    // Agents that report at the same instant would share a commit, which agents of the world do not.
    await house.wait(Math.floor(MINUTE / agents))
  }
  await house.wait(2 * MINUTE)
  house.crash()
  const begin = await house.journal.recover()
  const { wallAt, monoAt } = house.clock.now()
  const looks: Found[] = []
  const reports: { at: number; sighting: Sighting }[] = []
  listenIn(house, looks, reports)
  await house.boot()
  await house.wait(nightMs)
  return { begin, wallAt, monoAt, endAt: monoAt + nightMs, looks, reports }
}

function listenIn({ fleet, clock }: House, looks: Found[], reports: { at: number; sighting: Sighting }[]): void {
  const [receive, list] = [fleet.receive.bind(fleet), fleet.list.bind(fleet)]
  const [lookAt, lookIn] = [fleet.lookAt.bind(fleet), fleet.lookIn.bind(fleet)]
  const now = () => clock.now().monoAt
  fleet.receive = (sighting) => {
    reports.push({ at: now(), sighting })
    receive(sighting)
  }
  fleet.list = async () => {
    const panes = await list()
    looks.push({ at: now(), panes, processes: new Map(), git: new Map() })
    return panes
  }
  fleet.lookAt = async (run) => {
    const state = await lookAt(run)
    looks.at(-1)?.processes.set(run, state)
    return state
  }
  fleet.lookIn = async (workspace) => {
    const state = await lookIn(workspace)
    looks.at(-1)?.git.set(workspace, state)
    return state
  }
}

/** The recorded night, and a clock that moves from one instant of it to the next when all that it caused is done. */
export class Playback implements Clock {
  readonly fleet = new VirtualFleet(this)
  readonly #recording: Recording
  readonly #timers = new Map<object, { at: number; call: () => void }>()
  #monoAt: number
  #look = -1

  constructor(recording: Recording) {
    this.#recording = recording
    this.#monoAt = recording.monoAt
    const found = () => recording.looks[this.#look]
    this.fleet.list = async () => {
      this.#look += 1
      return found()?.panes ?? []
    }
    this.fleet.lookAt = async (run) => found()?.processes.get(run) ?? { alive: false }
    this.fleet.lookIn = async (workspace) => found()?.git.get(workspace)
  }

  /** How many times somebody looked. */
  get looks(): number {
    return this.#look + 1
  }

  now(): { wallAt: number; monoAt: number } {
    const { wallAt, monoAt } = this.#recording
    return { wallAt: wallAt + (this.#monoAt - monoAt), monoAt: this.#monoAt }
  }

  wakeAt(at: number, call: () => void): () => void {
    const key = {}
    this.#timers.set(key, { at, call })
    return () => this.#timers.delete(key)
  }

  /** Until the night is over; `settled` resolves when nothing is under way any more. */
  async play(settled: () => Promise<void>): Promise<void> {
    const { reports, endAt } = this.#recording
    let next = 0
    for (;;) {
      await quiet()
      await settled()
      const at = Math.min(this.#nextTimerAt(), reports[next]?.at ?? Infinity)
      if (at > endAt) return
      this.#monoAt = Math.max(this.#monoAt, at)
      for (const [key, { at: dueAt, call }] of this.#timers) {
        if (dueAt > this.#monoAt) continue
        this.#timers.delete(key)
        call()
      }
      for (; reports[next] !== undefined && (reports[next]?.at ?? 0) <= this.#monoAt; next += 1) {
        this.fleet.receive((reports[next] as { sighting: Sighting }).sighting)
      }
    }
  }

  /** There are only ever two or three. */
  #nextTimerAt(): number {
    let first = Infinity
    for (const { at } of this.#timers.values()) first = Math.min(first, at)
    return first
  }
}
