/**
 * A git folder of our own beside the real one: its own index and settings, the real objects. Git looks at the worktree
 * through it, so that the real index, its locks, the repository's filters and its programs are never touched.
 */
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitCall, repositoryCall, type Deadline, type GitCall } from './git-command.ts'
import { readText, type Repository } from './repository.ts'

export interface Scratch {
  folder: string
  git: GitCall
  /** The same git with an index that is empty at first. */
  withIndex: (name: string) => GitCall
  settings: ReadonlyMap<string, string>
}

export interface ScratchPlan {
  repository: Repository
  /** The folder that git shall take for the worktree. */
  worktree: string
  deadline: Deadline
  /** `git` compares with a copy of the index as the repository would, without filter programs; `raw` converts nothing. */
  attributes: 'git' | 'raw'
}

export async function withScratch<T>(plan: ScratchPlan, use: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cloister-git-'))
  try {
    return await use(await makeScratch(folder, plan))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The repository's own attributes; the last line keeps its filter programs from running. */
export async function writeAttributes(scratch: { folder: string }, repository: Repository, filters: boolean) {
  const own = (await readText(join(repository.commonDir, 'info/attributes'))) ?? ''
  await writeFile(join(scratch.folder, 'info/attributes'), filters ? own : `${own}\n* !filter\n`)
}

async function makeScratch(folder: string, plan: ScratchPlan): Promise<Scratch> {
  const { repository, worktree, deadline } = plan
  const settings = await readSettings(repository, deadline)
  for (const name of ['refs', 'objects', 'info']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(folder, 'config'), configText(settings, plan.attributes))
  await writeFile(join(folder, 'info/exclude'), (await readText(join(repository.commonDir, 'info/exclude'))) ?? '')
  if (plan.attributes === 'git') await writeAttributes({ folder }, repository, false)
  else await writeFile(join(folder, 'info/attributes'), '* -text !eol !crlf !ident !filter !working-tree-encoding\n')
  if (plan.attributes === 'git') await copyIndex(repository.gitDir, folder)
  const env = {
    GIT_DIR: folder,
    GIT_WORK_TREE: worktree,
    GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
  }
  const git = gitCall(env, worktree, deadline)
  return {
    folder,
    git,
    withIndex: (name) => gitCall({ ...env, GIT_INDEX_FILE: join(folder, name) }, worktree, deadline),
    settings,
  }
}

async function readSettings(repository: Repository, deadline: Deadline): Promise<Map<string, string>> {
  const listed = await repositoryCall(repository, deadline)(['config', '--includes', '--null', '--list'])
  const settings = new Map<string, string>()
  for (const item of listed.split('\0')) {
    const end = item.indexOf('\n')
    // A key without a value means true.
    if (item !== '') settings.set(end < 0 ? item : item.slice(0, end), end < 0 ? 'true' : item.slice(end + 1))
  }
  return settings
}

const TAKEN_OVER = ['core.filemode', 'core.ignorecase', 'core.symlinks', 'core.excludesfile', 'core.attributesfile']
const CONVERSIONS = ['core.autocrlf', 'core.eol']

function configText(settings: ReadonlyMap<string, string>, attributes: ScratchPlan['attributes']): string {
  const keys = attributes === 'git' ? [...TAKEN_OVER, ...CONVERSIONS] : TAKEN_OVER
  const taken = keys.flatMap((key) => {
    const value = settings.get(key)
    return value === undefined ? [] : [`\t${key.slice('core.'.length)} = ${JSON.stringify(value)}`]
  })
  const format = settings.get('extensions.objectformat')
  return [
    '[core]',
    '\trepositoryformatversion = 1',
    '\tbare = false',
    '\tsafecrlf = false',
    '\tuntrackedcache = false',
    '\tsplitindex = false',
    '\tfsmonitor = false',
    // A worktree here may hold names that another system could not.
    '\tprotectntfs = false',
    '\tprotecthfs = false',
    ...(attributes === 'raw' ? ['\tautocrlf = false'] : []),
    ...taken,
    '[gc]',
    '\tauto = 0',
    ...(format === undefined ? [] : ['[extensions]', `\tobjectformat = ${format}`]),
    '',
  ].join('\n')
}

async function copyIndex(gitDir: string, folder: string): Promise<void> {
  try {
    await copyFile(join(gitDir, 'index'), join(folder, 'index'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return
  }
  // A split index keeps most of its entries in a second file, whose time git moves when it is used.
  for (const name of await readdir(gitDir)) {
    if (name.startsWith('sharedindex.')) await copyFile(join(gitDir, name), join(folder, name))
  }
}
