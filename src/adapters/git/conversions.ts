/**
 * Finds unchanged files whose bytes in the worktree are not the bytes that git stores (line endings, filters such as
 * LFS, $Id$, encodings). Their own bytes are saved too, so that a restore is byte-equal.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { unquote, type RawPath } from './raw-path.ts'
import { readText, type Repository } from './repository.ts'
import { lines, type Entry, type Scan } from './scan.ts'
import { writeAttributes, type Scratch } from './scratch.ts'

export async function findConverted(scratch: Scratch, repository: Repository, scan: Scan): Promise<RawPath[]> {
  if (!(await mayConvert(scratch, repository, scan))) return []
  const files = [...scan.index].filter(
    ([path, { mode }]) =>
      (mode === '100644' || mode === '100755') && !scan.changed.has(path) && !scan.deleted.has(path),
  )
  const kinds = await conversionKinds(
    scratch,
    repository,
    files.map(([path]) => path),
  )
  const byEnding = files.filter((_, at) => kinds[at] === 'ending')
  const resized = byEnding.length === 0 ? new Set<RawPath>() : await findResized(scratch, byEnding)
  return files.filter(([path], at) => kinds[at] === 'any' || resized.has(path)).map(([path]) => path)
}

async function mayConvert({ settings }: Scratch, repository: Repository, scan: Scan): Promise<boolean> {
  if (isOn(settings.get('core.autocrlf')) || settings.has('core.attributesfile')) return true
  const isAttributes = (path: RawPath) => path === '.gitattributes' || path.endsWith('/.gitattributes')
  if (scan.untracked.some(isAttributes) || [...scan.index.keys()].some(isAttributes)) return true
  const config = process.env['XDG_CONFIG_HOME'] || join(process.env['HOME'] || homedir(), '.config')
  const elsewhere = [
    join(repository.commonDir, 'info/attributes'),
    join(config, 'git/attributes'),
    '/etc/gitattributes',
  ]
  const texts = await Promise.all(elsewhere.map((file) => readText(file)))
  return texts.some((text) => text !== undefined && text.trim() !== '')
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['false', 'no', 'off', '0', ''].includes(value.toLowerCase())
}

type Kind = 'none' | 'ending' | 'any'

const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol', 'crlf'] as const

async function conversionKinds(
  scratch: Scratch,
  repository: Repository,
  paths: readonly RawPath[],
): Promise<readonly Kind[]> {
  await writeAttributes(scratch, repository, true)
  const input = paths.map((path) => `${path}\0`).join('')
  const said = (await scratch.git(['check-attr', '-z', '--stdin', ...ATTRIBUTES], { input })).split('\0')
  const autocrlf = isOn(scratch.settings.get('core.autocrlf'))
  // Three fields per attribute: path, name, value; they come in the order in which they were asked for.
  return paths.map((_, at) => {
    const value = (attribute: number) => said[(at * ATTRIBUTES.length + attribute) * 3 + 2] ?? 'unspecified'
    if (isSet(value(0)) || isSet(value(1)) || isSet(value(2))) return 'any'
    if (value(3) === 'unset') return 'none'
    return autocrlf || isSet(value(3)) || isSet(value(4)) || isSet(value(5)) ? 'ending' : 'none'
  })
}

function isSet(value: string): boolean {
  return value !== 'unspecified' && value !== 'unset'
}

/** Another line ending is another size; the index knows the size in the worktree, the object its own. */
async function findResized(scratch: Scratch, files: readonly [RawPath, Entry][]): Promise<Set<RawPath>> {
  const worktree = await worktreeSizes(scratch)
  const input = files.map(([, { hash }]) => `${hash}\n`).join('')
  const sizes = lines(await scratch.git(['cat-file', '--batch-check=%(objectsize)'], { input }))
  return new Set(files.filter(([path], at) => worktree.get(path) !== sizes[at]).map(([path]) => path))
}

async function worktreeSizes(scratch: Scratch): Promise<Map<RawPath, string>> {
  const sizes = new Map<RawPath, string>()
  let path: RawPath = ''
  for (const line of lines(await scratch.git(['ls-files', '--debug']))) {
    const size = /^ {2}size: (\d+)\t/.exec(line)?.[1]
    if (size !== undefined) sizes.set(path, size)
    else if (!/^ {2}(ctime|mtime|dev|uid): /.test(line)) path = unquote(line)
  }
  return sizes
}
