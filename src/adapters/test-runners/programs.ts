/** What a program with its arguments starts: a test runner, a task of the project whose runner is not known, or neither. */
import { saysTest, taskOf, type Calls, type Runner } from './tasks.ts'

export function callsOf(words: readonly string[]): Calls | undefined {
  const [path = '', ...args] = words
  if (args.some((arg) => LISTS_ONLY.has(arg))) return undefined
  const program = nameOf(path)
  const runner = RUNNERS.get(program)?.(args)
  if (runner !== undefined) return { runner, isNamed: true }
  return byFile(path, args) ?? taskOf(program, args)
}

/** They tell of tests and run none. */
const LISTS_ONLY = new Set([
  ...['--version', '--help', '-h', '--listTests', '--list-tests', '--list', '-list', '--collect-only', '--co'],
  ...['--no-run', '--dry-run', '--showConfig', '--clearCache', '--init', '--show-only', '--gtest_list_tests'],
])

/** Without its folder and what says of which kind or version it is. */
export function nameOf(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
  return name.replace(/\.(?:m?js|cjs|cmd|exe|phar|py|bat|ps1|sh)$/i, '').replace(/^(python|pypy|pip)[\d.]*$/, '$1')
}

/** It is a program of the project if it is called by its place in it. */
function byFile(path: string, args: readonly string[]): Calls | undefined {
  const interpreted = INTERPRETERS.has(nameOf(path)) ? args.find((arg) => !arg.startsWith('-')) : undefined
  const file = interpreted ?? path
  if (/^\/(?:usr|bin|opt)\//.test(file) || !/[/\\]|\.\w{2,4}$/.test(file)) return undefined
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.\w{2,4}$/, '')
  if (!saysTest(name) && !/[a-z]Tests?$/.test(name)) return undefined
  // What somebody tried out in a file of its own is seldom a test: only its summary counts.
  return { isNamed: interpreted === undefined || SHELLS.has(nameOf(path)) }
}
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish', 'pwsh', 'powershell'])
const INTERPRETERS = new Set([...SHELLS, 'python', 'node', 'ruby', 'php', 'perl', 'bun', 'deno', 'tsx', 'ts-node'])

type FromArgs = (args: readonly string[]) => Runner | undefined

const RUNNERS = new Map<string, FromArgs>(
  Object.entries({
    vitest: (args) => (['list', 'init', 'bench'].includes(args[0] ?? '') ? undefined : 'vitest'),
    jest: () => 'jest',
    'react-scripts': first('jest', 'test'),
    craco: first('jest', 'test'),
    mocha: () => 'mocha',
    _mocha: () => 'mocha',
    nyc: (args) => inner(args),
    c8: (args) => inner(args),
    ava: () => 'ava',
    playwright: first('playwright', 'test'),
    cypress: first('cypress', 'run'),
    karma: first('karma', 'start', 'run'),
    ng: first('karma', 'test'),
    jasmine: () => 'jasmine',
    node: byNode,
    tsx: byNode,
    bun: first('bun', 'test'),
    deno: first('deno', 'test'),
    pytest: () => 'pytest',
    'py.test': () => 'pytest',
    python: byPython,
    py: byPython,
    coverage: byPython,
    tox: (args) => ((named(args, '-e') ?? true) ? 'tox' : undefined),
    nox: (args) => ((named(args, '-s') ?? true) ? 'nox' : undefined),
    cargo: byCargo,
    'cargo-nextest': () => 'cargo',
    go: (args) => (args[0] === 'test' && !args.includes('-c') ? 'go' : undefined),
    gotestsum: () => 'go',
    mvn: byMaven,
    mvnw: byMaven,
    mvnd: byMaven,
    gradle: byGradle,
    gradlew: byGradle,
    sbt: (args) => (args.some((arg) => /(?:^|[/:; ])test(?:Only|Quick)?(?: |$)/.test(arg)) ? 'sbt' : undefined),
    rspec: () => 'rspec',
    rake: (args) => (args[0] === 'spec' ? 'rspec' : args[0] === 'test' ? 'minitest' : undefined),
    rails: (args) => (/^test(?:$|:)/.test(args[0] ?? '') ? 'minitest' : args[0] === 'spec' ? 'rspec' : undefined),
    ruby: (args) => (args.some((arg) => /^-I\S{0,40}test\b|_test\.rb$/.test(arg)) ? 'minitest' : undefined),
    minitest: () => 'minitest',
    phpunit: () => 'phpunit',
    paratest: () => 'phpunit',
    'simple-phpunit': () => 'phpunit',
    pest: () => 'pest',
    php: (args) => (nameOf(args[0] ?? '') === 'artisan' && args[1] === 'test' ? 'pest' : inner(args)),
    dotnet: first('dotnet', 'test'),
    ctest: (args) => (args.includes('-N') ? undefined : 'ctest'),
    swift: first('swift', 'test'),
    xcodebuild: (args) => (args.some((arg) => /^test(?:-without-building)?$/.test(arg)) ? 'swift' : undefined),
    mix: (args) => (/^test(?:$|\.)/.test(args[0] ?? '') ? 'mix' : undefined),
    dart: first('dart', 'test'),
    flutter: first('dart', 'test'),
  } satisfies Record<string, FromArgs>),
)

/** Whether a program is known here, whatever it is called for. */
export function isRunnerProgram(program: string): boolean {
  return RUNNERS.has(program)
}

function first(runner: Runner, ...words: readonly string[]): FromArgs {
  return (args) => (words.includes(args.find((arg) => !arg.startsWith('-')) ?? '') ? runner : undefined)
}

/** The program that it is given. */
function inner(args: readonly string[]): Runner | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  return at < 0 ? undefined : RUNNERS.get(nameOf(args[at] ?? ''))?.(args.slice(at + 1))
}

function byNode(args: readonly string[]): Runner | undefined {
  return args.includes('--test') ? 'node' : inner(args)
}

function byPython(args: readonly string[]): Runner | undefined {
  const at = args.indexOf('-m')
  const called = args.slice(at + 1)
  if (at >= 0)
    return called[0] === 'unittest' ? 'unittest' : PYTHON_MODULES.has(called[0] ?? '') ? inner(called) : undefined
  return nameOf(args[0] ?? '') === 'manage' && args[1] === 'test' ? 'unittest' : undefined
}
const PYTHON_MODULES = new Set(['pytest', 'tox', 'nox', 'coverage'])

/** Of environments that are asked for by name: whether one of them tests; undefined where none is named. */
function named(args: readonly string[], flag: string): boolean | undefined {
  const at = args.indexOf(flag)
  const name = at < 0 ? undefined : args[at + 1]
  return name === undefined
    ? undefined
    : name.split(',').some((each) => /^py|^unit|^integration/.test(each) || saysTest(each))
}

function byCargo(args: readonly string[]): Runner | undefined {
  const verb = args.find((arg) => !/^[-+]/.test(arg))
  return /^(?:test|t|nextest|llvm-cov|tarpaulin)$/.test(verb ?? '') ? 'cargo' : undefined
}

function byMaven(args: readonly string[]): Runner | undefined {
  if (args.some((arg) => /^-D(?:skipTests|maven\.test\.skip)(?!=false)/.test(arg))) return undefined
  return args.some((arg) =>
    /^(?:test|verify|install|package|integration-test|(?:surefire|failsafe):\S{1,40})$/.test(arg),
  )
    ? 'maven'
    : undefined
}

function byGradle(args: readonly string[]): Runner | undefined {
  const isLeftOut = args.some((arg, k) => arg === 'test' && (args[k - 1] === '-x' || args[k - 1] === '--exclude-task'))
  if (isLeftOut) return undefined
  return args.some((arg) => /(?:^|:)(?:test|check|build)$|\w{1,60}Test$|^test[A-Z]\w{0,60}$/.test(arg))
    ? 'gradle'
    : undefined
}
