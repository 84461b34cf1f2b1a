/** Tasks of a project that a runner of tasks starts by their names: npm's scripts, make's targets, mise's tasks. */
import type { TestRunner } from '../../contract/test-run.ts'

export type Runner = Exclude<TestRunner, 'script'>

export interface Calls {
  /** Undefined for a task: what it runs is known from its output only. */
  runner?: Runner
  /** Whether the name of the task says that it tests; of a runner it does. */
  isNamed: boolean
}

/** Undefined for a program that starts none. */
export function taskOf(program: string, args: readonly string[]): Calls | undefined {
  const names = TASKS.get(program)?.(args) ?? []
  // `bun run test.ts` is a file that somebody tries out.
  const tasks = names.filter((name) => !/\.[cm]?[jt]sx?$/.test(name))
  return names.length === 0 ? undefined : { isNamed: tasks.some(saysTest) }
}

/** Whether a name says that it is about tests, at its beginning or its end: `test:unit`, `unit-tests`, `e2e`. */
export function saysTest(name: string): boolean {
  const parts = name.split(/[:._/+-]/).filter((part) => part !== '')
  return [parts[0], parts.at(-1)].some((part) => part !== undefined && TEST_WORDS.test(part))
}
const TEST_WORDS = /^(?:[tT]ests?|unittests?|e2e|specs?|tests?[A-Z]\w{0,40}|[a-z]{1,40}Tests?)$/

type Names = (args: readonly string[]) => readonly string[]

const TASKS = new Map<string, Names>(
  Object.entries({
    npm: scripts('test', 't', 'tst'),
    pnpm: scripts('test', 't'),
    yarn: scripts('test'),
    bun: scripts(),
    deno: scripts(),
    composer: scripts('test'),
    turbo: scripts('test'),
    lerna: scripts('test'),
    wireit: scripts('test'),
    mise: scripts('test'),
    moon: scripts('test'),
    pdm: scripts(),
    hatch: scripts('test'),
    pixi: scripts('test'),
    poetry: scripts(),
    rye: scripts('test'),
    node: (args) => args.filter((_, k) => args[k - 1] === '--run'),
    nx: byNx,
    rtk: anyName,
    make: byMake,
    gmake: byMake,
    ninja: targets,
    just: targets,
    task: targets,
    rake: targets,
    poe: anyName,
    invoke: anyName,
    inv: anyName,
    grunt: anyName,
    gulp: anyName,
    cmake: (args) => args.filter((_, k) => args[k - 1] === '--target' || args[k - 1] === '-t'),
    ...Object.fromEntries(
      ['bazel', 'bazelisk', 'buck2', 'pants', 'stack', 'cabal', 'lein', 'dune', 'gleam', 'zig', 'forge'].map((name) => [
        name,
        (args: readonly string[]) => plainWords(args).slice(0, 2).filter(saysTest),
      ]),
    ),
  } satisfies Record<string, Names>),
)

/** Behind «run» any name; without it only what can be nothing else. */
function scripts(...own: readonly string[]): Names {
  return (args) => {
    const [verb = '', name] = plainWords(args)
    if (RUN_VERBS.has(verb)) return name === undefined ? [] : [name]
    return own.includes(verb) || (own.length > 0 && /^tests?:/.test(verb)) ? ['test'] : []
  }
}
const RUN_VERBS = new Set(['run', 'run-script', 'task', 'r'])

/** `nx test app`, `nx run app:test`, `nx run-many -t test`, `nx affected --target=test` */
function byNx(args: readonly string[]): readonly string[] {
  const [verb = '', name] = plainWords(args)
  if (verb === 'run') return name === undefined ? [] : [name]
  if (verb !== 'run-many' && verb !== 'affected') return saysTest(verb) ? [verb] : []
  return args.flatMap((arg, k) => {
    const target = /^(?:-t|--targets?)(?:=(.{1,100}))?$/.exec(arg)
    return target === null ? [] : (target[1] ?? args[k + 1] ?? '').split(',')
  })
}

/** Without a name it is the first of them. */
function targets(args: readonly string[]): readonly string[] {
  if (args.includes('-n') || args.includes('--summary')) return []
  const names = plainWords(args).filter((arg) => !arg.includes('='))
  return names.length === 0 ? ['first'] : names
}

/** «check» is what GNU calls its tests; elsewhere it is often what looks at types and style. */
function byMake(args: readonly string[]): readonly string[] {
  return targets(args).map((name) => (name === 'check' ? 'test' : name))
}

function anyName(args: readonly string[]): readonly string[] {
  return plainWords(args).slice(0, 1)
}

/** Without flags and what belongs to them. */
function plainWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const words = own.filter((arg, k) => !/^[-+]/.test(arg) && !VALUED.has(own[k - 1] ?? ''))
  return words[0] === 'workspace' ? words.slice(2) : words
}
const VALUED = new Set([
  ...['-w', '--workspace', '--filter', '-F', '-C', '--dir', '--prefix', '--cwd', '--scope', '-f', '--file', '--cd'],
  ...['--justfile', '--working-directory', '-d', '--directory', '-P', '--project', '-j', '-t', '--target', '--targets'],
])
