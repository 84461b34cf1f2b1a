/**
 * Candidates are run in turns, so that a busy moment of the machine falls on all of them; medians are compared.
 * Programs are measured by the clock; what only computes is measured by its CPU, which others on the machine hardly touch.
 */

export interface Candidate {
  /** Made anew before each round and not counted. */
  prepare?: () => void
  run: () => void
  /** Lets go of what was prepared: else the collector would have to walk over it for the others. Not counted. */
  clear?: () => void
}

/** Milliseconds by the clock, of CPU of this process with all its threads, and of CPU of this thread alone. */
export const clockMs = (): number => performance.now()
export const cpuMs = (): number => sum(process.cpuUsage())
export const threadMs = (): number => sum(process.threadCpuUsage())

function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}

/** Median milliseconds of each candidate over the rounds. */
export function inTurns<Name extends string>(
  candidates: Record<Name, Candidate>,
  rounds: number,
  spentMs = clockMs,
): Record<Name, number> {
  const names = Object.keys(candidates) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      candidates[name].prepare?.()
      collectGarbage()
      const before = spentMs()
      candidates[name].run()
      // Round -1 warms the machine up.
      if (round >= 0) times[name].push(spentMs() - before)
      candidates[name].clear?.()
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits))
}

/** The value below which so large a part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** What «flat» means: of fleets of 10 to 10,000 agents, none costs more than twice as much per input as another. */
export const FLAT = 2

export function flatnessOf(costs: readonly number[]): number {
  return rounded(Math.max(...costs) / Math.min(...costs))
}

/** What must hold however slow the machine is; what does not is named in the result, and ends the run with code 1. */
export function brokenOf(promises: Record<string, boolean>): { broken?: string[] } {
  const broken = Object.keys(promises).filter((promise) => promises[promise] === false)
  return broken.length === 0 ? {} : { broken }
}

/**
 * So that nobody pays for what somebody else left behind. Where a benchmark's figures depend on it, it names
 * `--expose-gc` among its flags.
 */
export function collectGarbage(): void {
  globalThis.gc?.()
}
