/** Paths into settings: written with dots, a part with other characters in double quotes. */

export type Path = readonly (string | number)[]

const PLAIN = /^[A-Za-z0-9_-]+$/

export function dotted(path: Path): string {
  return path.map((part) => (PLAIN.test(String(part)) ? String(part) : JSON.stringify(part))).join('.')
}

/** The parts of a dotted path; undefined when it is not one. */
export function parseDotted(text: string): string[] | undefined {
  if (!/^(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)+")(?:\.(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)+"))*$/.test(text)) return undefined
  const parts = text.match(/[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)+"/g) ?? []
  try {
    return parts.map((part) => (part.startsWith('"') ? String(JSON.parse(part)) : part))
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function getIn(value: unknown, path: Path): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string | number, unknown>)[part]
  }
  return at
}

export function hasIn(value: unknown, path: Path): boolean {
  const parent = getIn(value, path.slice(0, -1))
  const last = path.at(-1)
  return last === undefined || (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last))
}

/** A copy with the value at the path; objects on the way are made. Undefined when something else is in the way. */
export function setIn(root: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path
  if (part === undefined) return value
  if (root !== undefined && root !== null && !isObject(root)) return undefined
  const child = setIn(getIn(root, [part]), rest, value)
  if (child === undefined) return undefined
  const entries = Object.entries(root ?? {})
  const key = String(part)
  if (!entries.some(([name]) => name === key)) return fromEntries([...entries, [key, child]])
  return fromEntries(entries.map(([name, old]) => [name, name === key ? child : old]))
}

export function removeIn(root: unknown, path: Path): unknown {
  const [part, ...rest] = path
  if (part === undefined || !isObject(root) || !Object.hasOwn(root, part)) return root
  const entries = Object.entries(root)
  if (rest.length === 0) return fromEntries(entries.filter(([name]) => name !== String(part)))
  return fromEntries(entries.map(([name, child]) => [name, name === String(part) ? removeIn(child, rest) : child]))
}

/** Unlike assignment this also makes an own key of «__proto__», so that it is reported and not obeyed. */
function fromEntries(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries) as Record<string, unknown>
}
