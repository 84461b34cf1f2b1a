/** Environment variables that override single keys for one process. A bad value is reported and the key keeps its value. */
import { dotted, setIn, type Path } from './path.ts'
import { problemsOf } from './problem.ts'
import { configSchema, type Config } from './schema.ts'

type Kind = 'boolean' | 'number'

export const OVERRIDES: readonly { name: string; path: readonly string[]; kind: Kind; description: string }[] = [
  { name: 'CLOISTER_AUTO_START', path: ['startup', 'auto_start'], kind: 'boolean', description: 'true or false' },
  { name: 'CLOISTER_STUCK_THRESHOLD', path: ['thresholds', 'stuck'], kind: 'number', description: 'minutes' },
  {
    name: 'CLOISTER_AUTO_KILL',
    path: ['auto_actions', 'kill_on_stuck'],
    kind: 'boolean',
    description: 'true or false',
  },
  { name: 'PANOPTICON_PORT', path: ['dashboard', 'port'], kind: 'number', description: 'a port; 0 takes any' },
]

export interface EnvironmentProblem {
  name: string
  sentence: string
}

export interface Overridden {
  config: Config
  problems: readonly EnvironmentProblem[]
  /** Keys whose value comes from the environment. */
  keys: readonly Path[]
}

/** The variable that sets a key, when one does. */
export function variableOf(key: Path, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return OVERRIDES.find(({ path, name }) => dotted(path) === dotted(key) && env[name]?.trim())?.name
}

export function applyEnvironment(config: Config, env: Readonly<Record<string, string | undefined>>): Overridden {
  const problems: EnvironmentProblem[] = []
  const keys: Path[] = []
  let current = config
  for (const { name, path, kind } of OVERRIDES) {
    const text = env[name]?.trim() ?? ''
    if (text === '') continue
    const next = override(current, path, read(kind, text))
    if (typeof next === 'string') problems.push({ name, sentence: `${name}=${text.slice(0, 40)} is not used: ${next}` })
    else {
      current = next
      keys.push(path)
    }
  }
  return { config: current, problems, keys }
}

/** The changed settings, or why the value cannot be used. */
function override(config: Config, path: Path, value: boolean | number | string): Config | string {
  if (typeof value === 'string') return value
  const parsed = configSchema.safeParse(setIn(config, path, value))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap((issue) => [...problemsOf(issue, setIn(config, path, value))])
  const why = problems.map((problem) => `${dotted(problem.path)} ${problem.sentence}`).join('; ')
  return `${why}. Change the variable or the keys in cloister.yaml`
}

function read(kind: Kind, text: string): boolean | number | string {
  if (kind === 'number') {
    return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 'expected a number, such as 45'
  }
  const value = { true: true, '1': true, false: false, '0': false }[text.toLowerCase()]
  return value ?? 'expected true or false'
}
