/**
 * YAML text to plain data with a place for everything. Bounded by itself: the library's own check for double keys
 * is quadratic and its plain data of nested complex keys exponential (README), so neither is used.
 */
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair } from 'yaml'
import type { Path } from '../../contract/config/path.ts'

export interface Position {
  line: number
  column: number
}

export interface YamlProblem extends Position {
  path: Path
  sentence: string
}

export interface YamlText {
  value: unknown
  problems: readonly YamlProblem[]
  document: Document
  /** Place of a path's name or value; of the nearest group around it when it is not in the text. */
  locate(path: Path, onName: boolean): Position
}

const MOST_PROBLEMS = 100
const MOST_NODES = 1_000_000
const MOST_ALIASES = 100
const DEEPEST = 50

/** `text` is without a byte order mark. */
export function readYaml(text: string): YamlText {
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  const position = (offset: number) => positionIn(text, Math.min(Math.max(offset, 0), text.length))
  const syntax = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
  const locate = (path: Path, onName: boolean) => position(offsetOf(document.contents, path, onName))
  if (syntax.length > 0) {
    const problems = syntax.slice(0, MOST_PROBLEMS).map((error) => ({
      ...position(error.pos[0]),
      path: [],
      sentence: syntaxSentence(error.code, error.message),
    }))
    return { value: undefined, problems, document, locate }
  }
  const reader = new Reader()
  const value = reader.read(document.contents, [])
  const problems = reader.problems.map(({ offset, ...problem }) => ({ ...position(offset), ...problem }))
  return { value, problems, document, locate }
}

/** Counted by hand: after an error the library's own counter leaves lines out. */
function positionIn(text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}

function syntaxSentence(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'holds more than one document; keep one («---» begins another)'
  if (code === 'RESOURCE_EXHAUSTION') return 'is nested too deeply'
  return `is not valid YAML: ${message.split('\n')[0] ?? message}`
}

interface FoundProblem {
  offset: number
  path: Path
  sentence: string
}

/** One walk over the nodes. Anchors stand before their aliases, so that the walk knows each in time. */
class Reader {
  readonly problems: FoundProblem[] = []
  private readonly anchors = new Map<string, Node>()
  private readonly open = new Set<Node>()
  private nodes = 0
  private aliases = 0

  read(node: unknown, path: Path): unknown {
    if (this.problems.length >= MOST_PROBLEMS) return undefined
    if (isAlias(node)) return this.readAlias(node.source, node, path)
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
    this.nodes += 1
    if (this.nodes > MOST_NODES) return this.problem(node, path, 'is too much once its aliases are followed')
    if (path.length > DEEPEST) return this.problem(node, path.slice(0, 3), 'is nested too deeply')
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node)
    if (isScalar(node)) return plainScalar(node.value, node.source)
    this.open.add(node)
    const value = isSeq(node)
      ? node.items.map((item, index) => this.read(item, [...path, index]))
      : this.readMap(node.items as Pair[], path)
    this.open.delete(node)
    return value
  }

  private readAlias(anchor: string, node: Node, path: Path): unknown {
    this.aliases += 1
    if (this.aliases > MOST_ALIASES) return this.problem(node, path, `is one of more than ${MOST_ALIASES} aliases`)
    const target = this.anchors.get(anchor)
    if (target === undefined)
      return this.problem(node, path, `names the anchor «${anchor}», which is not set before it`)
    if (this.open.has(target)) return this.problem(node, path, `names the anchor «${anchor}», which contains it`)
    return this.read(target, path)
  }

  private readMap(pairs: readonly Pair[], path: Path): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    for (const { key, value } of pairs) {
      const name = nameOf(key)
      if (name === undefined) {
        this.problem(key, path, 'has a key that is not a plain name')
      } else if (entries.has(name)) {
        this.problem(key, [...path, name], 'is set twice; keep one of them')
      } else {
        entries.set(name, this.read(value, [...path, name]))
      }
    }
    return Object.fromEntries(entries)
  }

  private problem(node: unknown, path: Path, sentence: string): undefined {
    this.problems.push({ offset: startOf(node) ?? 0, path, sentence })
    return undefined
  }
}

function plainScalar(value: unknown, source: string | undefined): unknown {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
  return isPlain ? value : (source ?? '')
}

function nameOf(key: unknown): string | undefined {
  if (key === null) return ''
  return isScalar(key) ? (key.source ?? String(key.value)) : undefined
}

/** Follows a path as far as it goes. A group is shown by its name, a single value by itself. */
function offsetOf(contents: unknown, path: Path, onName: boolean): number {
  let at = contents
  let best = startOf(contents) ?? 0
  for (const [depth, part] of path.entries()) {
    const pair: Pair | undefined = isMap(at)
      ? (at.items as Pair[]).find(({ key }) => nameOf(key) === String(part))
      : undefined
    const value: unknown = isSeq(at) ? at.items[Number(part)] : pair?.value
    if (pair === undefined && value === undefined) return best
    const isLast = depth === path.length - 1
    const single =
      isScalar(value) && value.range !== undefined && value.range !== null && value.range[1] > value.range[0]
    best = (isLast && single && !onName ? startOf(value) : undefined) ?? startOf(pair?.key) ?? startOf(value) ?? best
    at = value
  }
  return best
}

function startOf(node: unknown): number | undefined {
  const range = (node as { range?: [number, number, number] | null } | null | undefined)?.range
  return range?.[0]
}
