/**
 * Keeps a worktree inside the main checkout out of its `git status` and `git add`: by `info/exclude`, which nobody
 * commits, and only where nothing ignores it yet.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { GitCall } from './git-command.ts'
import { readText } from './repository.ts'

export interface Exclusion {
  file: string
  line: string
}

/** `path` begins at the root, where git is called. Undefined when nothing had to be added. */
export async function exclude(git: GitCall, path: string, file: string): Promise<Exclusion | undefined> {
  const ignored = await git(['check-ignore', '--no-index', `${path}/`], { codes: [1] })
  if (ignored !== '') return undefined
  // One line for all issues.
  const line = `/${path.replace(/feature-[^/]*$/, 'feature-*')}/`
  const text = (await readText(file)) ?? ''
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
  return { file, line }
}

export async function unexclude({ file, line }: Exclusion): Promise<void> {
  const text = (await readText(file)) ?? ''
  const lines = text.split('\n')
  const index = lines.lastIndexOf(line)
  if (index >= 0) await writeFile(file, lines.toSpliced(index, 1).join('\n'))
}
