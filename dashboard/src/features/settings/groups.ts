/** The keys by section, as they are searched, and the unit that a number is in. */
import type { ConfigKeyView } from '../../../../src/contract/config-view.ts'

export interface Group {
  name: string
  keys: readonly ConfigKeyView[]
}

/** Every word that is looked for must be in the path or the help. */
export function groupsOf(keys: readonly ConfigKeyView[], looked: string): Group[] {
  const words = looked.toLowerCase().split(/\s+/).filter(Boolean)
  const found = keys.filter(({ path, help }) => {
    const text = `${path} ${path.replaceAll(/[._]/g, ' ')} ${help}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return [...Map.groupBy(found, ({ path }) => path.split('.')[0] ?? path)].map(([name, some]) => ({ name, keys: some }))
}

/** «auto_actions» as a heading: «Auto actions». */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A key's name within its section. */
export function nameIn(path: string): string {
  return path.split('.').slice(1).join('.') || path
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_usd$/, 'USD'],
  [/_percent$/, '%'],
  [/_minutes$/, 'minutes'],
  [/_seconds$|^seconds_|\.seconds_/, 'seconds'],
]

/** By the name of the key, or by how its help begins. */
export function unitOf({ path, help }: Pick<ConfigKeyView, 'path' | 'help'>): string | undefined {
  const named = UNITS.find(([pattern]) => pattern.test(path))?.[1]
  return named ?? /^(minutes|seconds)\b/i.exec(help)?.[1]?.toLowerCase()
}
