/** How `pan restore` words what it found and what it did. */
import type { Restored } from '../../adapters/git/restore-salvage.ts'
import type { ShownSalvage, Snapshot } from '../../adapters/git/snapshots.ts'
import type { PlainSnapshot } from '../../adapters/plain-files/list-file.ts'

const MAX_LINES = 200

export function listLines(agent: string, workspace: string, found: readonly (Snapshot | PlainSnapshot)[]): string[] {
  if (found.length === 0) {
    return [`No work of ${agent} was salvaged in ${workspace}: there was nothing uncommitted, or it was never stopped.`]
  }
  const lines = found.map(
    ({ ref, savedWallAt, generation, files, branch, replaced }) =>
      `${shortRef(ref).padEnd(8)}  ${time(savedWallAt)}  generation ${generation}  ${count(files, 'file')}` +
      `${branch === undefined ? '' : `  on ${shown(branch)}`}${isPlain(ref) ? '  plain files' : ''}` +
      `${replaced === true ? '  what a restore replaced' : ''}`,
  )
  const newest = newestWork(found)
  if (newest === undefined) return lines
  return [
    ...lines,
    '',
    `See what it holds:    pan restore ${agent} --show ${shortRef(newest.ref)}`,
    `Bring it back:        pan restore ${agent} --ref ${shortRef(newest.ref)}`,
    `As a separate copy:   pan restore ${agent} --ref ${shortRef(newest.ref)} --into <folder>`,
  ]
}

/** What a restore replaced is no newer work: the same command would undo itself. */
export function newestWork<T extends { replaced?: true }>(found: readonly T[]): T | undefined {
  return found.findLast(({ replaced }) => replaced === undefined)
}

export function shownLines({ ref, commit, savedWallAt, about, changes }: ShownSalvage): string[] {
  const lines = changes.map(({ path, status, bytes }) => {
    const size = status === 'deleted' ? '' : `${bytes} bytes`
    return `  ${status.padEnd(12)}  ${size.padStart(16)}  ${shown(path)}`
  })
  return [
    `${ref} (${commit})`,
    `Saved ${time(savedWallAt)}, generation ${about.generation}, from ${shown(about.workspace)}`,
    about.base === undefined ? 'Based on no commit' : `Based on ${about.base}${onBranch(about.branch)}`,
    ...(about.replaced === undefined ? [] : ['Saved before a restore replaced it']),
    ...(about.staged === undefined ? [] : [`Staged with other content: git show ${about.staged}`]),
    '',
    ...lines.slice(0, MAX_LINES),
    ...(lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more; --json shows all`] : []),
    ...noteLines(about.notes),
  ]
}

export function plainLines({ ref, savedWallAt, list, folder, notes }: PlainSnapshot): string[] {
  const lines = list.files.map(({ path, bytes }) => `  ${`${bytes} bytes`.padStart(16)}  ${shown(path)}`)
  return [
    `${ref} (${folder})`,
    `Saved ${time(savedWallAt)}, generation ${list.generation}, from ${shown(list.workspace)}`,
    'Plain files, without git',
    '',
    ...lines.slice(0, MAX_LINES),
    ...(lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more; --json shows all`] : []),
    ...noteLines(notes),
  ]
}

export function restoredLines(ref: string, restored: Restored): string[] {
  const { folder, written, same, refused, deleted, notDeleted, verified, savedFirst, submodules } = restored
  if (refused.length > 0) {
    return [
      `Nothing was written to ${folder}: ${count(refused.length, 'file')} would be lost.`,
      ...refused.slice(0, MAX_LINES).map(({ path, why }) => `  ${shown(path)}: ${why}`),
      'Commit or move them, choose others with --paths, write a copy elsewhere with --into <folder>, or add --force',
      '(what force replaces is salvaged first).',
    ]
  }
  return [
    ...written.slice(0, MAX_LINES).map((path) => `  wrote    ${shown(path)}`),
    ...(written.length > MAX_LINES ? [`  and ${written.length - MAX_LINES} more`] : []),
    ...deleted.map((path) => `  deleted  ${shown(path)}`),
    `Brought back from ${shortRef(ref)} into ${folder}: ${count(written.length, 'file')} written, ${same.length} already there.`,
    `${verified === 1 ? 'The 1 file was' : `All ${verified} files were`} compared with the snapshot: byte-equal.`,
    ...(savedFirst === undefined ? [] : [`What was replaced or deleted is saved in ${savedFirst}.`]),
    ...(notDeleted.length === 0
      ? []
      : [`Deleted in the snapshot, but left here (--force deletes them): ${notDeleted.map(shown).join(', ')}`]),
    ...(submodules.length === 0
      ? []
      : [
          `Submodules without changes are only named: ${submodules.map(shown).join(', ')} (git submodule update --init)`,
        ]),
    ...noteLines(restored.notes),
  ]
}

export function snapshotJson({ ref, commit, agent, generation, savedWallAt, files, about }: Snapshot) {
  const { workspace, branch, base, staged, takenOver, notes, replaced } = about
  return {
    ref,
    commit,
    agent,
    generation,
    savedAt: time(savedWallAt),
    files,
    workspace,
    branch: branch ?? null,
    base: base ?? null,
    staged: staged ?? null,
    takenOver,
    ...(replaced === undefined ? {} : { replaced }),
    notes,
  }
}

export function plainJson({ ref, agent, generation, savedWallAt, files, folder, list, notes }: PlainSnapshot) {
  const { workspace, bytes, leftOutTotal, replaced } = list
  const of = { ref, agent, generation, savedAt: time(savedWallAt), files, workspace, folder, bytes, leftOutTotal }
  return { ...of, ...(replaced === undefined ? {} : { replaced }), notes }
}

function noteLines(notes: readonly string[]): string[] {
  return notes.length === 0 ? [] : ['', 'Mind:', ...notes.map((note) => `  ${shown(note)}`)]
}

function onBranch(branch: string | undefined): string {
  return branch === undefined ? ', detached' : ` on ${shown(branch)}`
}

function isPlain(ref: string): boolean {
  return ref.startsWith('salvage/')
}

/** Plain files are counted apart from refs, so that their whole name is needed. */
function shortRef(ref: string): string {
  if (isPlain(ref)) return ref
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function time(wallAt: number): string {
  return new Date(wallAt).toISOString()
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

/** A name can hold anything, even what a terminal would obey. */
function shown(text: string): string {
  return /\p{Cc}/u.test(text) ? JSON.stringify(text).replaceAll(/[\u007f-\u009f]/g, escaped) : text
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
