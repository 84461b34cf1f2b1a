/** What a person can do about an error of SQLite or of the file system. */

/** Result codes of SQLite, without their extension, and the codes of the file system that mean the same. */
const NOT_WRITABLE = new Set<unknown>([3, 8, 14, 'EACCES', 'EPERM', 'EROFS'])
const FAILING = new Set<unknown>([10, 'EIO'])
const FULL = new Set<unknown>([13, 'ENOSPC', 'EDQUOT'])
const DAMAGED = new Set<unknown>([11, 26])

/** Undefined when the error says nothing about the disk or the folder. */
export function diskRemedy(error: unknown, folder: string): string | undefined {
  const code = codeOf(error)
  if (NOT_WRITABLE.has(code)) {
    return `Check that you may write in ${folder} and that its disk is not read-only, then start the daemon again.`
  }
  if (FULL.has(code)) return 'Free space on its disk and start the daemon again.'
  return FAILING.has(code) ? 'Check its disk and start the daemon again.' : undefined
}

export function isDamage(error: unknown): boolean {
  return DAMAGED.has(codeOf(error))
}

function codeOf(error: unknown): unknown {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : code
}
