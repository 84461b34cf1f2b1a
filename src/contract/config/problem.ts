/** What is wrong with settings, as a path and a sentence; made from zod's issues in words for people. */
import type * as z from 'zod'
import { closest } from './did-you-mean.ts'
import { getIn, type Path } from './path.ts'
import { childNames, placeOf } from './keys.ts'

export interface Problem {
  path: Path
  /** Follows the key: «thresholds.stale» «expected a number, got "soon"». */
  sentence: string
  suggestion?: string
  /** The name is wrong, not the value. */
  onName?: true
}

type Issue = z.core.$ZodIssue

/** All problems of one issue: several unknown keys are several problems. Lazy, since there may be very many. */
export function* problemsOf(issue: Issue, input: unknown): Generator<Problem> {
  const path = issue.path as Path
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield unknownKey([...path, key])
  } else if (issue.code === 'invalid_union') {
    yield* ofUnion(issue, input)
  } else {
    const suggestion = suggest(issue, getIn(input, path))
    const problem = { path, sentence: sentence(issue, getIn(input, path)) }
    yield suggestion === undefined ? problem : { ...problem, suggestion }
  }
}

export function unknownKey(path: Path): Problem {
  const name = String(path.at(-1))
  const suggestion = closest(name, childNames(path.slice(0, -1))) ?? placeOf(name)
  const problem: Problem = { path, sentence: 'unknown key', onName: true }
  return suggestion === undefined ? problem : { ...problem, suggestion }
}

/** Takes the branch that fits the kind of value given, since its complaints are the useful ones. */
function* ofUnion(issue: z.core.$ZodIssueInvalidUnion, input: unknown): Generator<Problem> {
  const path = issue.path as Path
  const branch = issue.errors.find(
    (issues) => !issues.some((one) => one.code === 'invalid_type' && one.path.length === 0),
  )
  if (branch === undefined) {
    yield { path, sentence: `expected a tier, a model id or {model, runtime}, got ${shown(getIn(input, path))}` }
  } else {
    for (const one of branch) yield* problemsOf({ ...one, path: [...path, ...one.path] } as Issue, input)
  }
}

const EXPECTED: Record<string, string> = {
  object: 'a group of keys',
  array: 'a list',
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
}

function sentence(issue: Issue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is missing'
  const got = `, got ${shown(value)}`
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${EXPECTED[issue.expected] ?? issue.expected}${got}`
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}${got}`
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${bound(issue.origin, issue.minimum)}${got}`
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${bound(issue.origin, issue.maximum)}${got}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `${issue.message}${got}`
        : `expected ${FORMATS[issue.format] ?? issue.format}${got}`
    default:
      return issue.message
  }
}

const FORMATS: Record<string, string> = { url: 'an http(s) address', email: 'a mail address' }

function bound(origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${limit} characters`
  return origin === 'array' ? `${limit} entries` : String(limit)
}

function suggest(issue: Issue, value: unknown): string | undefined {
  if (issue.code === 'custom') return issue.params?.['suggestion'] as string | undefined
  if (typeof value !== 'string') return undefined
  if (issue.code === 'invalid_value') return closest(value, issue.values.map(String))
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'boolean') return BOOLEANS[value.toLowerCase()] ?? closest(value, ['true', 'false'])
  if (issue.expected === 'number' || issue.expected === 'int') return /^\s*(\d{1,9}(?:\.\d{1,9})?)/.exec(value)?.[1]
  return undefined
}

/** What YAML 1.1 took for booleans and YAML 1.2 reads as text. */
const BOOLEANS: Record<string, string> = { yes: 'true', on: 'true', y: 'true', no: 'false', off: 'false', n: 'false' }

const LONGEST_SHOWN = 40

/** A value as a person wrote it, cut short and without control characters. */
function shown(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a group of keys'
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return `a ${typeof value}`
  return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value)
}

export function didYouMean({ suggestion }: { suggestion?: string }): string {
  return suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`
}
