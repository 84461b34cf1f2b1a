/** Where hooks and daemon meet under a home, and the names of the files there. */
import { join } from 'node:path'

export const FOLDERS = ['spool', 'spool/tmp', 'spool/new', 'spool/bad', 'orders', 'asks', 'bin'] as const

/** The home id, and the run, of reports from a person's own sessions. */
export const USER = 'user'

export function pathsOf(home: string) {
  return {
    spool: join(home, 'spool'),
    tmp: join(home, 'spool/tmp'),
    fresh: join(home, 'spool/new'),
    bad: join(home, 'spool/bad'),
    orders: join(home, 'orders'),
    asks: join(home, 'asks'),
  }
}

export interface ReportName {
  home: string
  run: string
  generation: number
  kind: string
  /** Hundredths of a second since the machine started, when the name says so. */
  upAt: number | undefined
  pid: number
}

const ID = '[a-z0-9][a-z0-9_-]{0,63}'
const NAME = new RegExp(`^(${ID})\\.(${ID})\\.(\\d{1,9})\\.([A-Za-z]{1,64})\\.(${ID})$`)
const UNIQUE = /^(\d{1,15})-(\d{1,10})(?:-|$)/
const LONGEST = 200

/** Undefined for a name that no hook of ours gives. */
export function parseName(name: string): ReportName | undefined {
  const [, home, run, generation, kind, unique] = (name.length <= LONGEST && NAME.exec(name)) || []
  if (home === undefined || run === undefined || kind === undefined || unique === undefined) return undefined
  const [, upAt, pid] = UNIQUE.exec(unique) ?? []
  return {
    home,
    run,
    generation: Number(generation),
    kind,
    upAt: upAt === undefined ? undefined : Number(upAt),
    pid: Number(pid ?? 0),
  }
}

/** What the system says of an error, with its code; short enough for an outcome. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200)
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}
