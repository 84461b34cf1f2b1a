/** A key as typed by a person, found in the schema or answered with what was probably meant. */
import { keyOf } from './aliases.ts'
import { closest } from './did-you-mean.ts'
import { keyAt, leafKeys, placeOf, type Key, type Section } from './keys.ts'
import { dotted, parseDotted, type Path } from './path.ts'

export type FoundKey = { path: Path; key: Key | Section } | { sentence: string }

export function findKey(typed: string): FoundKey {
  const parts = parseDotted(typed)
  const path = parts === undefined ? undefined : keyOf(parts)
  const key = path === undefined ? undefined : keyAt(path)
  if (path !== undefined && path.length > 0 && key !== undefined) return { path, key }
  const meant = placeOf(typed) ?? closest(typed, allPaths())
  const shown = typed.length > 64 ? `${typed.slice(0, 64)}…` : typed
  return { sentence: `There is no key «${shown}»${meant === undefined ? '' : ` (did you mean ${meant}?)`}.` }
}

function allPaths(): Set<string> {
  return new Set(leafKeys().flatMap(({ path }) => path.map((_, index) => dotted(path.slice(0, index + 1)))))
}
