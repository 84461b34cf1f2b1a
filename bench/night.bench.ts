/**
 * Fifty agents through twelve simulated hours: the whole loop with its in-memory ports, against the real time of
 * such a night, and against the limit: only letting the virtual clock pass.
 */
import { VirtualClock } from '../src/adapters/virtual/virtual-clock.ts'
import { HOUR } from '../src/core/durations.ts'
import { House } from '../tests/nights/house.ts'
import { median, rounded } from './measure.ts'

const AGENTS = 50
const NIGHT_MS = 12 * HOUR
const ROUNDS = 5

export async function run(): Promise<object> {
  const ours: number[] = []
  const limit: number[] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    const house = new House()
    await house.boot()
    for (let n = 0; n < AGENTS; n += 1) await house.spawn(`agent-${n}`)
    const spent = await timed(() => house.wait(NIGHT_MS))
    const clock = new VirtualClock(0)
    tickEvery(clock, house.settings.lookEveryMs)
    const bare = await timed(() => clock.advance(NIGHT_MS))
    if (round < 0) continue
    ours.push(spent)
    limit.push(bare)
  }
  const [spent, bare] = [median(ours), median(limit)]
  return {
    bench: 'night',
    ours: rounded(spent),
    peer: NIGHT_MS,
    limit: rounded(bare),
    unit: `ms for ${AGENTS} agents × 12 h (peer: the night itself)`,
    ratio: rounded(NIGHT_MS / spent),
  }
}

function tickEvery(clock: VirtualClock, ms: number): void {
  clock.wakeAt(clock.now().monoAt + ms, () => tickEvery(clock, ms))
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
