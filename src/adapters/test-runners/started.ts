/**
 * What a shell command starts, one entry for each of its simple commands, with whatever is wrapped around them peeled
 * off: programs that start others, in any number and order, and shells that are given a command as a text.
 */
import { callsOf, isRunnerProgram, nameOf } from './programs.ts'
import { simpleCommands, type Joint, type Shell } from './shell-words.ts'
import { taskOf, type Calls } from './tasks.ts'

export interface Started {
  /** Without what was peeled off. */
  words: readonly string[]
  /** Undefined where it starts no tests. */
  calls: Calls | undefined
  /** Its exit code is turned round, or asked about and let go. */
  isAsked: boolean
  joint: Joint
  /** What it prints goes to a file. */
  toFile?: true
}

const DEPTH = 6
/** Of all simple commands, also of those in texts that are given to shells. */
const COUNT = 400

export function startedBy(command: string, shell: Shell = 'posix'): Started[] {
  return within(command, shell, { depth: DEPTH, read: new Map() })
}

/** A text that is met again is not read again. */
interface Deep {
  depth: number
  read: Map<string, Started[]>
}

function within(command: string, shell: Shell, deep: Deep): Started[] {
  return simpleCommands(command, shell)
    .filter(({ words }) => !(words[0] === 'exit' && /^\$(?:LASTEXITCODE|\?)$/.test(words[1] ?? '')))
    .slice(0, COUNT)
    .flatMap(({ words, ...place }) => {
      const bare = peeled(words, deep)
      const isAsked = ASKS.has(words[0] ?? '')
      if (bare.inside === undefined) return [{ words: bare.words, calls: callsOf(bare.words), isAsked, ...place }]
      // The last of them has the place of the whole.
      return bare.inside.map((each, k, all) => ({
        ...each,
        ...place,
        isAsked: each.isAsked || isAsked,
        joint: k === all.length - 1 ? place.joint : each.joint,
      }))
    })
    .slice(0, COUNT)
}

const ASKS = new Set(['!', 'if', 'while', 'until', 'elif'])

/** Words of the shell itself, before which nothing else stands. */
const KEYWORDS = new Set([...ASKS, 'then', 'do', 'else', '{', '}', 'try', 'finally'])

/** Programs that start what follows them, with how many words of their own that are no flags come before it. */
const PREFIXES = new Map<string, number>([
  ...['time', 'exec', 'command', 'builtin'].map(plain),
  ...[
    'nohup',
    'sudo',
    'doas',
    'env',
    'nice',
    'ionice',
    'stdbuf',
    'unbuffer',
    'setsid',
    'chronic',
    'xargs',
    'winpty',
  ].map(plain),
  ...[
    'npx',
    'bunx',
    'pnpx',
    'uvx',
    'pipx',
    'cross-env',
    'dotenv',
    'env-cmd',
    'xvfb-run',
    'caffeinate',
    'wsl',
    'rtk',
  ].map(plain),
  ...['catchsegv', 'strace', 'valgrind', 'perf', 'nix-shell', 'script', 'parallel', 'dbus-run-session'].map(plain),
  ...['timeout', 'gtimeout', 'ssh', 'flock', 'taskset', 'su', 'runuser', 'gosu', 'chroot', 'faketime', 'arch'].map(
    (name): [string, number] => [name, 1],
  ),
])

function plain(name: string): [string, number] {
  return [name, 0]
}

/** Behind one of these words any program starts another: `poetry run`, `doppler run --`, `docker compose exec web`. */
const VERBS = new Set(['run', 'exec', 'x', 'dlx', 'r', 'activate', 'develop', 'shell', 'local:run', 'tool'])
const VERB_WITHIN = 12
const TRIES = 60

interface Peeled {
  words: readonly string[]
  /** What a text that was given to a shell starts. */
  inside?: Started[]
}

function peeled(given: readonly string[], deep: Deep): Peeled {
  let words = given
  for (let k = 0; k < TRIES; k += 1) {
    const [first = '', ...rest] = words
    const name = nameOf(first)
    if (isAssignment(first) || KEYWORDS.has(first)) words = rest
    else if (SHELLS.has(name.toLowerCase())) return byShell(words, deep)
    // It has words of its own for «run this and show me less».
    else if (name === 'rtk' && RTK.has(rest[0] ?? '')) {
      if (!isStart(rest.slice(1))) break
      words = rest.slice(1)
    } else {
      const found = PREFIXES.has(name) ? behind(rest, PREFIXES.get(name) ?? 0, deep) : behindVerb(words, deep)
      if (found === undefined) break
      if (found.inside !== undefined) return found
      words = found.words
    }
  }
  return { words }
}

const RTK = new Set(['test', 'err', 'summary', 'proxy'])

function isAssignment(word: string): boolean {
  return /^(?:[A-Za-z_]\w{0,100}|\$env:\w{1,100})\+?=/.test(word)
}

function behindVerb(words: readonly string[], deep: Deep): Peeled | undefined {
  const name = nameOf(words[0] ?? '')
  if (STARTS_NOTHING.has(name) || (isRunnerProgram(name) && name !== 'bun')) return undefined
  const at = words.slice(0, VERB_WITHIN).findIndex((word, k) => k > 0 && VERBS.has(word))
  const verb = words[at] ?? ''
  // What can be a task's name is one.
  const isTask = taskOf(name, words.slice(1)) !== undefined
  const own = isTask || verb === 'r' ? 0 : 1
  const found = direct(words, name) ?? (at > 0 ? behind(words.slice(at + 1), own, deep) : undefined)
  return found !== undefined && (found.inside !== undefined || isStart(found.words)) ? found : undefined
}
const STARTS_NOTHING = new Set([
  'git',
  'gh',
  'echo',
  'printf',
  'grep',
  'rg',
  'cat',
  'ls',
  'which',
  'man',
  'kill',
  'find',
])

/** `yarn vitest` starts it as `npx vitest` does. */
function direct(words: readonly string[], name: string): Peeled | undefined {
  if (name !== 'yarn' && name !== 'pnpm' && name !== 'bun' && name !== 'composer') return undefined
  const at = words.findIndex((word, k) => k > 0 && !word.startsWith('-') && isRunnerProgram(nameOf(word)))
  const before = words.slice(1, at)
  return at > 0 && before.every((word, k) => word.startsWith('-') || before[k - 1]?.startsWith('-'))
    ? { words: words.slice(at) }
    : undefined
}

/**
 * What stands behind a program's own words: its flags, what belongs to them, and a few more. A text with blanks that is a
 * command is one that the program gives to a shell.
 */
function behind(words: readonly string[], own: number, deep: Deep): Peeled | undefined {
  let left = own
  for (let k = 0; k < Math.min(words.length, TRIES); k += 1) {
    const word = words[k] ?? ''
    const rest = words.slice(k)
    if (word === '--' || word === '--%') return { words: rest.slice(1) }
    const inside = /\s/.test(word) && !isAssignment(word) ? insideOf(word, 'posix', deep) : undefined
    if (inside?.some(({ calls }) => calls !== undefined)) return { words: [], inside }
    if (isStart(rest)) return { words: rest }
    const isOwn = /^[-+/]/.test(word) || isAssignment(word) || /^-[^=]{0,60}$/.test(words[k - 1] ?? '')
    if (!isOwn && left === 0) return { words: rest }
    if (!isOwn) left -= 1
  }
  return undefined
}

function isStart(words: readonly string[]): boolean {
  const [first = ''] = words
  const name = nameOf(first)
  return PREFIXES.has(name) || SHELLS.has(name.toLowerCase()) || callsOf(words) !== undefined || isStarter(words)
}

function isStarter(words: readonly string[]): boolean {
  return STARTERS.has(nameOf(words[0] ?? '')) && VERBS.has(words[1] ?? '')
}
/** Only those that are seen behind others; alone, any program is one. */
const STARTERS = new Set([
  ...['npm', 'pnpm', 'yarn', 'bun', 'poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye', 'bundle', 'mise', 'doppler', 'op'],
  ...['direnv', 'dotenvx', 'infisical', 'aws-vault', 'conda', 'mamba', 'nix', 'devbox', 'docker', 'composer', 'asdf'],
])

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish', 'ash', 'pwsh', 'powershell', 'cmd', 'eval'])

/** The text that a shell is given, else the file. */
function byShell(words: readonly string[], deep: Deep): Peeled {
  const [first = '', ...rest] = words
  const name = nameOf(first).toLowerCase()
  if (name === 'eval') return nested(rest.join(' '), 'posix', deep)
  if (name === 'cmd') return nested(rest.filter((word) => !/^\/\w$/.test(word)).join(' '), 'powershell', deep)
  const isPowerShell = name === 'pwsh' || name === 'powershell'
  const at = rest.findIndex((word) =>
    (isPowerShell ? /^-c(?:ommand)?$/i : /^-[a-z]{0,6}c[a-z]{0,6}$|^--command$/).test(word),
  )
  if (at < 0) return { words }
  if (isPowerShell) return nested(rest.slice(at + 1).join(' '), 'powershell', deep)
  const text = rest.slice(at + 1).find((word) => !/^[-+]/.test(word))
  return text === undefined ? { words } : nested(text, 'posix', deep)
}

function nested(text: string, shell: Shell, deep: Deep): Peeled {
  const inside = insideOf(text, shell, deep)
  return inside === undefined ? { words: [] } : { words: [], inside }
}

function insideOf(text: string, shell: Shell, { depth, read }: Deep): Started[] | undefined {
  if (depth === 0) return undefined
  const key = `${depth} ${shell} ${text}`
  const inside = read.get(key) ?? within(text, shell, { depth: depth - 1, read })
  read.set(key, inside)
  return inside
}
