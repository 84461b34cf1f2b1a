/** Workspaces that exist only in memory: what is committed, staged and changed in each, and what was saved of it. */
import type { AgentId } from '../../src/contract/ids.ts'
import type {
  Git,
  GitDescription,
  GitState,
  Restored,
  RestoreRequest,
  Salvage,
  Saved,
} from '../../src/core/git-port.ts'

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

  async worktreeOf(workspace: string): Promise<string> {
    const isIn = (top: string) => workspace === top || workspace.startsWith(`${top}/`)
    return [...this.#repositories.keys()].filter(isIn).toSorted().at(-1) ?? workspace
  }

  async lookIn(workspace: string): Promise<GitState | undefined> {
    const repository = this.#repositories.get(workspace)
    return repository === undefined ? undefined : lookOf(repository)
  }

  async salvage(agent: AgentId, generation: number, workspace: string): Promise<Saved> {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) return 'no_repository'
    const { committed, files } = repository
    const changed = [...files].filter(([path, text]) => committed.get(path) !== text)
    if (changed.length === 0) return 'clean'
    let n = 1
    while (this.#saved.has(refOf(agent, generation, n))) n += 1
    const about = { agent, generation, savedWallAt: 0, files: changed.length, commit: '', branch: 'main', notes: [] }
    this.#saved.set(refOf(agent, generation, n), { about, files: new Map(files), changed: new Map(changed), workspace })
    return { ref: refOf(agent, generation, n) }
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
    const first = lost.length === 0 ? 'clean' : await this.salvage(agent, generation, workspace)
    for (const [path, text] of others) files.set(path, text)
    const written = others.map(([path]) => path)
    return { written, same, refused, deleted: [], ...(typeof first === 'object' ? { savedFirst: first.ref } : {}) }
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

function refOf(agent: AgentId, generation: number, n: number): string {
  return `refs/cloister/${agent}/${generation}-${n}`
}
