/**
 * Fifty agents through twelve simulated hours: the whole loop with its in-memory ports, against a plain watchdog
 * that polls the same fleet on the same clock, and against the limit: only letting the virtual clock pass.
 * The watchdog does less: no journal, no verdict, no reports.
 */
import { VirtualClock } from '../tests/fakes/virtual-clock.ts'
import { VirtualFleet } from '../tests/fakes/virtual-fleet.ts'
import type { AgentRecord } from '../src/contract/records.ts'
import { HOUR } from '../src/core/durations.ts'
import { House } from '../tests/nights/house.ts'
import { agentRecord, SETTINGS } from '../tests/samples/agents.ts'
import { median, rounded } from './measure.ts'

const AGENTS = 50
const NIGHT_MS = 12 * HOUR
const ROUNDS = 5

export async function run(): Promise<object> {
  const measures = { ours: ourNight, peer: watchdogNight, limit: bareNight }
  const names = Object.keys(measures) as (keyof typeof measures)[]
  const times: Record<keyof typeof measures, number[]> = { ours: [], peer: [], limit: [] }
  for (let round = -1; round < ROUNDS; round += 1) {
    // The order turns round each time, so that what one leaves behind does not always fall on the same other.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const spentMs = await measures[name]()
      // Round -1 warms the machine up.
      if (round >= 0) times[name].push(spentMs)
    }
  }
  const [ours, peer] = [median(times.ours), median(times.peer)]
  return {
    bench: 'night',
    ours: rounded(ours),
    peer: rounded(peer),
    limit: rounded(median(times.limit)),
    unit: `ms for ${AGENTS} agents × 12 h (peer: a plain polling watchdog, without journal or verdicts)`,
    ratio: rounded(peer / ours),
    nightMs: NIGHT_MS,
  }
}

async function ourNight(): Promise<number> {
  const house = new House()
  await house.boot()
  for (let n = 0; n < AGENTS; n += 1) await house.spawn(`agent-${n}`)
  return timed(() => house.wait(NIGHT_MS))
}

async function watchdogNight(): Promise<number> {
  const clock = new VirtualClock(Date.UTC(2026, 0, 20, 22))
  const fleet = new VirtualFleet(clock)
  const agents = Array.from({ length: AGENTS }, (_, n) => {
    return { ...agentRecord({ id: `agent-${n}`, workspace: `/workspaces/agent-${n}` }), run: `run-${n}` }
  })
  for (const agent of agents) await fleet.start({ agent: agent.id, generation: agent.generation, run: agent.run })
  // It reads no reports, but they must not pile up either.
  fleet.listen(({ id }) => {
    fleet.taken([id])
    return true
  })
  let looks = 0
  every(clock, SETTINGS.lookEveryMs, () => {
    void pollAll(fleet, agents).then(() => (looks += 1))
  })
  const spentMs = await timed(() => clock.advance(NIGHT_MS))
  if (looks < NIGHT_MS / SETTINGS.lookEveryMs - 1) throw new Error(`The watchdog looked only ${looks} times.`)
  return spentMs
}

/** One look of a simple tool: everybody's pane, process and work, and silence against the thresholds. */
async function pollAll(fleet: VirtualFleet, agents: readonly AgentRecord[]): Promise<Map<string, string>> {
  const panes = new Map((await fleet.list()).map((pane) => [pane.agent, pane]))
  const found = new Map<string, string>()
  for (const { id, run = '', workspace } of agents) {
    const { alive } = await fleet.lookAt(run)
    const work = await fleet.lookIn(workspace)
    const silentMs = Math.min(panes.get(id)?.ageMs ?? Infinity, work?.ageMs ?? Infinity)
    found.set(id, alive ? healthOf(silentMs) : 'dead')
  }
  return found
}

function healthOf(silentMs: number): string {
  const { staleMs, warningMs, stuckMs } = SETTINGS.thresholds
  if (silentMs >= stuckMs) return 'stuck'
  if (silentMs >= warningMs) return 'warning'
  return silentMs >= staleMs ? 'stale' : 'active'
}

async function bareNight(): Promise<number> {
  const clock = new VirtualClock(0)
  every(clock, SETTINGS.lookEveryMs, () => {})
  return timed(() => clock.advance(NIGHT_MS))
}

function every(clock: VirtualClock, ms: number, call: () => void): void {
  clock.wakeAt(clock.now().monoAt + ms, () => {
    call()
    every(clock, ms, call)
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
