/** Workspaces that exist only in memory: what is committed, staged and changed in each, and what was saved of it. */
import type { AgentId } from '../../contract/ids.ts'
import type { Git, GitState, Saved } from '../../core/ports.ts'

interface Repository {
  committed: Map<string, string>
  files: Map<string, string>
  /** Counts commits, stagings and what an agent did that it calls progress. */
  changes: number
}

export class VirtualGit implements Git {
  readonly #repositories = new Map<string, Repository>()
  readonly #saved = new Map<string, ReadonlyMap<string, string>>()

  /** A repository with one commit, unless one is there. */
  init(workspace: string): void {
    if (this.#repositories.has(workspace)) return
    const files = new Map([['README.md', '# work\n']])
    this.#repositories.set(workspace, { committed: new Map(files), files, changes: 0 })
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

  async lookIn(workspace: string): Promise<GitState | undefined> {
    const repository = this.#repositories.get(workspace)
    return repository === undefined ? undefined : { stamp: `g${repository.changes}`, ageMs: 0 }
  }

  async salvage(agent: AgentId, generation: number, workspace: string): Promise<Saved> {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) return 'no_repository'
    const { committed, files } = repository
    const changed = [...files].filter(([path, text]) => committed.get(path) !== text)
    if (changed.length === 0) return 'clean'
    let n = 1
    while (this.#saved.has(refOf(agent, generation, n))) n += 1
    this.#saved.set(refOf(agent, generation, n), new Map(files))
    return { ref: refOf(agent, generation, n) }
  }

  /** The text that a snapshot holds for a path. */
  saved(ref: string, path: string): string | undefined {
    return this.#saved.get(ref)?.get(path)
  }

  #repository(workspace: string): Repository {
    const repository = this.#repositories.get(workspace)
    if (repository === undefined) throw new Error(`${workspace} is in no repository`)
    return repository
  }
}

function refOf(agent: AgentId, generation: number, n: number): string {
  return `refs/cloister/${agent}/${generation}-${n}`
}
