/**
 * Which tests the changed files reach: by imports that are there at run time, and by a file's path where a test names
 * it (a program it starts, a document it reads). What a started program is made of is not followed, else nearly every
 * change would reach every test that starts the daemon: those are counted, and left to ./test.
 */
import { execFileSync } from 'node:child_process'
import { dirname, posix } from 'node:path'
import { readSourceTree, textOf, type Source, type SourceTree } from '../rules/source-tree.ts'

export interface Reached {
  tests: string[]
  /** What a person should know of it. */
  said: string[]
}

const TEST = /\.test\.tsx?$/
/** What each test stands on. */
const GROUND = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|test|\.ci\/run)$/

export function changedTests(root: string, since: string): Reached {
  return reached(readSourceTree(root), changedFiles(root, since))
}

/** Changed since that commit, or new and not ignored. */
function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', '--relative', since, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

export function reached(tree: SourceTree, changed: readonly string[]): Reached {
  const users = usersOf(tree)
  const isNamed = (path: string) => users.byPath.has(path)
  const touched = closure(changed, users.byImport)
  const named = [...changed, ...neighbours(tree, changed)].flatMap((path) => [...(users.byPath.get(path) ?? [])])
  const all = new Set([...touched, ...closure(named, users.byImport), ...neighbours(tree, changed)])
  const tests = [...all].filter((path) => TEST.test(path)).toSorted()
  const programs = [...touched].filter((path) => isNamed(path) && !changed.includes(path))
  const started = closure(
    programs.flatMap((path) => [...(users.byPath.get(path) ?? [])]),
    users.byImport,
  )
  const left = [...started].filter((path) => TEST.test(path) && !all.has(path))
  const ground = changed.filter((path) => GROUND.test(path))
  return {
    tests,
    said: [
      `${many(changed.length, 'changed file')} → ${many(tests.length, 'test file')}`,
      ...(left.length > 0
        ? [`not run: ${many(left.length, 'test file')} that start a program with a changed part; ./test runs them`]
        : []),
      ...(ground.length > 0 ? [`${ground.join(', ')} may reach every test; ./test runs them`] : []),
    ],
  }
}

interface Users {
  byImport: Map<string, Set<string>>
  byPath: Map<string, Set<string>>
}

function usersOf({ sources, paths }: SourceTree): Users {
  const [byImport, byPath] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const known = new Set(paths)
  for (const source of sources) {
    for (const { target, typeOnly } of source.imports)
      if (target !== undefined && !typeOnly) add(byImport, target, source.path)
    for (const path of namedIn(source)) if (known.has(path)) add(byPath, path, source.path)
  }
  return { byImport, byPath }
}

/** Texts that are a path from here; what is built is known by its source. */
function namedIn({ path, nodes, imports }: Source): string[] {
  const imported = new Set(imports.map(({ specifier }) => specifier))
  const texts = nodes
    .flatMap((node) => textOf(node) ?? [])
    .filter((text) => /^\.\.?\//.test(text) && !imported.has(text))
  return texts.map((text) => posix.join(dirname(path), text).replace(/^dist\/(.*)\.js$/, 'src/$1.ts'))
}

/** A file that nobody imports, such as a night or a fixture, belongs to the tests of the nearest folder that has some. */
function neighbours({ sources }: SourceTree, changed: readonly string[]): string[] {
  const tests = sources.map(({ path }) => path).filter((path) => TEST.test(path))
  return changed
    .filter((path) => !/\.tsx?$/.test(path) && /^(src|tests|dashboard)\//.test(path))
    .flatMap((path) => {
      for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
        const near = tests.filter((test) => dirname(test) === folder)
        if (near.length > 0) return near
      }
      return []
    })
}

function closure(from: readonly string[], users: Users['byImport']): Set<string> {
  const found = new Set(from)
  for (const path of found) for (const user of users.get(path) ?? []) found.add(user)
  return found
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([value]))
  else set.add(value)
}
