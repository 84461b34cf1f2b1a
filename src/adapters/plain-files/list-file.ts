/** What a snapshot of plain files says of itself: `list.json` beside its folder `files`. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { agentId, generation, salvageRef, type AgentId } from '../../contract/ids.ts'
import type { Salvage } from '../../core/git-port.ts'
import { toRaw, toText, type RawName } from './raw-name.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const safePath = z.string().refine((path) => !path.split('/').some((part) => ['', '.', '..'].includes(part)))

const savedFile = z.object({
  path: safePath,
  /** The bytes of a name that is no UTF-8, one character per byte. */
  raw: safePath.optional(),
  bytes: z.number().nonnegative(),
  mode: z.int().min(0).max(0o777),
  sha256,
  /** Where a link leads; the sum is of that. */
  link: z.literal(true).optional(),
})
export type SavedFile = z.infer<typeof savedFile>

const listFile = z.object({
  version: z.literal(1),
  agent: agentId,
  generation,
  savedWallAt: z.number(),
  workspace: z.string(),
  bytes: z.number().nonnegative(),
  files: z.array(savedFile),
  /** The first of them, and how many there are. */
  leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
  leftOutTotal: z.int().nonnegative(),
  /** What may be work is not in it, and why. */
  incomplete: z.string().optional(),
  /** Only what a restore was about to replace. */
  replaced: z.literal(true).optional(),
})
export type ListFile = z.infer<typeof listFile>

export interface PlainSnapshot extends Salvage {
  list: ListFile
  folder: string
}

export function namesOf(path: RawName): Pick<SavedFile, 'path' | 'raw'> {
  const text = toText(path)
  return toRaw(text) === path ? { path: text } : { path: text, raw: path }
}

export function rawOf({ path, raw }: SavedFile): RawName {
  return raw ?? toRaw(path)
}

/** Two lists hold the same when this is the same. */
export function contentOf(list: ListFile): string {
  const { workspace, files } = listFile.parse(list)
  return JSON.stringify([workspace, files])
}

export async function writeList(folder: string, list: ListFile): Promise<void> {
  await writeFile(join(folder, 'list.json'), `${JSON.stringify(list, undefined, 1)}\n`, { mode: 0o600, flag: 'wx' })
}

/** Oldest first. What is no snapshot, or was never finished, is passed over. */
export async function listPlain(home: string, agent: AgentId): Promise<PlainSnapshot[]> {
  const names = await readdir(join(home, 'salvage', agent)).catch(() => [])
  const refs = names.filter((name) => NAME.test(name)).map((name) => `salvage/${agent}/${name}`)
  const found = await Promise.all(refs.map((ref) => readPlain(home, ref).catch(() => undefined)))
  return found
    .filter((one) => one !== undefined)
    .toSorted((a, b) => a.savedWallAt - b.savedWallAt || numberIn(a.ref) - numberIn(b.ref))
}

const NAME = /^\d{1,9}-\d{1,9}$/

export function numberIn(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? 0)
}

export function isPlain(ref: string): boolean {
  return ref.startsWith('salvage/')
}

export async function readPlain(home: string, ref: string): Promise<PlainSnapshot> {
  const folder = join(home, salvageRef.parse(ref))
  let text
  try {
    text = await readFile(join(folder, 'list.json'), 'utf8')
  } catch (error) {
    throw new Error(`There is no snapshot ${ref} in ${home}.`, { cause: error })
  }
  const list = listFile.parse(JSON.parse(text))
  const { agent, generation: of, savedWallAt, files, replaced } = list
  return {
    ref,
    agent,
    generation: of,
    savedWallAt,
    files: files.length,
    branch: undefined,
    ...(replaced === undefined ? {} : { replaced }),
    notes: notesOn(list),
    list,
    folder,
  }
}

const NAMED = 40

function notesOn({ leftOut, leftOutTotal, incomplete, replaced }: ListFile): string[] {
  if (replaced === true) return ['It holds only the files that a restore replaced.']
  const named = leftOut.slice(0, NAMED).map(({ path, why }) => `${path} was left out: ${why}.`)
  const notes = incomplete === undefined ? named : [`It is incomplete: ${incomplete}.`, ...named]
  const more = leftOutTotal - named.length
  return more > 0
    ? [...notes, `${more} more ${more === 1 ? 'was' : 'were'} left out; list.json names the first 1,000.`]
    : notes
}
