/** Turns what stands in cloister.yaml into settings with all defaults, or into problems; never throws. */
import { applyAliases, keyOf } from './aliases.ts'
import { allKeys, ANY_NAME, keyAt, setPaths, type Key, type Section } from './keys.ts'
import { dotted, hasIn, isObject, type Path } from './path.ts'
import { problemsOf, unknownKey, type Problem } from './problem.ts'
import { configSchema, type Config } from './schema.ts'

export interface ParsedConfig {
  /** Absent when there is any problem: the caller keeps what it had. */
  config?: Config
  problems: readonly Problem[]
  /** Keys that the input sets, with the place in the input that counts. */
  set: readonly SetKey[]
  /** Places whose value another place overrides. */
  shadowed: readonly { path: Path; by: Path }[]
}

export interface SetKey {
  key: Path
  place: Path
  inEffect: boolean
}

/** Further problems are not listed: fixing these will show them. */
export const MOST_PROBLEMS = 100

/** `input` is plain data; undefined and null are an empty file. */
export function parseConfig(input: unknown): ParsedConfig {
  const { input: moved, origins, shadowed, problems } = applyAliases(input ?? {})
  const filled = fillEmptyGroups(moved, allKeys)
  const parsed = configSchema.safeParse(filled)
  const set = setPaths(filled).map((key) => ({ key, place: placeIn(origins, key), inEffect: isInEffect(key) }))
  const found = [...problems, ...set.filter(({ key }) => isSwallowed(key)).map(({ place }) => unknownKey(place))]
  for (const issue of parsed.error?.issues ?? []) {
    for (const problem of problemsOf(issue, filled)) {
      if (found.length >= MOST_PROBLEMS) break
      const sentence = problem.sentence + defaultNote(filled, problem.path, issue.code)
      found.push({ ...problem, sentence, path: placeIn(origins, problem.path) })
    }
  }
  const result = { problems: found.slice(0, MOST_PROBLEMS), set, shadowed }
  return parsed.success && found.length === 0 ? { ...result, config: parsed.data } : result
}

/** Where a key stands in the input, or would have to be written. */
export function placeOfKey(parsed: Pick<ParsedConfig, 'set'>, path: Path): Path {
  const key = keyOf(path)
  return parsed.set.find((one) => dotted(one.key) === dotted(key))?.place ?? key
}

/** Keys that are set and checked, while nothing acts on them in this version. Unknown keys are problems instead. */
export function notYetInEffect({ set }: Pick<ParsedConfig, 'set'>): SetKey[] {
  return set.filter(({ key, inEffect }) => {
    const at = keyAt(key)
    return !inEffect && at !== undefined && !('keys' in at) && !isSwallowed(key)
  })
}

/** A group whose keys are all commented out reads as null in YAML; it means the defaults. */
function fillEmptyGroups(value: unknown, at: Key | Section | undefined): unknown {
  if (at === undefined || !('keys' in at)) return value
  if (value === null) return {}
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, fillEmptyGroups(child, childOf(at, name))]),
  )
}

function childOf(section: Section, name: string): Key | Section | undefined {
  return (
    section.keys.find((key) => key.path.at(-1) === name) ?? section.keys.find((key) => key.path.at(-1) === ANY_NAME)
  )
}

/** zod leaves this one name out of a group of open names without a word. */
function isSwallowed(key: Path): boolean {
  const index = key.indexOf('__proto__')
  return index !== -1 && keyAt(key.slice(0, index + 1)) !== undefined
}

function placeIn(origins: ReadonlyMap<string, Path>, path: Path): Path {
  for (let length = path.length; length > 0; length--) {
    const origin = origins.get(dotted(path.slice(0, length)))
    if (origin !== undefined) return [...origin, ...path.slice(length)]
  }
  return path
}

/** Says so when a rule between keys is broken by a key that nobody wrote. */
function defaultNote(input: unknown, path: Path, code: string): string {
  return code === 'custom' && path.length > 0 && !hasIn(input, path)
    ? ` (${dotted(path)} is not set and has its default)`
    : ''
}

export function isInEffect(path: Path): boolean {
  const key = keyAt(path)
  return key !== undefined && !('keys' in key) && key.inEffect
}
