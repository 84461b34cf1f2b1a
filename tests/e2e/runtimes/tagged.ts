/** Processes by the tag that every descendant of a run carries in its environment. */
import { readdirSync, readFileSync } from 'node:fs'

/** Living processes that carry the run's tag. */
export function tagged(run: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const environ = readFileSync(`/proc/${name}/environ`, 'utf8')
      if (!environ.split('\0').includes(`CLOISTER_RUN=e2e.${run}`)) return []
      return [
        { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() },
      ]
    } catch {
      // It ended while it was looked at, or belongs to somebody else.
      return []
    }
  })
}

/** Ends what is left of a test's own run, for good. */
export function endTagged(run: string): void {
  for (let left = tagged(run); left.length > 0; left = tagged(run)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself.
      }
    }
  }
}
