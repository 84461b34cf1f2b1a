/** Reads a project folder for the rules: every path by name, every TypeScript file as a syntax tree. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'

export interface Problem {
  path: string
  line: number
  rule: string
  /** What is wrong, and what to do instead. */
  message: string
}

export interface Import {
  /** As written. */
  specifier: string
  /** Path inside the project for a relative import, undefined for a package. */
  target: string | undefined
  typeOnly: boolean
  line: number
}

export interface Node {
  type: string
  start: number
  [key: string]: unknown
}

export interface Comment {
  /** Without the marks that begin and end it. */
  text: string
  line: number
}

export interface Source {
  path: string
  isTest: boolean
  nodes: readonly Node[]
  body: readonly Node[]
  imports: readonly Import[]
  comments: readonly Comment[]
  lineOf(node: Node): number
}

export interface SourceTree {
  root: string
  /** Files and folders, relative to the root, with `/` between parts. */
  paths: readonly string[]
  sources: readonly Source[]
}

const folders = ['src', 'dashboard', 'tests', 'bench', 'scripts']
const foreign = new Set(['node_modules', 'dist', 'fixtures', 'corpus', '__snapshots__'])

export function readSourceTree(root: string): SourceTree {
  const paths = folders.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => walk(root, folder))
  const sources = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => readSource(root, path))
  return { root, paths, sources }
}

function walk(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => !foreign.has(entry.name))
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return sorted.flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? [path, ...walk(root, path)] : [path]
  })
}

function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const { program, comments, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  if (errors[0] !== undefined) throw new Error(`Could not read ${path}: ${errors[0].message}\n${errors[0].codeframe}`)
  const nodes = [...nodesOf(program)]
  const lineOf = ({ start }: { start: number }): number => text.slice(0, start).split('\n').length
  return {
    path,
    isTest: path.startsWith('tests/') || /\.test\.tsx?$/.test(path),
    nodes,
    body: program.body as unknown as Node[],
    imports: nodes.flatMap((node) => importOf(node, path, lineOf(node))),
    comments: comments.map((comment) => ({ text: comment.value, line: lineOf(comment) })),
    lineOf,
  }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) yield value as Node
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function importOf(node: Node, path: string, line: number): Import[] {
  if (!/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$|^TSImportType$/.test(node.type)) return []
  const specifier = textOf(node['source'])
  if (specifier === undefined) return []
  const typeOnly = node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type'
  const target = specifier.startsWith('.') ? posix.join(dirname(path), specifier) : undefined
  return [{ specifier, target, typeOnly, line }]
}

/** A text as it is written in the source: in quotes, or in backquotes with nothing to fill in. */
export function textOf(node: unknown): string | undefined {
  const { value, quasis } = (node ?? {}) as { value?: unknown; quasis?: readonly { value: { cooked: string } }[] }
  if (typeof value === 'string') return value
  return quasis?.length === 1 ? quasis[0]?.value.cooked : undefined
}

/** The name behind a dot, in brackets and quotes, or of a variable; empty when it has none. */
export function nameOf(node: unknown): string {
  const { name } = (node ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : (textOf(node) ?? '')
}
