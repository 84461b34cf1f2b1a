/** Candidates are run in turns, so that a busy moment of the machine falls on all of them; medians are compared. */

export interface Candidate {
  /** Made anew before each round and not counted. */
  prepare?: () => void
  run: () => void
}

/** Median milliseconds of each candidate over the rounds. */
export function inTurns<Name extends string>(
  candidates: Record<Name, Candidate>,
  rounds: number,
): Record<Name, number> {
  const names = Object.keys(candidates) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      candidates[name].prepare?.()
      const before = performance.now()
      candidates[name].run()
      // Round -1 warms the machine up.
      if (round >= 0) times[name].push(performance.now() - before)
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

/** What must hold however slow the machine is; what does not is named in the result, and ends the run with code 1. */
export function brokenOf(promises: Record<string, boolean>): { broken?: string[] } {
  const broken = Object.keys(promises).filter((promise) => promises[promise] === false)
  return broken.length === 0 ? {} : { broken }
}
