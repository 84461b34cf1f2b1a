/**
 * Which files are transcripts, by number. A folder whose time has not changed since it was listed is not listed again,
 * unless its time was so young then that a later change may have left it the same.
 */
import type { Stats } from 'node:fs'
import { readdirSync, statOf } from './files.ts'

export interface Listing {
  /** When a name was last added or taken away: nobody can set that time back. */
  changedMs: number
  /** Numbers of the transcripts in it, and its folders by name. */
  files: readonly number[]
  folders: readonly string[]
}

interface Fresh {
  folder: string
  changedMs: number
  paths: string[]
  folders: readonly string[]
}

const ENDING = '.jsonl'
/** Coarser than the clock of any file system that is in use. */
const SETTLED_MS = 2000
const FOLDERS_LIMIT = 100_000

/** A folder that was looked at, with those above it. */
interface Level {
  stats: Stats | undefined
  above: Level | undefined
}

interface Due {
  folder: string
  above?: Level
}

export class Catalogue {
  readonly #paths: string[]
  readonly #listings: Map<string, Listing>
  readonly #changed = new Set<string>()
  readonly #now: () => number
  /** Made when a path is first asked for. */
  #numbers: Map<string, number> | undefined
  /** Paths are only ever added, so that those which were seen need not be looked at again. */
  readonly #ever = new Map<string, { numbers: number[]; seen: number }>()

  constructor(kept: { paths: string[]; listings: [string, Listing][] } = { paths: [], listings: [] }, now = Date.now) {
    this.#paths = kept.paths
    this.#listings = new Map(kept.listings)
    this.#now = now
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  get listings(): ReadonlyMap<string, Listing> {
    return this.#listings
  }

  /** Folders that were listed, or found gone, since the last `saved`. */
  get changed(): ReadonlySet<string> {
    return this.#changed
  }

  saved(): void {
    this.#changed.clear()
  }

  /** As somebody wrote it. */
  put(paths: readonly string[], listings: readonly (readonly [string, Listing | null])[]): void {
    if (paths.length > 0) this.enter(paths)
    for (const [folder, listing] of listings) {
      if (listing === null) this.#listings.delete(folder)
      else this.#listings.set(folder, listing)
    }
  }

  /** Numbers of the files; new ones are numbered in this order. */
  enter(paths: readonly string[]): number[] {
    const numbers = (this.#numbers ??= new Map(this.#paths.map((path, number) => [path, number])))
    return paths.map((path) => {
      const known = numbers.get(path)
      if (known !== undefined) return known
      const number = this.#paths.push(path) - 1
      numbers.set(path, number)
      return number
    })
  }

  /**
   * Every transcript in the folder and below it; none when there is no such folder. New ones are numbered oldest first,
   * since a fork repeats the lines of an older file.
   */
  transcriptsIn(root: string): number[] {
    const numbers: number[] = []
    const fresh: Fresh[] = []
    const due: Due[] = [{ folder: root }]
    for (let next = due.pop(); next !== undefined; next = due.pop()) {
      const { folder, above } = next
      const here = { stats: statOf(folder), above }
      if (leadsBack(here)) continue
      const { files = [], folders } = this.#look(folder, here.stats, fresh)
      for (const number of files) numbers.push(number)
      for (const name of folders) due.push({ folder: `${folder}/${name}`, above: here })
    }
    if (fresh.length > 0) this.#learn(fresh, numbers)
    return numbers
  }

  /** Numbers of all that ever stood in the folder or below it, deleted ones included. */
  everIn(folder: string): readonly number[] {
    const known = this.#ever.get(folder) ?? { numbers: [], seen: 0 }
    const start = `${folder}/`
    for (; known.seen < this.#paths.length; known.seen += 1) {
      if (this.#paths[known.seen]?.startsWith(start) === true) known.numbers.push(known.seen)
    }
    this.#ever.set(folder, known)
    return known.numbers
  }

  #look(
    folder: string,
    stats: Stats | undefined,
    fresh: Fresh[],
  ): { files?: readonly number[]; folders: readonly string[] } {
    if (stats === undefined || !stats.isDirectory()) {
      if (this.#listings.delete(folder)) this.#changed.add(folder)
      return NOTHING
    }
    const changedMs = stats.ctimeMs
    const known = this.#listings.get(folder)
    if (known?.changedMs === changedMs) return known
    const names = namesIn(folder)
    const paths = names.filter((name) => name.endsWith(ENDING)).map((name) => `${folder}/${name}`)
    // The client's folders have no dot in their names; its other files do.
    const folders = names.filter((name) => !name.includes('.'))
    fresh.push({ folder, changedMs, paths, folders })
    return { folders }
  }

  #learn(fresh: readonly Fresh[], numbers: number[]): void {
    this.enter(oldestFirst(this.#unknown(fresh.flatMap(({ paths }) => paths))))
    const settled = this.#now() - SETTLED_MS
    for (const { folder, changedMs, paths, folders } of fresh) {
      const files = this.enter(paths)
      for (const number of files) numbers.push(number)
      if (changedMs >= settled || this.#listings.size >= FOLDERS_LIMIT) continue
      this.#listings.set(folder, { changedMs, files, folders })
      this.#changed.add(folder)
    }
  }

  #unknown(paths: readonly string[]): string[] {
    this.enter([])
    return paths.filter((path) => this.#numbers?.has(path) !== true)
  }
}

const NOTHING = { files: [], folders: [] }

/** A link to a folder above itself: what is there was seen. */
function leadsBack({ stats, above }: Level): boolean {
  for (let level = above; level !== undefined; level = level.above) {
    if (level.stats?.ino === stats?.ino && level.stats?.dev === stats?.dev) return true
  }
  return false
}

/** Names alone: asking for their kinds costs as much again. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Sessions come and go while they are looked for.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function oldestFirst(paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths
  const aged = paths.map((path) => ({ path, bornAt: statOf(path)?.birthtimeMs ?? Infinity }))
  const sorted = aged.toSorted((a, b) => a.bornAt - b.bornAt || (a.path < b.path ? -1 : 1))
  return sorted.map(({ path }) => path)
}
