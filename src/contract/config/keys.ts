/** Questions to the schema itself: which keys there are, what they mean, and which are in effect. */
import * as z from 'zod'
import { ALIASES } from './aliases.ts'
import type { KeyMeta } from './key.ts'
import { dotted, isObject, type Path } from './path.ts'
import { configSchema } from './schema.ts'

export interface Key {
  path: readonly string[]
  description: string
  inEffect: boolean
  /** The schema without its default. */
  value: z.core.$ZodType
  /** Absent for an entry that exists only when it is written. */
  default?: unknown
}

export interface Section {
  path: readonly string[]
  description: string
  keys: readonly (Key | Section)[]
}

/** The name that stands for any further name in a group of open names. */
export const ANY_NAME = '<name>'

/** Every key that holds a value, in the order of the file. */
export function leafKeys(section: Section = allKeys): Key[] {
  return section.keys.flatMap((key) => ('keys' in key ? leafKeys(key) : [key]))
}

/** The key at a path, a group of keys, or undefined when there is no such key. */
export function keyAt(path: Path): Key | Section | undefined {
  let at: Key | Section = allKeys
  for (const part of path) {
    if (!('keys' in at)) return undefined
    const keys: readonly (Key | Section)[] = at.keys
    const next = keys.find((key) => key.path.at(-1) === part) ?? keys.find((key) => key.path.at(-1) === ANY_NAME)
    if (next === undefined) return undefined
    at = next
  }
  return at
}

/** Names that may stand directly under a path, other spellings included. */
export function childNames(path: Path): string[] {
  const at = keyAt(path) ?? enclosingKey(path)
  if (at === undefined) return []
  const names = 'keys' in at ? at.keys.map((key) => String(key.path.at(-1))) : objectNames(at.value)
  return [...new Set([...names.filter((name) => name !== ANY_NAME), ...aliasNames(path)])]
}

/** The one place in the file where a name belongs, when it stands in the wrong group. */
export function placeOf(name: string): string | undefined {
  const places = leafKeys().filter((key) => key.path.at(-1) === name)
  return places.length === 1 && places[0] !== undefined ? dotted(places[0].path) : undefined
}

/** Paths of the values that an input sets, as far as the schema divides them. */
export function setPaths(input: unknown, path: Path = []): Path[] {
  const at = keyAt(path)
  if (!isObject(input) || at === undefined || !('keys' in at)) return [path]
  return Object.entries(input).flatMap(([name, value]) => setPaths(value, [...path, name]))
}

function asSection(path: readonly string[], schema: z.ZodObject): Section {
  const keys = Object.entries(schema.shape).map(([name, child]) => asKey([...path, name], child))
  const { catchall } = schema.def
  if (catchall !== undefined && !(catchall instanceof z.ZodNever)) keys.push(asKey([...path, ANY_NAME], catchall))
  return { path, description: String(schema.meta()?.description ?? ''), keys }
}

function asKey(path: readonly string[], schema: z.core.$ZodType): Key | Section {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  const meta = z.globalRegistry.get(schema) as KeyMeta | undefined
  const description = meta?.description ?? ''
  if (inner instanceof z.ZodObject) return { ...asSection(path, inner), description }
  const key = { path, description, inEffect: meta?.inEffect ?? false }
  if (!(inner instanceof z.ZodDefault)) return { ...key, value: inner }
  return { ...key, value: inner.unwrap(), default: inner.def.defaultValue }
}

/** The key whose value a path reaches into, such as an entry of a list. */
function enclosingKey(path: Path): Key | undefined {
  for (let length = path.length - 1; length > 0; length--) {
    const at = keyAt(path.slice(0, length))
    if (at !== undefined && !('keys' in at)) return at
  }
  return undefined
}

/** Names inside a value that is a group by itself, such as {model, runtime}. */
function objectNames(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodArray) return objectNames(schema.element)
  return schema instanceof z.ZodUnion ? schema.options.flatMap(objectNames) : []
}

function aliasNames(path: Path): string[] {
  const here = path.length === 0 ? '' : `${dotted(path)}.`
  return ALIASES.filter(({ from }) => from.startsWith(here))
    .map(({ from }) => String(from.slice(here.length).split('.')[0]))
    .filter((name) => name !== '*')
}

/** All of cloister.yaml. */
export const allKeys: Section = asSection([], configSchema)
