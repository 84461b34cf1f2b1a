/** Real repositories in a temporary home of their own, and exact pictures of what lies in them. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export class Repo {
  static readonly #made: Repo[] = []

  readonly base: string
  readonly top: string

  private constructor(base: string, top: string) {
    this.base = base
    this.top = top
  }

  /** A repository with one commit: a.txt, src/b.txt, run.sh. Nothing of the user's own settings counts in it. */
  static make(options: { commit?: boolean; init?: readonly string[] } = {}): Repo {
    const base = mkdtempSync(join(tmpdir(), 'cloister-repo-'))
    const repo = new Repo(base, join(base, 'work'))
    Repo.#made.push(repo)
    mkdirSync(repo.top)
    process.env['HOME'] = base
    process.env['GIT_CONFIG_SYSTEM'] = '/dev/null'
    delete process.env['XDG_CONFIG_HOME']
    repo.git('init', '--quiet', '--initial-branch=main', ...(options.init ?? []))
    if (options.commit !== false) {
      repo.write({ 'a.txt': 'one\n', 'src/b.txt': 'two\n', 'run.sh': '#!/bin/sh\n' })
      chmodSync(repo.path('run.sh'), 0o755)
      repo.commit('first')
    }
    return repo
  }

  /** The same repository's view of another folder: a submodule, a nested repository, a linked worktree. */
  at(folder: string): Repo {
    return new Repo(this.base, join(this.top, folder))
  }

  path(name: string): string {
    return join(this.top, name)
  }

  write(files: Record<string, string | Buffer>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true })
      writeFileSync(this.path(name), content)
    }
  }

  link(target: string, name: string): void {
    symlinkSync(target, this.path(name))
  }

  commit(message: string): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '--message', message)
  }

  /** Throws when git fails. */
  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.top, env: gitEnv(this.base), encoding: 'utf8', stdio: 'pipe' })
  }

  /** Git that may fail, such as a merge with conflicts. */
  tryGit(...args: readonly string[]): void {
    try {
      this.git(...args)
    } catch {
      // The state that it leaves is what is wanted.
    }
  }

  gitDir(): string {
    return this.git('rev-parse', '--absolute-git-dir').trim()
  }

  /** Everything a salvage must leave as it is. */
  picture() {
    const gitDir = this.gitDir()
    const common = this.git('rev-parse', '--path-format=absolute', '--git-common-dir').trim()
    return {
      worktree: pictureOf(this.top, { times: true, git: false }),
      refs: this.git('for-each-ref')
        .split('\n')
        .filter((line) => !line.includes('refs/cloister/')),
      gitFolder: pictureOf(gitDir, { times: true, git: true }).filter((line) => !isOurs(line)),
      commonFolder: pictureOf(common, { times: true, git: true }).filter((line) => !isOurs(line)),
    }
  }

  /** Also those whose making failed halfway. */
  static removeAll(): void {
    for (const repo of Repo.#made.splice(0)) {
      // A test may have taken the right to write away.
      execFileSync('chmod', ['-R', 'u+rwX', repo.base])
      rmSync(repo.base, { recursive: true, force: true })
    }
  }
}

/** One line per file: path, mode, size, content; with times also when it was changed. */
export function pictureOf(folder: string, options: { times: boolean; git: boolean }): string[] {
  if (!existsSync(folder)) return []
  const found: string[] = []
  const walk = (at: Buffer) => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      if (!options.git && name.toString() === '.git') continue
      const path = Buffer.concat([at, Buffer.from('/'), name])
      const stats = lstatSync(path, { bigint: true })
      if (stats.isDirectory()) walk(path)
      else {
        const content = stats.isSymbolicLink()
          ? readlinkSync(path, { encoding: 'buffer' })
          : readIfFile(path, stats.isFile())
        const kind = stats.isSymbolicLink() ? 'link' : (stats.mode & 0o100n) === 0n ? 'file' : 'program'
        const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
        const time = options.times ? ` ${stats.mtimeNs} ${stats.ino}` : ''
        found.push(`${path.toString('latin1').slice(folder.length + 1)} ${kind} ${content.length} ${hash}${time}`)
      }
    }
  }
  walk(Buffer.from(folder))
  return found.toSorted()
}

function readIfFile(path: Buffer, isFile: boolean): Buffer {
  return isFile ? readFileSync(path) : Buffer.alloc(0)
}

/** New objects, and the refs and their logs under refs/cloister, are all that a salvage may add. */
function isOurs(line: string): boolean {
  return /^(objects\/|(logs\/)?refs\/cloister\/|modules\/.*\/objects\/)/.test(line)
}

export function gitEnv(base: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: base,
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@localhost',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@localhost',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
  }
}
