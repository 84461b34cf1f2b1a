/**
 * Which tests the changed files reach: by imports that are there at run time, and by a file's path where a test names
 * it (a program it starts, a document it reads). Long suites, and what starts a program that has a changed part, are
 * reached by nearly every change: they run here only when they themselves changed, and are counted otherwise.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { isLong } from './order.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface Reached {
  tests: string[]
  /** What a person should know of it. */
  said: string[]
}

/** The text of each source, by its path. */
export type Sources = ReadonlyMap<string, string>

const TEST = /\.test\.tsx?$/
/** What each test stands on. */
const GROUND = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|test|\.ci\/run)$/

export function changedTests(root: string, since: string): Reached {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.split('\0').filter(Boolean) : undefined
  }
  const [commit] = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`) ?? []
  if (commit === undefined) throw new WrongUsage(`${since} is no commit of a git repository in ${root}.`)
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate') ?? []
  const changed = git('diff', '-z', '--name-only', '--no-renames', '--relative', commit.trim(), '--') ?? []
  const fresh = git('ls-files', '-z', '--others', '--exclude-standard') ?? []
  return reached(readSources(root, files), [...changed, ...fresh])
}

/** Without those that were deleted. */
function readSources(root: string, files: readonly string[]): Sources {
  const there = files.filter((file) => existsSync(join(root, file)))
  return new Map(there.map((file) => [file, /\.tsx?$/.test(file) ? readFileSync(join(root, file), 'utf8') : '']))
}

export function reached(sources: Sources, changed: readonly string[]): Reached {
  const users = usersOf(sources)
  const near = neighbours(sources, changed)
  const touched = closure(changed, users.byImport)
  const naming = changed.flatMap((path) => [...(users.byPath.get(path) ?? [])])
  const own = closure([...changed.filter((path) => path.startsWith('tests/')), ...naming], users.byImport)
  const all = new Set([...touched, ...own, ...near])
  const programs = [...touched].filter((path) => users.byPath.has(path) && !changed.includes(path))
  const starters = programs.flatMap((path) => [...(users.byPath.get(path) ?? [])])
  const found = [...all, ...closure(starters, users.byImport)].filter((path) => TEST.test(path) && sources.has(path))
  const isWanted = (path: string) => all.has(path) && (!isLong(path) || own.has(path) || near.includes(path))
  const tests = [...new Set(found.filter(isWanted))].toSorted()
  const left = new Set(found.filter((path) => !isWanted(path))).size
  const ground = changed.filter((path) => GROUND.test(path))
  return {
    tests,
    said: [
      `${many(changed.length, 'changed file')} → ${many(tests.length, 'test file')}`,
      ...(left > 0
        ? [`left to ./test: ${many(left, 'test file')}, long or with a program that has a changed part`]
        : []),
      ...(changed.length > 0 && tests.length + left + ground.length === 0
        ? ['no test is known to reach them; ./test runs all, and the gates']
        : []),
      ...(ground.length > 0 ? [`${ground.join(', ')} may reach every test; ./test runs them`] : []),
    ],
  }
}

interface Users {
  byImport: Map<string, Set<string>>
  byPath: Map<string, Set<string>>
}

const IMPORTS = /^(?:im|ex)port (?!type\b)[^'"]*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm
const PATHS = /(?<!from )['"`](\.\.?\/[^'"`\n]+)['"`]/g

function usersOf(sources: Sources): Users {
  const [byImport, byPath] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  for (const [path, text] of sources) {
    const at = (target: string) => posix.join(dirname(path), target)
    for (const [, named, asked] of text.matchAll(IMPORTS)) add(byImport, at(named ?? asked ?? ''), path)
    for (const [, target = ''] of text.matchAll(PATHS)) if (sources.has(at(target))) add(byPath, at(target), path)
    // What is built is known by its source.
    for (const [, program = ''] of text.matchAll(/\bbuilt\('([^']+)'\)/g)) add(byPath, sourceOf(program), path)
  }
  return { byImport, byPath }
}

function sourceOf(program: string): string {
  return program === 'understudy/main' ? 'src/adapters/understudy/program/main.ts' : `src/${program}.ts`
}

/** A file that nobody imports, such as a night or a fixture, belongs to the tests of the nearest folder that has some. */
function neighbours(sources: Sources, changed: readonly string[]): string[] {
  const tests = [...sources.keys()].filter((path) => TEST.test(path))
  return changed
    .filter((path) => !/\.tsx?$/.test(path) && /^(src|tests|dashboard)\//.test(path))
    .map((path) => path.replace(/^src\/hook\//, 'tests/e2e/hooks/'))
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
