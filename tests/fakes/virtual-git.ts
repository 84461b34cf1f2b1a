/** Workspaces that exist only in memory: what is committed, staged and changed in each, and what was saved of it. */
import type { UnusableRepository } from '../../src/contract/evidence.ts'
import type { DiffStat } from '../../src/contract/finished.ts'
import type { AgentId } from '../../src/contract/ids.ts'
import type {
  Found,
  Git,
  GitDescription,
  GitState,
  OwnRepository,
  Restored,
  RestoreRequest,
  Salvage,
  SalvageRequest,
  Saved,
} from '../../src/core/git-port.ts'

type Where = Parameters<Git['unusable']>[0]

interface Repository {
  committed: Map<string, string>
  files: Map<string, string>
  /** Counts commits, stagings and what an agent did that it calls progress. */
  changes: number
  conflicts: string[]
}

interface Snapshot {
  about: Omit<Salvage, 'ref'>
  workspace: string
  files: ReadonlyMap<string, string>
  /** What was not committed. */
  changed: ReadonlyMap<string, string>
}

export class VirtualGit implements Git {
  readonly #repositories = new Map<string, Repository>()
  readonly #saved = new Map<string, Snapshot>()
  /** Workspaces that are not there any more, and those whose repository cannot be used: plain files are saved of them. */
  readonly gone = new Set<string>()
  readonly broken = new Set<string>()
  /** Workspaces with too many files to save all of them plainly, and those in whose place a link is. */
  readonly overfull = new Set<string>()
  readonly linked = new Set<string>()

  /** A repository with one commit, unless one is there. */
  init(workspace: string): void {
    if (this.#repositories.has(workspace)) return
    const files = new Map([['README.md', '# work\n']])
    this.#repositories.set(workspace, { committed: new Map(files), files, changes: 0, conflicts: [] })
  }

  edit(workspace: string, path: string, text: string): void {
    this.#repository(workspace).files.set(path, text)
  }

  /** The index is not simulated, only that it changed. */
  stage(workspace: string): void {
    this.#repository(workspace).changes += 1
  }

  commit(workspace: string): void {
    const repository = this.#repository(workspace)
    repository.committed = new Map(repository.files)
    repository.changes += 1
  }

  /** A merge waits for somebody; none: it is over. */
  conflict(workspace: string, files: readonly string[]): void {
    this.#repository(workspace).conflicts = [...files]
  }

  async find(workspace: string): Promise<Found> {
    const place = this.gone.has(workspace) ? {} : { place: workspace }
    const isIn = (top: string) => workspace === top || workspace.startsWith(`${top}/`)
    const top = [...this.#repositories.keys()].filter(isIn).toSorted().at(-1)
    if (top === undefined || this.broken.has(top)) return { repository: 'none', ...place }
    const gitDir = `${top}/.git`
    return { repository: { top, gitDir, commonDir: gitDir, owner: 1000 }, ...place }
  }

  async isGone(workspace: string): Promise<boolean> {
    return this.gone.has(workspace)
  }

  /** All workspaces lie in the repository of a person. */
  async unusable({ workspace, own }: Where): Promise<UnusableRepository | undefined> {
    if (this.linked.has(workspace)) return { why: `${workspace} leads out of its repository ${workspace}` }
    if (own === undefined || own === 'none' || !this.broken.has(workspace)) return undefined
    return { why: `${workspace}/.git is no repository any more`, instead: '/workspaces' }
  }

  async lookIn(workspace: string, own?: OwnRepository): Promise<GitState | undefined> {
    if (own === 'none' || [this.broken, this.gone, this.linked].some((set) => set.has(workspace))) return undefined
    const repository = this.#repositories.get(workspace)
    return repository === undefined ? undefined : lookOf(repository)
  }

  async salvage({ agent, generation, workspace, own, since, replaced }: SalvageRequest): Promise<Saved> {
    if (this.gone.has(workspace)) return 'gone'
    if (this.linked.has(workspace)) return { gone: `${workspace} is a link to /home now` }
    const repository = this.#repositories.get(workspace)
    if (repository === undefined || own === 'none') return 'no_repository'
    const { committed, files } = repository
    const isBroken = this.broken.has(workspace)
    const changed = new Map([...files].filter(([path, text]) => isBroken || committed.get(path) !== text))
    if (changed.size === 0) return 'clean'
    const missing = this.overfull.has(workspace) ? { incomplete: 'the snapshot is full' } : {}
    const plain = isBroken ? { plain: `${workspace}/.git is no repository any more`, ...missing } : {}
    const before = this.#saved.get(since ?? '')
    if (since !== undefined && before !== undefined && isSame(before.changed, changed)) return { ref: since, ...plain }
    const refOf = (n: number) => `${isBroken ? 'salvage' : 'refs/cloister'}/${agent}/${generation}-${n}`
    let n = 1
    while (this.#saved.has(refOf(n))) n += 1
    const about = { agent, generation, savedWallAt: 0, files: changed.size, commit: '', branch: 'main', notes: [] }
    const mark = replaced === undefined ? {} : { replaced }
    this.#saved.set(refOf(n), { about: { ...about, ...mark }, files: new Map(files), changed, workspace })
    return { ref: refOf(n), ...plain }
  }

  async describe(workspace: string): Promise<GitDescription | undefined> {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) return undefined
    const { committed, files, changes } = repository
    const dirty = [...files].filter(([path, text]) => committed.get(path) !== text).map(([path]) => path)
    return {
      branch: 'main',
      head: { hash: String(changes).padStart(40, '0'), subject: 'work', committedWallAt: 0 },
      dirty: dirty.map((path) => ({ path, state: committed.has(path) ? 'modified' : 'untracked', staged: false })),
      dirtyTotal: dirty.length,
      upstream: undefined,
    }
  }

  async diffStat(workspace: string): Promise<DiffStat | undefined> {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) return undefined
    const { committed, files } = repository
    const changed = [...files].filter(([path, text]) => committed.get(path) !== text)
    const lines = (text = '') => text.split('\n').length - 1
    return {
      files: changed.length,
      added: changed.reduce((sum, [, text]) => sum + lines(text), 0),
      removed: changed.reduce((sum, [path]) => sum + lines(committed.get(path)), 0),
      commits: 0,
    }
  }

  async salvages(agent: AgentId, workspace: string): Promise<readonly Salvage[]> {
    return [...this.#saved]
      .filter(([, saved]) => saved.about.agent === agent && saved.workspace === workspace)
      .map(([ref, { about }]) => ({ ref, ...about }))
  }

  async restore({ workspace, ref, paths, force }: RestoreRequest): Promise<Restored> {
    const { committed, files } = this.#repository(workspace)
    const saved = this.#saved.get(ref)
    if (saved === undefined) throw new Error(`There is no snapshot ${ref} in ${workspace}.`)
    const wanted = [...saved.changed].filter(([path]) => paths === undefined || paths.includes(path))
    const same = wanted.filter(([path, text]) => files.get(path) === text).map(([path]) => path)
    const others = wanted.filter(([path]) => !same.includes(path))
    const lost = others.filter(([path]) => files.has(path) && files.get(path) !== committed.get(path))
    const why = 'the file there has other content that is not committed'
    const refused = force ? [] : lost.map(([path]) => ({ path, why }))
    if (refused.length > 0) return { written: [], same, refused, deleted: [] }
    const { agent, generation } = saved.about
    const first = lost.length === 0 ? 'clean' : await this.salvage({ agent, generation, workspace, replaced: true })
    for (const [path, text] of others) files.set(path, text)
    const written = others.map(([path]) => path)
    return {
      written,
      same,
      refused,
      deleted: [],
      ...(typeof first === 'object' && 'ref' in first ? { savedFirst: first.ref } : {}),
    }
  }

  /** The text that a snapshot holds for a path. */
  saved(ref: string, path: string): string | undefined {
    return this.#saved.get(ref)?.files.get(path)
  }

  #repository(workspace: string): Repository {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) throw new Error(`${workspace} is in no repository`)
    return repository
  }
}

function lookOf({ changes, conflicts }: Repository): GitState {
  return { stamp: `g${changes}`, ageMs: 0, branch: 'main', conflicts: [...conflicts] }
}

function isSame(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return before.size === now.size && [...now].every(([path, text]) => before.get(path) === text)
}
