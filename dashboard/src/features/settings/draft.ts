/** What is changed but not saved: for a key its new value, or that its line is taken out of the file. */
import type { ConfigChange, ConfigKeyView, ConfigView } from '../../../../src/contract/config-view.ts'

export type Value = NonNullable<ConfigKeyView['value']> | null
export type Edit = { set: Value } | { unset: true }
export type Draft = ReadonlyMap<string, Edit>

export const NO_DRAFT: Draft = new Map()

/** An edit that changes nothing is none. */
export function withEdit(draft: Draft, key: ConfigKeyView, edit: Edit): Draft {
  const after = new Map(draft)
  const isNothing = 'unset' in edit ? !key.isSet : isSame(edit.set, key.value ?? null)
  if (isNothing) after.delete(key.path)
  else after.set(key.path, edit)
  return after
}

export function withoutEdit(draft: Draft, path: string): Draft {
  const after = new Map(draft)
  after.delete(path)
  return after
}

/** As it would be after saving. */
export function valueIn(draft: Draft, key: ConfigKeyView): Value {
  const edit = draft.get(key.path)
  if (edit === undefined) return key.value ?? null
  return 'set' in edit ? edit.set : (key.default ?? null)
}

export function changeOf(draft: Draft, { etag }: ConfigView): ConfigChange {
  const set: Record<string, Value> = {}
  const unset: string[] = []
  for (const [path, edit] of draft) {
    if ('set' in edit) set[path] = edit.set
    else unset.push(path)
  }
  return { etag, ...(Object.keys(set).length === 0 ? {} : { set }), ...(unset.length === 0 ? {} : { unset }) }
}

/** What is left of a draft when the file was changed by somebody else: edits that it already has are gone. */
export function rebased(draft: Draft, { keys }: ConfigView): Draft {
  const known = new Map(keys.map((key) => [key.path, key]))
  return [...draft].reduce<Draft>((done, [path, edit]) => {
    const key = known.get(path)
    return key === undefined ? done : withEdit(done, key, edit)
  }, NO_DRAFT)
}

export interface Problems {
  byKey: ReadonlyMap<string, string>
  /** Those that belong to no key of the page. */
  others: readonly string[]
}

export const NO_PROBLEMS: Problems = { byKey: new Map(), others: [] }

/** Lines are `file:line:col  key  sentence`; each is shown at its key. A wrong entry belongs to its list. */
export function problemsAt(lines: readonly string[], { keys }: Pick<ConfigView, 'keys'>): Problems {
  const byKey = new Map<string, string>()
  const others: string[] = []
  for (const line of lines) {
    const parts = line.split('  ')
    const named = parts.length > 2 ? parts[1] : undefined
    const key = named === undefined ? undefined : keys.find(({ path }) => named === path || isInside(named, path))
    if (key === undefined) others.push(line)
    else byKey.set(key.path, [byKey.get(key.path), parts.slice(2).join('  ')].filter(Boolean).join('; '))
  }
  return { byKey, others }
}

function isInside(named: string, path: string): boolean {
  return named.startsWith(`${path}.`) || named.startsWith(`${path}[`)
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** As people read it: one line, «none» for nothing. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(shown).join(', ')
  return JSON.stringify(value)
}
