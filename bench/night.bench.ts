/**
 * The CPU that an hour of a night costs with fifty agents: the whole loop with the real journal, against a plain
 * watchdog that polls the same agents at the same instants, judges by silence alone, and keeps its state as such tools
 * do, one file per agent rewritten at every look; and against the limit, which notes the newest sign of life of each
 * agent and writes one file per look.
 *
 * All three are shown the same recorded night (recorded-night.ts), and what it costs to play that back to nobody is
 * taken off each. CPU of all threads counts, not time: a night is long, and a watchdog that waits for its disk keeps
 * nobody from working. The peer does less: no reports kept, no causes, no history, nothing synced to the disk.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../src/adapters/sqlite/journal.ts'
import { virtualRuntime } from '../tests/fakes/virtual-runtime.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import { HOUR, MINUTE } from '../src/core/durations.ts'
import { Loop } from '../src/daemon/loop.ts'
import { SETTINGS } from '../tests/samples/agents.ts'
import { collectGarbage, cpuMs, median, rounded } from './measure.ts'
import { IN_PROCESS_FLAGS } from './product.ts'
import { Playback, recordNight, type Recording } from './recorded-night.ts'

const AGENTS = 50
/** Every hour of it is like the others. */
const NIGHT_MS = 20 * MINUTE
const ROUNDS = 3

export const flags = IN_PROCESS_FLAGS

type Candidate = (recording: Recording, folder: string) => Promise<number>

export async function run(): Promise<object> {
  const recording = await recordNight(AGENTS, NIGHT_MS)
  const root = mkdtempSync(join(tmpdir(), 'cloister-night-'))
  const candidates: Record<string, Candidate> = { playback, ours, peer, limit }
  const times: Record<string, number[]> = { playback: [], ours: [], peer: [], limit: [] }
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [name, candidate] of Object.entries(candidates)) {
        const folder = join(root, `${name}${round}`)
        mkdirSync(folder, { mode: 0o700 })
        const spentMs = await candidate(recording, folder)
        rmSync(folder, { recursive: true })
        // Round -1 warms the machine up.
        if (round >= 0) times[name]?.push(spentMs)
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const base = median(times['playback'] ?? [])
  const perHour = (name: string) => ((median(times[name] ?? []) - base) * HOUR) / NIGHT_MS
  return {
    bench: 'night',
    ours: rounded(perHour('ours')),
    peer: rounded(perHour('peer')),
    limit: rounded(perHour('limit')),
    unit: `ms of CPU for an hour with ${AGENTS} agents (peer: polls, judges by silence, a file per agent and look)`,
    ratio: rounded(perHour('peer') / perHour('ours')),
    playback: rounded(base),
    ofOneCore: rounded(perHour('ours') / HOUR),
    reports: recording.reports.length,
    looks: recording.looks.length,
  }
}

/** Taken off everybody: the reports arrive, and nobody looks. */
async function playback(recording: Recording): Promise<number> {
  const night = new Playback(recording)
  takeAll(night, () => {})
  return cpuOf(() => night.play(nothing))
}

async function ours(recording: Recording, home: string): Promise<number> {
  const night = new Playback(recording)
  const journal = await openJournal({ home })
  const { agents, house: recorded } = recording.begin
  if (recorded === undefined) throw new Error('the recorded night has no beginning')
  // The events before it are not in this journal.
  const house = { ...recorded, seq: 0 }
  await journal.commit({ events: [], effects: [], settled: [], agents, forgotten: [], house, seen: [] })
  const { fleet } = night
  const spentMs = await cpuOf(async () => {
    const loop = await Loop.start({
      ...{ clock: night, journal, terminal: fleet, processes: fleet, git: fleet, mailbox: fleet },
      runtimes: new Map([[virtualRuntime.name, virtualRuntime]]),
      reports: () => fleet,
      settings: SETTINGS,
      bootId: 'bench',
    })
    await night.play(() => loop.settled())
    loop.stop()
  })
  const judged = (await journal.recover()).agents.filter(({ verdict }) => verdict?.health === 'active').length
  await journal.close()
  if (judged !== AGENTS) throw new Error(`Only ${judged} of ${AGENTS} agents were seen at work.`)
  return mustLook(night, recording, spentMs)
}

async function peer(recording: Recording, folder: string): Promise<number> {
  const night = new Playback(recording)
  const { agents } = recording.begin
  const heardAt = new Map<string, number>()
  takeAll(night, (agent) => heardAt.set(agent, night.now().monoAt))
  every(night, () => void pollAll({ night, agents, heardAt, folder }))
  return mustLook(night, recording, await cpuOf(() => night.play(nothing)))
}

interface Poll {
  night: Playback
  agents: readonly AgentRecord[]
  heardAt: ReadonlyMap<string, number>
  folder: string
}

/** One look of a simple tool: everybody's pane, process and work, and silence against the thresholds. */
async function pollAll({ night, agents, heardAt, folder }: Poll): Promise<void> {
  const { wallAt, monoAt } = night.now()
  const panes = new Map((await night.fleet.list()).map((pane) => [pane.agent, pane]))
  for (const { id, run: name = '', workspace, model } of agents) {
    const { alive } = await night.fleet.lookAt(name)
    const work = await night.fleet.lookIn(workspace)
    const quietMs = monoAt - (heardAt.get(id) ?? -Infinity)
    const silentMs = Math.min(panes.get(id)?.ageMs ?? Infinity, work?.ageMs ?? Infinity, quietMs)
    const health = alive ? healthOf(silentMs) : 'dead'
    const file = join(folder, `${id}.json`)
    const checkedAt = new Date(wallAt).toISOString()
    const seenAt = new Date(wallAt - silentMs).toISOString()
    writeFileSync(`${file}.new`, JSON.stringify({ id, model, workspace, health, checkedAt, seenAt }, undefined, 2))
    renameSync(`${file}.new`, file)
  }
}

function healthOf(silentMs: number): string {
  const { staleMs, warningMs, stuckMs } = SETTINGS.thresholds
  if (silentMs >= stuckMs) return 'stuck'
  if (silentMs >= warningMs) return 'warning'
  return silentMs >= staleMs ? 'stale' : 'active'
}

async function limit(recording: Recording, folder: string): Promise<number> {
  const night = new Playback(recording)
  const heardAt = new Map<string, number>()
  takeAll(night, (agent) => heardAt.set(agent, night.now().monoAt))
  every(night, () => {
    void night.fleet.list()
    writeFileSync(join(folder, 'all.json'), JSON.stringify([...heardAt]))
  })
  return mustLook(night, recording, await cpuOf(() => night.play(nothing)))
}

function takeAll({ fleet }: Playback, heard: (agent: string) => void): void {
  fleet.listen(({ id, sighting }) => {
    heard(sighting.agent)
    fleet.taken([id])
    return true
  })
}

function every(night: Playback, call: () => void): void {
  call()
  night.wakeAt(night.now().monoAt + SETTINGS.lookEveryMs, () => every(night, call))
}

/** Who looked less often than the recording did was shown another night. */
function mustLook(night: Playback, { looks }: Recording, spentMs: number): number {
  if (night.looks !== looks.length) throw new Error(`It looked ${night.looks} times, not ${looks.length} times.`)
  return spentMs
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  collectGarbage()
  const before = cpuMs()
  await work()
  return cpuMs() - before
}

async function nothing(): Promise<void> {}
