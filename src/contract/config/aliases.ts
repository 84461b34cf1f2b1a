/**
 * Other spellings of the documents, moved to the one key that counts before anything is checked.
 * Where a value was moved from is remembered, so that problems and edits name the place in the file.
 */
import { dotted, getIn, hasIn, isObject, removeIn, setIn, type Path } from './path.ts'
import type { Problem } from './problem.ts'

interface Alias {
  /** `*` stands for any one name. */
  from: string
  to: string
  /** Who counts when both are there; «neither» is a mistake to be settled by a person. */
  wins: 'alias' | 'key' | 'neither'
}

/** Applied in this order: of two aliases that win, the later counts. */
export const ALIASES: readonly Alias[] = [
  { from: 'thresholds.stale_minutes', to: 'thresholds.stale', wins: 'neither' },
  { from: 'thresholds.warning_minutes', to: 'thresholds.warning', wins: 'neither' },
  { from: 'thresholds.stuck_minutes', to: 'thresholds.stuck', wins: 'neither' },
  { from: 'model_selection.specialists.*', to: 'specialists.*.model', wins: 'alias' },
  { from: 'runtimes.specialists.*.*', to: 'specialists.*.*', wins: 'alias' },
  { from: 'handoffs.complexity_routing.*', to: 'model_selection.complexity_routing.*', wins: 'alias' },
  {
    from: 'model_selection.escalation.haiku_stuck_minutes',
    to: 'handoffs.auto_triggers.stuck_escalation.thresholds.haiku_to_sonnet_minutes',
    wins: 'key',
  },
  {
    from: 'model_selection.escalation.sonnet_stuck_minutes',
    to: 'handoffs.auto_triggers.stuck_escalation.thresholds.sonnet_to_opus_minutes',
    wins: 'key',
  },
]

export interface Unaliased {
  input: unknown
  /** Path of the key → path in the file, for what was moved and what was made on the way. */
  origins: Map<string, Path>
  /** Values in the file that another place overrides. */
  shadowed: { path: Path; by: Path }[]
  problems: Problem[]
}

export function applyAliases(input: unknown): Unaliased {
  const result: Unaliased = { input, origins: new Map(), shadowed: [], problems: [] }
  for (const alias of ALIASES) {
    for (const { from, names } of matches(result, [], alias.from.split('.'))) move(result, alias, { from, names })
  }
  dropEmptied(result)
  return result
}

/** The key that counts for a path that may be another spelling. */
export function keyOf(path: Path): Path {
  for (const alias of ALIASES) {
    const pattern = alias.from.split('.')
    if (pattern.length === path.length && pattern.every((part, i) => part === '*' || part === path[i])) {
      return target(
        alias,
        path.filter((_, i) => pattern[i] === '*'),
      )
    }
  }
  return path
}

interface Match {
  from: Path
  names: Path
}

function matches(result: Unaliased, done: Path, pattern: readonly string[]): Match[] {
  const [part, ...rest] = pattern
  const at = getIn(result.input, done)
  if (part === undefined) return [{ from: done, names: [] }]
  if (part !== '*') return hasIn(result.input, [...done, part]) ? matches(result, [...done, part], rest) : []
  const wrong = notMovable(at)
  if (wrong !== undefined) {
    // The schema does not know this place, so that it must be reported here.
    if (wrong !== '') result.problems.push({ path: done, sentence: wrong })
    result.input = removeIn(result.input, done)
    return []
  }
  return Object.keys(at ?? {}).flatMap((name) =>
    matches(result, [...done, name], rest).map((match) => ({ ...match, names: [name, ...match.names] })),
  )
}

const MOST_NAMES = 200

/** Why names under a place cannot be moved; an empty text for a place that is merely empty. */
function notMovable(group: unknown): string | undefined {
  if (group === null) return ''
  if (!isObject(group)) return 'expected a group of keys'
  return Object.keys(group).length > MOST_NAMES ? `has more than ${MOST_NAMES} names` : undefined
}

function move(result: Unaliased, alias: Alias, { from, names }: Match): void {
  const value = getIn(result.input, from)
  const to = target(alias, names)
  const other = result.origins.get(dotted(to)) ?? to
  const taken = hasIn(result.input, to)
  result.input = removeIn(result.input, from)
  if (taken && alias.wins === 'neither' && value !== getIn(result.input, to)) {
    const sentence = `is another spelling of ${dotted(to)}, which is also set; keep one of them`
    result.problems.push({ path: from, sentence, onName: true })
    return
  }
  if (taken && alias.wins !== 'alias') {
    result.shadowed.push({ path: from, by: other })
    return
  }
  const moved = setIn(result.input, to, value)
  // Something that is no group stands where the key belongs; the schema will say so.
  if (moved === undefined) return
  if (taken) result.shadowed.push({ path: other, by: from })
  for (let length = 1; length <= to.length; length++) {
    const part = to.slice(0, length)
    if (length === to.length || !hasIn(result.input, part)) result.origins.set(dotted(part), from)
  }
  result.input = moved
}

function target(alias: Alias, names: Path): Path {
  const left = [...names]
  return alias.to.split('.').map((part) => (part === '*' ? (left.shift() ?? part) : part))
}

/** Takes away the groups that hold nothing but moved keys, deepest first. */
function dropEmptied(result: Unaliased): void {
  for (const alias of ALIASES.filter(({ from }) => from.includes('*'))) {
    const container = alias.from.slice(0, alias.from.indexOf('.*')).split('.')
    const at = getIn(result.input, container)
    if (isObject(at) && Object.values(at).every((left) => isObject(left) && Object.keys(left).length === 0)) {
      result.input = removeIn(result.input, container)
    }
  }
}
