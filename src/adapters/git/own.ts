/**
 * The repository of a workspace: the one that it is known to lie in, exactly as it was when that was found out, or none.
 * The folders around it are never searched for another one.
 */
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { UnusableRepository } from '../../contract/evidence.ts'
import type { Found, OwnRepository } from '../../core/git-port.ts'
import { findRepository, repositoryAt, type Checkout, type Repository } from './repository.ts'

export interface Where {
  /** A folder of the repository. */
  workspace: string
  own?: OwnRepository | undefined
  /** The real path that the workspace had. */
  place?: string | undefined
}

/** Why its own repository cannot be used. */
export interface Unusable {
  unusable: string
}

/** Undefined where there never was one. */
export async function ownCheckout({
  workspace,
  own,
  place = workspace,
}: Where): Promise<Checkout | Unusable | undefined> {
  if (own === 'none') return undefined
  if (own === undefined) {
    const found = await findRepository(workspace)
    return found?.top === undefined ? undefined : { ...found, top: found.top }
  }
  const dotGit = join(own.top, '.git')
  const found = await repositoryAt(own.top)
  if (found === undefined) return { unusable: `${dotGit} is no repository any more` }
  const isSame =
    (own.gitDir === undefined || own.gitDir === (await real(found.gitDir))) &&
    (own.commonDir === undefined || own.commonDir === (await real(found.commonDir)))
  if (!isSame) return { unusable: `${dotGit} leads to another repository than when the agent was started` }
  const owner = await ownerOf(found.commonDir)
  if (own.owner !== undefined && own.owner !== owner) {
    const now = owner === undefined ? 'cannot be looked at' : `belongs to user ${owner} now`
    return { unusable: `${dotGit} ${now}, and belonged to user ${own.owner} when the agent was started` }
  }
  return isWithin(await real(place), own.top)
    ? found
    : { unusable: `${workspace} leads out of its repository ${own.top}` }
}

async function ownerOf(folder: string): Promise<number | undefined> {
  return stat(folder).then(
    ({ uid }) => uid,
    () => undefined,
  )
}

/**
 * With the repository that a commit there would land in. Git goes on to the folders around only where `.git` is not there
 * or is a folder that is no repository; a file that leads nowhere ends its search.
 */
export async function unusableOwn(where: Where): Promise<UnusableRepository | undefined> {
  const { workspace, own, place } = where
  const found = await ownCheckout(where)
  const moved = place === undefined ? undefined : await movedTo(place)
  if (own === undefined || own === 'none') return moved === undefined ? undefined : { why: moved.slice(0, LONGEST) }
  if (found === undefined || !('unusable' in found)) return undefined
  const other = (await repositoryAt(own.top)) ?? (await around(own.top))
  const isOutside = !isWithin(await real(workspace), own.top)
  const instead = isOutside ? await findRepository(workspace) : other
  const lands = instead && landsIn(await real(instead.commonDir))
  return { why: found.unusable.slice(0, LONGEST), ...(lands === undefined ? {} : { instead: lands.slice(0, LONGEST) }) }
}

const LONGEST = 1000

/** What is not there, or cannot be looked at, did not move. */
async function movedTo(place: string): Promise<string | undefined> {
  const now = await real(place)
  return now === place ? undefined : `${place} leads to ${now} now, and was a folder when the agent was started`
}

async function around(top: string): Promise<Repository | undefined> {
  const dotGit = await lstat(join(top, '.git')).catch(() => undefined)
  return dotGit === undefined || dotGit.isDirectory() ? findRepository(dirname(top)) : undefined
}

/** A `.git` that leads elsewhere has its folder in common with what is meant. */
function landsIn(commonDir: string): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
}

function isWithin(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(top + sep)
}

/** To read refs and objects from: also that of a worktree which is gone or broken, as long as the shared part is there. */
export async function ownRefs(where: Where): Promise<Repository | undefined> {
  const { own } = where
  if (own === undefined) return findRepository(where.workspace)
  const found = await ownCheckout(where)
  if (found === undefined || !('unusable' in found)) return found
  const commonDir = own === 'none' ? undefined : own.commonDir
  if (commonDir === undefined || !(await isThere(join(commonDir, 'objects')))) return undefined
  return { gitDir: commonDir, commonDir, top: undefined }
}

/** By real paths, so that a link in its place is noticed; with the user to whom it belongs. */
export async function identify(workspace: string): Promise<Found> {
  const place = await realpath(workspace).catch(() => undefined)
  const at = place === undefined ? {} : { place }
  const found = await findRepository(place ?? workspace)
  if (found?.top === undefined) return { repository: 'none', ...at }
  const [gitDir, commonDir] = [await real(found.gitDir), await real(found.commonDir)]
  return { repository: { top: found.top, gitDir, commonDir, owner: (await stat(commonDir)).uid }, ...at }
}

/** Only what verifiably is not there counts as gone. */
export async function isGone(folder: string): Promise<boolean> {
  try {
    await stat(folder)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
