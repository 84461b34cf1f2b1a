/** Which test runner a command starts, if any. A script of a project that is called «test» is one whose runner is not known. */
import type { TestRunner as Runner } from '../../contract/test-run.ts'
import type { SimpleCommand } from './shell-words.ts'

/** Undefined for a command that runs no tests. */
export function runnerOf({ words }: Pick<SimpleCommand, 'words'>): Runner | undefined {
  const [program = '', ...args] = bared(words)
  if (args.some((arg) => LISTS_ONLY.has(arg))) return undefined
  return RUNNERS.get(nameOf(program))?.(args)
}

/** They tell of tests and run none. */
const LISTS_ONLY = new Set([
  '--version',
  '--help',
  '-h',
  '--listTests',
  '--list-tests',
  '--list',
  '-list',
  '--collect-only',
  '--co',
  '--no-run',
  '--dry-run',
  '--showConfig',
  '--clearCache',
  '--init',
])

/** Programs that start what follows them; the number is how many words of their own come before it. */
const WRAPPERS = new Map<string, number>(
  Object.entries({
    ...Object.fromEntries(
      ['time', 'command', 'exec', 'nohup', 'sudo', 'env', 'nice', 'stdbuf', 'npx', 'bunx'].map((name) => [name, 0]),
    ),
    ...Object.fromEntries(
      ['cross-env', 'dotenv', 'xvfb-run', 'caffeinate', '!', 'if', 'then', 'do', 'else', 'while', '{'].map((name) => [
        name,
        0,
      ]),
    ),
    timeout: 1,
  }),
)
/** The same, where a word says that something is to be started. */
const STARTERS = new Map<string, readonly string[]>(
  Object.entries({
    npm: ['exec', 'x'],
    pnpm: ['exec', 'dlx'],
    yarn: ['exec', 'dlx'],
    bun: ['x'],
    poetry: ['run'],
    uv: ['run'],
    pipenv: ['run'],
    pdm: ['run'],
    hatch: ['run'],
    rye: ['run'],
    bundle: ['exec'],
    nix: ['run'],
  }),
)
const UNWRAPPINGS = 8

function bared(words: readonly string[]): readonly string[] {
  let rest = words
  for (let k = 0; k < UNWRAPPINGS; k += 1) {
    const [first = '', second = ''] = rest
    const skipped = WRAPPERS.get(nameOf(first))
    if (/^[A-Za-z_]\w*=/.test(first)) rest = rest.slice(1)
    else if (skipped !== undefined) rest = withoutFlags(rest.slice(1)).slice(skipped)
    else if (STARTERS.get(nameOf(first))?.includes(second) === true) rest = withoutFlags(rest.slice(2))
    else break
  }
  return rest
}

/** A number is the value of a flag: `nice -n 10`. */
function withoutFlags(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, k) => !word.startsWith('-') && !(words[k - 1] === '-n' && /^\d+$/.test(word)))
  return at < 0 ? [] : words.slice(at)
}

function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return name.replace(/\.(?:m?js|cjs|cmd|exe|phar|py|bat)$/, '').replace(/^(python|pypy|pip)[\d.]*$/, '$1')
}

type FromArgs = (args: readonly string[]) => Runner | undefined

const RUNNERS = new Map<string, FromArgs>(
  Object.entries({
    vitest: (args) => (['list', 'init', 'bench'].includes(args[0] ?? '') ? undefined : 'vitest'),
    jest: () => 'jest',
    'react-scripts': first('test', 'jest'),
    mocha: () => 'mocha',
    _mocha: () => 'mocha',
    playwright: first('test', 'playwright'),
    node: byNode,
    bun: (args) => (args[0] === 'test' ? 'bun' : scripts(args)),
    deno: scripts,
    pytest: () => 'pytest',
    'py.test': () => 'pytest',
    python: byPython,
    coverage: byPython,
    cargo: byCargo,
    go: (args) => (args[0] === 'test' && !args.includes('-c') ? 'go' : undefined),
    mvn: byMaven,
    mvnw: byMaven,
    gradle: byGradle,
    gradlew: byGradle,
    rspec: () => 'rspec',
    rake: first('spec', 'rspec'),
    phpunit: () => 'phpunit',
    dotnet: first('test', 'dotnet'),
    npm: (args) => scripts(args, ['test', 't', 'tst']),
    yarn: (args) => nested(args) ?? scripts(args, ['test']),
    pnpm: (args) => nested(args) ?? scripts(args, ['test', 't']),
    composer: (args) => scripts(args, ['test']),
    turbo: (args) => scripts(args, ['test']),
    nx: (args) => scripts(args, ['test']),
    lerna: (args) => scripts(args, ['test']),
    make: (args) => (args.some((arg) => arg === 'check' || isTestName(arg)) ? 'script' : undefined),
    just: (args) => (args.some(isTestName) ? 'script' : undefined),
    tox: () => 'script',
    nox: () => 'script',
  } satisfies Record<string, FromArgs>),
)

function first(word: string, runner: Runner): FromArgs {
  return (args) => (args[0] === word ? runner : undefined)
}

function byNode(args: readonly string[]): Runner | undefined {
  if (args.includes('--test')) return 'node'
  const script = args.find((arg) => !arg.startsWith('-'))
  return script === undefined ? undefined : RUNNERS.get(nameOf(script))?.(args.slice(args.indexOf(script) + 1))
}

function byPython(args: readonly string[]): Runner | undefined {
  const at = args.indexOf('-m')
  if (at >= 0) return args[at + 1] === 'pytest' ? 'pytest' : args[at + 1] === 'unittest' ? 'unittest' : undefined
  return nameOf(args[0] ?? '') === 'manage' && args[1] === 'test' ? 'unittest' : undefined
}

function byCargo(args: readonly string[]): Runner | undefined {
  const verb = args.find((arg) => !/^[-+]/.test(arg))
  return verb === 'test' || verb === 't' || verb === 'nextest' ? 'cargo' : undefined
}

function byMaven(args: readonly string[]): Runner | undefined {
  if (args.some((arg) => /^-D(?:skipTests|maven\.test\.skip)(?!=false)/.test(arg))) return undefined
  return args.some((arg) => /^(?:test|verify|install|package|integration-test|surefire:test)$/.test(arg))
    ? 'maven'
    : undefined
}

function byGradle(args: readonly string[]): Runner | undefined {
  const isLeftOut = args.some((arg, k) => arg === 'test' && (args[k - 1] === '-x' || args[k - 1] === '--exclude-task'))
  if (isLeftOut) return undefined
  return args.some((arg) => /(?:^|:)(?:test|check|build)$|\w+Test$/.test(arg)) ? 'gradle' : undefined
}

/** `yarn vitest` starts it as `npx vitest` does. */
function nested(args: readonly string[]): Runner | undefined {
  const words = plainWords(args)
  const [program = '', ...rest] = words[0] === 'run' ? words.slice(1) : words
  return DIRECT.includes(program) ? RUNNERS.get(program)?.(rest) : undefined
}
const DIRECT: readonly string[] = ['vitest', 'jest', 'mocha', 'playwright']

function scripts(args: readonly string[], verbs: readonly string[] = []): Runner | undefined {
  const [verb = '', name = ''] = plainWords(args)
  if (RUN_VERBS.includes(verb)) return isTestName(name) ? 'script' : undefined
  // Without «run» only what can be nothing else.
  return verbs.includes(verb) || (verbs.length > 0 && /^tests?:/.test(verb)) ? 'script' : undefined
}
const RUN_VERBS: readonly string[] = ['run', 'run-script', 'task']

/** Without flags and what belongs to them. */
function plainWords(args: readonly string[]): readonly string[] {
  const words = args.filter((arg, k) => !arg.startsWith('-') && !VALUED.includes(args[k - 1] ?? ''))
  return words[0] === 'workspace' ? words.slice(2) : words
}
const VALUED: readonly string[] = ['-w', '--workspace', '--filter', '-F', '-C', '--dir', '--prefix', '--cwd', '--scope']

function isTestName(name: string): boolean {
  return /^tests?(?:$|[:_-])|[:_-]tests?$/.test(name)
}
