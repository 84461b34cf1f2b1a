/** Programs are started in src/adapters/process only, and nowhere through a shell. */
import type { Node, Problem, Source, SourceTree } from './source-tree.ts'

const modules = new Set(['child_process', 'node:child_process'])
const shellFunctions = new Set(['exec', 'execSync'])

export function childProcesses(tree: SourceTree): Problem[] {
  return tree.sources.flatMap((source) => {
    // Any spelling of the name counts, so that require, import() and getBuiltinModule are seen too.
    const mentions = source.nodes.filter((node) => node.type === 'Literal' && modules.has(String(node['value'])))
    if (mentions.length === 0) return []
    return [...strayImports(source, mentions), ...shells(source)]
  })
}

function strayImports(source: Source, mentions: readonly Node[]): Problem[] {
  const isFree = source.isTest || !/^(src|dashboard)\//.test(source.path)
  if (isFree || source.path.startsWith('src/adapters/process/')) return []
  return mentions.map((node) => ({
    path: source.path,
    line: source.lineOf(node),
    rule: 'child-processes',
    message: 'uses child_process: only src/adapters/process does. Call that adapter, or take a port as a parameter.',
  }))
}

function shells(source: Source): Problem[] {
  const namespaces = source.nodes.filter(isChildProcessImport).flatMap(namespaceNames)
  return source.nodes
    .filter((node) => takesShellFunction(node) || callsShellFunction(node, namespaces) || asksForShell(node))
    .map((node) => ({
      path: source.path,
      line: source.lineOf(node),
      rule: 'child-processes',
      message: 'starts a program through a shell. Use spawn or execFile with an argument array and no `shell` option.',
    }))
}

function isChildProcessImport(node: Node): boolean {
  return node.type === 'ImportDeclaration' && modules.has(String((node['source'] as Node)['value']))
}

function namespaceNames(node: Node): string[] {
  return (node['specifiers'] as Node[])
    .filter((specifier) => specifier.type !== 'ImportSpecifier')
    .map((specifier) => nameOf(specifier['local']))
}

/** `import { exec }` and `const { exec } = await import(…)`. */
function takesShellFunction(node: Node): boolean {
  if (node.type === 'ImportSpecifier') return shellFunctions.has(nameOf(node['imported']))
  return node.type === 'Property' && shellFunctions.has(nameOf(node['key']))
}

function callsShellFunction(node: Node, namespaces: readonly string[]): boolean {
  if (node.type !== 'MemberExpression' || !shellFunctions.has(nameOf(node['property']))) return false
  return namespaces.includes(nameOf(node['object']))
}

function asksForShell(node: Node): boolean {
  if (node.type !== 'Property' || nameOf(node['key']) !== 'shell') return false
  return (node['value'] as Node)['value'] !== false
}

function nameOf(node: unknown): string {
  const { name, value } = node as { name?: unknown; value?: unknown }
  return String(name ?? value)
}
