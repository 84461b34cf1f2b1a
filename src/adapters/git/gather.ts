/**
 * Finds everything in a worktree that no commit holds: changes, untracked files, precious ignored files, and the
 * content of repositories inside it. A nested repository that is not exactly what the outer one recorded is taken
 * over file by file, so that the snapshot alone is enough to bring it back.
 */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Folders } from '../process/folders.ts'
import { findConverted } from './conversions.ts'
import type { Deadline } from './git-command.ts'
import { findPrecious, walkFolder } from './precious.ts'
import { toRaw, toText, type RawPath } from './raw-path.ts'
import { repositoryAt, type Checkout } from './repository.ts'
import { GITLINK, scanWorktree, type Entry, type Scan } from './scan.ts'
import { withScratch, type Scratch } from './scratch.ts'

/** Why a file is saved; when the limits do not allow all, the later kinds are left out first. */
export const RANKS = ['changed', 'precious', 'nested', 'bulk', 'nested-unchanged', 'converted'] as const
export type Rank = (typeof RANKS)[number]

export interface Gathered {
  scan: Scan
  /** The files to save. */
  wanted: ReadonlyMap<RawPath, Rank>
  /** Submodules that are taken over file by file. */
  takenOver: ReadonlySet<RawPath>
  notes: readonly string[]
}

export interface Outer {
  scratch: Scratch
  checkout: Checkout
  deadline: Deadline
  /** The workspace within the worktree: '' or a path that ends in a slash. */
  prefix: RawPath
  /** Paths to save in any case, ignored or not. */
  extra: readonly RawPath[]
}

export async function gather({ scratch, checkout, deadline, prefix, extra }: Outer): Promise<Gathered> {
  const scan = await scanWorktree(scratch, checkout, deadline)
  const notes = [...scan.notes]
  const wanted = new Map<RawPath, Rank>()
  for (const path of [...scan.changed, ...scan.untracked]) wanted.set(path, isBulk(path) ? 'bulk' : 'changed')
  const precious = await findPrecious(checkout.top, prefix)
  notes.push(...precious.notes)
  for (const path of [...precious.paths, ...extra]) {
    if (!scan.index.has(path) && !wanted.has(path)) wanted.set(path, 'precious')
  }
  for (const path of await findConverted(scratch, checkout, scan)) wanted.set(path, 'converted')
  const inner = await gatherNested(scan, { top: checkout.top, deadline, depth: 0 })
  for (const [path, rank] of inner.wanted) wanted.set(path, rank)
  return { scan, wanted, takenOver: inner.takenOver, notes: [...notes, ...inner.notes] }
}

// Folders that programs fill, and can fill again.
const BULK = /(^|\/)(node_modules|\.venv|venv|__pycache__|target|\.cache)\//

function isBulk(path: RawPath): boolean {
  return BULK.test(path)
}

interface Inside {
  wanted: Map<RawPath, Rank>
  takenOver: Set<RawPath>
  notes: string[]
}

interface Place {
  top: string
  deadline: Deadline
  depth: number
}

const MAX_DEPTH = 8

async function gatherNested(scan: Scan, place: Place): Promise<Inside> {
  const inside: Inside = { wanted: new Map(), takenOver: new Set(), notes: [] }
  const links = [...scan.index].filter(([path, { mode }]) => mode === GITLINK && !scan.deleted.has(path))
  const found: (readonly [RawPath, Entry | undefined])[] = [...links]
  for (const path of scan.nested) found.push([path, undefined])
  if (found.length === 0) return inside
  await using folders = await Folders.open(place.top)
  for (const [path, recorded] of found) {
    const there = await kindOf(folders, path)
    if (there === 'missing') continue
    if (there !== 'folder') {
      // Git says nothing of it; what a link leads to is somebody else's.
      inside.takenOver.add(path)
      if (there === 'file') inside.wanted.set(path, 'changed')
      continue
    }
    const one = await gatherOne(path, recorded, place)
    if (one === undefined) continue
    inside.takenOver.add(path)
    for (const [inner, rank] of one.wanted) inside.wanted.set(`${path}/${inner}`, rank)
    inside.notes.push(...one.notes)
  }
  return inside
}

/** Where there is no way to it without a link, it is out of reach. */
async function kindOf(folders: Folders, path: RawPath): Promise<'folder' | 'file' | 'missing' | 'out of reach'> {
  try {
    const stats = await lstat(await folders.entry(path))
    return stats.isDirectory() ? 'folder' : 'file'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'out of reach'
  }
}

type Nested = Pick<Inside, 'wanted' | 'notes'>

/** Undefined when the outer repository's record says all there is to say. */
async function gatherOne(path: RawPath, recorded: Entry | undefined, place: Place): Promise<Nested | undefined> {
  const name = toText(path)
  if (toRaw(name) !== path) return leftOut(`${name}/ is a repository whose name is not UTF-8; it was left out.`)
  if (place.depth >= MAX_DEPTH) return leftOut(`${name}/ is nested more than ${MAX_DEPTH} deep; it was left out.`)
  const folder = join(place.top, name)
  const checkout = await repositoryAt(folder)
  if (checkout === undefined) {
    const { paths, notes } = await walkFolder(folder)
    if (paths.length === 0) return undefined
    return { wanted: new Map(paths.map((inner) => [inner, 'nested'])), notes }
  }
  const { deadline } = place
  return withScratch({ repository: checkout, worktree: folder, deadline, attributes: 'git' }, async (scratch) => {
    const scan = await scanWorktree(scratch, checkout, deadline)
    const inner = await gatherNested(scan, { ...place, top: folder, depth: place.depth + 1 })
    const isClean =
      scan.changed.size + scan.deleted.size + scan.untracked.length + scan.staged.size + inner.takenOver.size === 0
    if (isClean && recorded !== undefined && scan.head?.commit === recorded.hash) return undefined
    return { wanted: everyFile(scan, inner), notes: [...scan.notes, ...inner.notes, ...savedAsFiles(name, scan)] }
  })
}

function leftOut(note: string): Nested {
  return { wanted: new Map(), notes: [note] }
}

function everyFile(scan: Scan, inner: Inside): Map<RawPath, Rank> {
  const wanted = new Map<RawPath, Rank>()
  for (const [path, { mode }] of scan.index) {
    if (mode !== GITLINK && !scan.deleted.has(path)) wanted.set(path, 'nested-unchanged')
  }
  for (const path of [...scan.changed, ...scan.untracked]) wanted.set(path, isBulk(path) ? 'bulk' : 'nested')
  for (const [path, rank] of inner.wanted) wanted.set(path, rank)
  return wanted
}

function savedAsFiles(name: string, { head, staged }: Scan): string[] {
  const at = head === undefined ? 'has no commit' : `is at ${head.commit}`
  const apart = staged.size === 0 ? '' : '; what it had staged is not saved apart from its files'
  return [`${name}/ is a repository of its own and was saved as files; it ${at}${apart}.`]
}
