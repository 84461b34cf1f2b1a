/** Reads a project folder for the rules: every path by name, every TypeScript file as a syntax tree. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

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

export interface Source {
  path: string
  isTest: boolean
  nodes: readonly Node[]
  body: readonly Node[]
  imports: readonly Import[]
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
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const nodes = [...nodesOf(program)]
  const lineOf = (node: Node): number => text.slice(0, node.start).split('\n').length
  return {
    path,
    isTest: path.startsWith('tests/') || /\.test\.tsx?$/.test(path),
    nodes,
    body: program['body'] as Node[],
    imports: nodes.flatMap((node) => importOf(node, path, lineOf(node))),
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
  const specifier = (node['source'] as { value?: unknown } | null)?.value
  if (typeof specifier !== 'string') return []
  const typeOnly = node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type'
  const target = specifier.startsWith('.') ? posix.join(dirname(path), specifier) : undefined
  return [{ specifier, target, typeOnly, line }]
}
